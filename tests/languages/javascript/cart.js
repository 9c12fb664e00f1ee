#!/usr/bin/env node
'use strict';

import defaults, { fmt as money } from "./money.js";
import * as tax from './tax.js';
import './polyfill.js';

export { fmt as formatMoney } from './money.js';
export * from './errors.js';
export * as units from './units.js';

// How often a payment is tried.
const RETRY_LIMIT = 5; // more is rude  // DEFINES constant RETRY_LIMIT 12-13
let open = 0, closed = 1;  // DEFINES variable open 14-14  DEFINES variable closed 14-14
const { low, high: top, ...others } = defaults.bounds; // DEFINES variable low 15-15  DEFINES variable top 15-15  REFERS read defaults.bounds
var [first, second] = [1, 2];  // DEFINES variable first 16-16  DEFINES variable second 16-16

/**
 * Adds tax.
 * @param {number} amount
 */
export function withTax(amount, { rate = RETRY_LIMIT, note: remark } = {}, ...rest) { // DEFINES function withTax 18-33  REFERS read RETRY_LIMIT
  const factor = tax.factor(rate); // REFERS call tax.factor
  function round(value) {  // DEFINES function withTax.round 24-26
    return Math.round(value * factor); // REFERS call Math.round
  }
  const cents = (value) => round(value); // DEFINES function withTax.cents 27-27  REFERS call round
  for (const step of rest) {
    if (step > open) cents(step); // REFERS read open  REFERS call cents
  }
  rest.forEach(function each(item) { report(item); }); // DEFINES function withTax.each 31-31  REFERS call rest.forEach  REFERS call report
  return round(amount) + cents(amount);
}

export async function* pages(url) {  // DEFINES function pages 35-37
  yield await fetch(url); // REFERS call fetch
}

const double = n => n * 2, half = function halve(n) { return n / 2; };  // DEFINES function double 39-39  DEFINES function half 39-39
export const triple = async (n) => {  // DEFINES function triple 40-42
  return money(n); // REFERS call money
};
export const plain = 42;  // DEFINES constant plain 43-43
export const memoized = memo(function (n) { return triple(n); }); // DEFINES function memoized 44-44  REFERS call triple  REFERS call memo

export default class Cart extends Base { // DEFINES class Cart 46-81  REFERS inherit Base
  static limit = RETRY_LIMIT;  // DEFINES field Cart.limit 47-47
  #items = [];  // DEFINES field Cart.#items 48-48
  store = new Store(); // DEFINES field Cart.store 49-49  REFERS new Store

  constructor(store) {  // DEFINES method Cart.constructor 51-56
    super();
    this.store = store;
    this.log = new Log(); // REFERS new Log
    this.onClose = () => this.#drop(); // DEFINES method Cart.onClose 55-55  REFERS call this.#drop
  }

  get total() {  // DEFINES method Cart.total 58-60
    return this.#items.reduce(add, 0); // REFERS call this.#items.reduce  REFERS pass add
  }

  set total(value) {}  // DEFINES method Cart.total 62-62

  static of(...items) {  // DEFINES method Cart.of 64-66
    return new this(items);
  }

  async *[Symbol.asyncIterator]() {}  // DEFINES method Cart.[Symbol.asyncIterator] 68-68

  handle = (event) => {  // DEFINES method Cart.handle 70-72
    this.store.put(event); // REFERS call this.store.put
  };

  #drop() {  // DEFINES method Cart.#drop 74-76
    label: while (true) { break label; }
  }

  static {
    register(Cart); // REFERS call register  REFERS pass Cart
  }
}

class Special extends tax.Special {} // DEFINES class Special 83-83  REFERS inherit tax.Special
const Anonymous = class extends Cart {}; // DEFINES class Anonymous 84-84  REFERS inherit Cart

/** What the server can do. */
const api = {  // DEFINES constant api 86-100
  base: '/api',
  get(path) { return request(path); }, // DEFINES method api.get 89-89  REFERS call request
  post: async function (path, body) { return request(path, body); },  // DEFINES method api.post 90-90
  remove: (path) => request(path),  // DEFINES method api.remove 91-91
  'put-all': function () {},  // DEFINES method api.put-all 92-92
  nested: {
    deep() {},  // DEFINES method api.deep 94-94
    deeper: () => open,  // DEFINES method api.deeper 95-95
  },
  get size() { return 1; },  // DEFINES method api.size 97-97
  withTax, // REFERS table withTax
  other: triple, // REFERS table triple
};

const HANDLERS = { paid: onPaid, void: onVoid }; // DEFINES constant HANDLERS 102-102  REFERS table onPaid  REFERS table onVoid
const LIST = [onPaid, tax.onVoid]; // DEFINES constant LIST 103-103  REFERS table onPaid  REFERS table tax.onVoid

function onPaid(event) {  // DEFINES function onPaid 105-107
  return import('./lazy.js').then((lazy) => lazy.run(event)); // REFERS call lazy.run
}
function onVoid({ id }) {  // DEFINES function onVoid 108-110
  try { undo(id); } catch (error) { alert(error?.detail ?? id); } // REFERS call undo  REFERS call alert  REFERS read error.detail
}

function Legacy(name) {  // DEFINES function Legacy 112-115
  this.name = name;
  this.speak = function () { return name; };  // DEFINES method Legacy.speak 114-114
}
Legacy.prototype.hello = function hello() {  // DEFINES method Legacy.hello 116-118
  return new Legacy('x').speak(); // REFERS new Legacy
};
Legacy.create = (name) => new Legacy(name);  // DEFINES method Legacy.create 119-119
Object.assign(Legacy.prototype, { // REFERS pass Legacy.prototype
  bye() {},  // DEFINES method Legacy.bye 121-121
  wave: function () {},  // DEFINES method Legacy.wave 122-122
});
Legacy.prototype = {
  late: function () {},  // DEFINES method Legacy.late 125-125
};

describe('cart', () => { // REFERS call describe
  const local = 1;
  it('adds', async () => { // REFERS call it
    const cart = new Cart(local); // REFERS new Cart
    expect(cart.total).toBe(local); // REFERS call expect
    setTimeout(onPaid, 10); // REFERS pass onPaid
  });
});

(function () {
  function hidden() {}  // DEFINES function hidden 138-138
  var inner = 1;
  hidden(inner); // REFERS call hidden
})();

if (open) {
  var fallback = 1;
}

export { open as isOpen, closed };
