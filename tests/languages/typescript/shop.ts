import type { Money } from './money';
import { type Rate, tax as addTax } from './tax';
import Store, * as stores from './store';
import fs = require('fs');
import Alias = Shop.Inner;

export type { Money as Cash } from './money';
export { Rate };

/** A price with its currency. */
export interface Price extends Base, Named<Money> { // DEFINES interface Price 10-20  REFERS inherit Base  REFERS inherit Named  REFERS type Money
  readonly amount: number;  // DEFINES field Price.amount 12-12
  currency?: Currency; // DEFINES field Price.currency 13-13  REFERS type Currency
  format(locale: string): string;  // DEFINES method Price.format 14-15
  format(locale: string, digits: number): string;
  readonly [key: string]: unknown;
  new (amount: number): Price;
  (text: string): Price;
  get total(): number;  // DEFINES method Price.total 19-19
}

interface Source<in out A, out T = Money, in U = T> extends Base {}  // DEFINES interface Source 22-22
type Key<T> = T extends infer U ? keyof U : never;  // DEFINES type-alias Key 23-23
export type Options = { deep: boolean; visit(node: Node): void } & Partial<Price>; // DEFINES type-alias Options 24-24  DEFINES field Options.deep 24-24  DEFINES method Options.visit 24-24  REFERS type Price  REFERS type Node

export const enum Currency {  // DEFINES enum Currency 26-30
  Euro = 'EUR',  // DEFINES enum-member Currency.Euro 27-27
  Dollar,  // DEFINES enum-member Currency.Dollar 28-28
  'odd-one' = 3,  // DEFINES enum-member Currency.odd-one 29-29
}

enum State { Paid, Void = 1 << 1 }  // DEFINES enum State 32-32  DEFINES enum-member State.Paid 32-32  DEFINES enum-member State.Void 32-32

@Component({ selector: 'box' }) // REFERS call Component
export abstract class Box<T extends Money = Money> extends Shelf<T> implements Closable, stores.Countable<T> { // DEFINES class Box 34-70  REFERS inherit Shelf  REFERS implement Closable  REFERS implement stores.Countable  REFERS type Money
  @Input() label: string = 'x'; // DEFINES field Box.label 36-36  REFERS call Input
  private readonly store = new Store(); // DEFINES field Box.store 37-37  REFERS new Store
  protected static count: number;  // DEFINES field Box.count 38-38
  declare legacy: Money; // DEFINES field Box.legacy 39-39  REFERS type Money
  #secret?: T;  // DEFINES field Box.#secret 40-40
  onOpen = async (event: Event): Promise<void> => { // DEFINES method Box.onOpen 41-43  REFERS type Event
    await this.store.put(event); // REFERS call this.store.put
  };

  constructor(private readonly log: Log, public limit = 3, plain?: Plain) { // DEFINES method Box.constructor 45-48  DEFINES field Box.log 45-45  DEFINES field Box.limit 45-45  REFERS type Log  REFERS type Plain
    super();
    log.write(limit); // REFERS call log.write
  }

  // By name or by number.
  get(key: string): T;  // DEFINES method Box.get 50-55
  get(key: number): T;
  get(key: any): T {
    return this.items[key] as T;
  }

  abstract size(): number;  // DEFINES method Box.size 57-57
  protected abstract weight: number;  // DEFINES field Box.weight 58-58

  @Get('/x') // REFERS call Get
  @Log
  public list(@Query() page: Page): Page[] { // DEFINES method Box.list 60-65  REFERS call Query  REFERS type Page
    const local: Page = page; // REFERS type Page
    return [local, addTax(page)!.next()]; // REFERS call addTax
  }

  @HostListener('click') onClick() {}  // DEFINES method Box.onClick 67-67

  private set value(v: number) {}  // DEFINES method Box.value 69-69
}

export namespace Shop {  // DEFINES module Shop 72-81
  export const rate = 3;  // DEFINES constant Shop.rate 73-73
  let hidden: Rate; // DEFINES variable Shop.hidden 74-74  REFERS type Rate
  export function open(): Box<Money> { // DEFINES function Shop.open 75-77  REFERS type Box
    return create<Box<Money>>(); // REFERS call create  REFERS type Box
  }
  namespace Inner.Deep {  // DEFINES module Shop.Inner.Deep 78-80
    export interface Leaf { size: number }  // DEFINES interface Shop.Inner.Deep.Leaf 79-79  DEFINES field Shop.Inner.Deep.Leaf.size 79-79
  }
}

declare module 'untyped' {  // DEFINES module untyped 83-86
  export function run(name: string): void;  // DEFINES function untyped.run 84-84
  const version: string;
}

declare global {
  interface Window {  // DEFINES interface Window 89-91
    shop: Shop;  // DEFINES field Window.shop 90-90
  }
}

declare function load(path: string): Promise<Box<Money>>;  // DEFINES function load 94-94
declare const VERSION: string;  // DEFINES constant VERSION 95-95
declare class Native {  // DEFINES class Native 96-99
  call(name: string): void;  // DEFINES method Native.call 97-98
  call(name: number): void;
}

function over(a: string): void;  // DEFINES function over 101-105
function over(a: number): void;
function over(a: any) {
  return isPrice(a) ? handle(a) : fs.read(a); // REFERS call isPrice  REFERS call handle  REFERS call fs.read
}

export function isPrice(value: unknown): value is Price { // DEFINES function isPrice 107-109  REFERS type Price
  return typeof value === 'object' && (value as Price).amount > State.Paid; // REFERS read State.Paid
}

export const handlers: Record<string, Handler> = { // DEFINES constant handlers 111-113  REFERS type Record  REFERS type Handler
  paid: over, // REFERS table over
};
export const routes = {  // DEFINES constant routes 114-117
  home: () => addTax(1), // DEFINES method routes.home 115-115  REFERS call addTax
  late() {},  // DEFINES method routes.late 116-116
} satisfies Routes; // REFERS type Routes
const typed = (async (event) => over(event)) satisfies Handler;  // DEFINES function typed 118-118
export const generic = <T,>(value: T): T => value;  // DEFINES function generic 119-119
const box = load('x') as Box<Money>;  // DEFINES constant box 120-120
let made: typeof box = box; // DEFINES variable made 121-121  REFERS read box

export default function (this: Window, first: string) {  // DEFINES function default 123-125
  return new stores.Memory<string>(first); // REFERS new stores.Memory
}
