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

type Key<T> = T extends infer U ? keyof U : never;  // DEFINES type-alias Key 22-22
export type Options = { deep: boolean; visit(node: Node): void } & Partial<Price>; // DEFINES type-alias Options 23-23  DEFINES field Options.deep 23-23  DEFINES method Options.visit 23-23  REFERS type Price  REFERS type Node

export const enum Currency {  // DEFINES enum Currency 25-29
  Euro = 'EUR',  // DEFINES enum-member Currency.Euro 26-26
  Dollar,  // DEFINES enum-member Currency.Dollar 27-27
  'odd-one' = 3,  // DEFINES enum-member Currency.odd-one 28-28
}

enum State { Paid, Void = 1 << 1 }  // DEFINES enum State 31-31  DEFINES enum-member State.Paid 31-31  DEFINES enum-member State.Void 31-31

@Component({ selector: 'box' }) // REFERS call Component
export abstract class Box<T extends Money = Money> extends Shelf<T> implements Closable, stores.Countable<T> { // DEFINES class Box 33-69  REFERS inherit Shelf  REFERS implement Closable  REFERS implement stores.Countable  REFERS type Money
  @Input() label: string = 'x'; // DEFINES field Box.label 35-35  REFERS call Input
  private readonly store = new Store(); // DEFINES field Box.store 36-36  REFERS new Store
  protected static count: number;  // DEFINES field Box.count 37-37
  declare legacy: Money; // DEFINES field Box.legacy 38-38  REFERS type Money
  #secret?: T;  // DEFINES field Box.#secret 39-39
  onOpen = async (event: Event): Promise<void> => { // DEFINES method Box.onOpen 40-42  REFERS type Event
    await this.store.put(event); // REFERS call this.store.put
  };

  constructor(private readonly log: Log, public limit = 3, plain?: Plain) { // DEFINES method Box.constructor 44-47  DEFINES field Box.log 44-44  DEFINES field Box.limit 44-44  REFERS type Log  REFERS type Plain
    super();
    log.write(limit); // REFERS call log.write
  }

  // By name or by number.
  get(key: string): T;  // DEFINES method Box.get 49-54
  get(key: number): T;
  get(key: any): T {
    return this.items[key] as T;
  }

  abstract size(): number;  // DEFINES method Box.size 56-56
  protected abstract weight: number;  // DEFINES field Box.weight 57-57

  @Get('/x') // REFERS call Get
  @Log
  public list(@Query() page: Page): Page[] { // DEFINES method Box.list 59-64  REFERS call Query  REFERS type Page
    const local: Page = page; // REFERS type Page
    return [local, addTax(page)!.next()]; // REFERS call addTax
  }

  @HostListener('click') onClick() {}  // DEFINES method Box.onClick 66-66

  private set value(v: number) {}  // DEFINES method Box.value 68-68
}

export namespace Shop {  // DEFINES module Shop 71-80
  export const rate = 3;  // DEFINES constant Shop.rate 72-72
  let hidden: Rate; // DEFINES variable Shop.hidden 73-73  REFERS type Rate
  export function open(): Box<Money> { // DEFINES function Shop.open 74-76  REFERS type Box
    return create<Box<Money>>(); // REFERS call create  REFERS type Box
  }
  namespace Inner.Deep {  // DEFINES module Shop.Inner.Deep 77-79
    export interface Leaf { size: number }  // DEFINES interface Shop.Inner.Deep.Leaf 78-78  DEFINES field Shop.Inner.Deep.Leaf.size 78-78
  }
}

declare module 'untyped' {  // DEFINES module untyped 82-85
  export function run(name: string): void;  // DEFINES function untyped.run 83-83
  const version: string;
}

declare global {
  interface Window {  // DEFINES interface Window 88-90
    shop: Shop;  // DEFINES field Window.shop 89-89
  }
}

declare function load(path: string): Promise<Box<Money>>;  // DEFINES function load 93-93
declare const VERSION: string;  // DEFINES constant VERSION 94-94
declare class Native {  // DEFINES class Native 95-98
  call(name: string): void;  // DEFINES method Native.call 96-97
  call(name: number): void;
}

function over(a: string): void;  // DEFINES function over 100-104
function over(a: number): void;
function over(a: any) {
  return isPrice(a) ? handle(a) : fs.read(a); // REFERS call isPrice  REFERS call handle  REFERS call fs.read
}

export function isPrice(value: unknown): value is Price { // DEFINES function isPrice 106-108  REFERS type Price
  return typeof value === 'object' && (value as Price).amount > State.Paid; // REFERS read State.Paid
}

export const handlers: Record<string, Handler> = { // DEFINES constant handlers 110-112  REFERS type Record  REFERS type Handler
  paid: over, // REFERS table over
};
export const routes = {  // DEFINES constant routes 113-116
  home: () => addTax(1), // DEFINES method routes.home 114-114  REFERS call addTax
  late() {},  // DEFINES method routes.late 115-115
} satisfies Routes; // REFERS type Routes
const typed = (async (event) => over(event)) satisfies Handler;  // DEFINES function typed 117-117
export const generic = <T,>(value: T): T => value;  // DEFINES function generic 118-118
const box = load('x') as Box<Money>;  // DEFINES constant box 119-119
let made: typeof box = box; // DEFINES variable made 120-120  REFERS read box

export default function (this: Window, first: string) {  // DEFINES function default 122-124
  return new stores.Memory<string>(first); // REFERS new stores.Memory
}
