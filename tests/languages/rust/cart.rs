//! A shop.
#![allow(dead_code)]

use std::collections::{hash_map::{self, Entry as Slot}, HashMap};
use crate::money::*;
pub use self::inner::Thing as Other;
use super::tax;
extern crate serde as s;

pub mod files;

mod inner {  // DEFINES module inner 12-15
    pub struct Thing;  // DEFINES struct inner.Thing 13-13
    fn helper() {}  // DEFINES function inner.helper 14-14
}

/// Pays.
///
/// Twice, if need be.
#[inline]
#[instrument(skip(cart))] // REFERS call instrument
pub(crate) fn pay<T: Clone + Payable>(cart: &mut Cart, (low, high): (i32, i32)) -> Result<Receipt, Error> // DEFINES function pay 17-44  REFERS type Cart  REFERS type Receipt  REFERS type Payable
where
    T: Debug, // REFERS type Debug
{
    let made = Cart::new(LIMIT); // REFERS call Cart.new  REFERS pass LIMIT
    let Some(first) = cart.items.get(low) else { // REFERS call cart.items.get
        return Err(Error::Empty); // REFERS pass Error.Empty
    };
    cart.store.put::<u8>(made, &high)?; // REFERS call cart.store.put
    let check = |amount: i32| amount > RATE; // DEFINES function pay.check 31-31  REFERS read RATE
    log!("{}", describe(first), check(low)); // REFERS call log  REFERS call describe
    match cart.state {
        State::Paid => on_paid(), // REFERS read State.Paid  REFERS call on_paid
        State::Void(code) if code > 1 => {}
        State::Named { amount, note: text } => drop((amount, text)), // REFERS call drop
        None | other => {} // REFERS read None
    }
    fn nested(n: i32) -> i32 {  // DEFINES function pay.nested 39-42
        const STEP: i32 = 2;
        n + STEP
    }
    items.iter().map(nested).map(Cart::total).collect() // REFERS pass nested  REFERS pass Cart.total  REFERS call items.iter().map().map().collect
}

#[derive(Debug, Priced)] // REFERS type Priced
pub struct Cart<'a, T> {  // DEFINES struct Cart 46-52
    /// How many.
    pub n: i32,  // DEFINES field Cart.n 48-49
    store: Box<dyn Store<T>>, // DEFINES field Cart.store 50-50  REFERS type Store
    name: &'a str,  // DEFINES field Cart.name 51-51
}

pub struct Unit;  // DEFINES struct Unit 54-54
struct Pair(pub i32, Money); // DEFINES struct Pair 55-55  REFERS type Money

/// What an order can be.
pub enum State {  // DEFINES enum State 57-64
    Paid,  // DEFINES enum-member State.Paid 59-59
    /// With a code.
    Void(i32),  // DEFINES enum-member State.Void 60-61
    Named { amount: i32, note: String },  // DEFINES enum-member State.Named 62-62  DEFINES field State.Named.amount 62-62  DEFINES field State.Named.note 62-62
    Other = 3,  // DEFINES enum-member State.Other 63-63
}

pub trait Greet: Base + fmt::Debug + Into<i32> { // DEFINES trait Greet 66-74  REFERS inherit Base  REFERS inherit fmt.Debug  REFERS inherit Into
    const N: u32;  // DEFINES constant Greet.N 67-67
    type Item: Clone;  // DEFINES type-alias Greet.Item 68-68
    /// Says hi.
    fn hi(&self) -> String;  // DEFINES method Greet.hi 69-70
    fn loud(&self) -> String {  // DEFINES method Greet.loud 71-73
        self.hi() // REFERS call self.hi
    }
}

impl<'a, T> Greet for Cart<'a, T> { // DEFINES extension Cart 76-84  REFERS implement Greet
    type Item = i32;  // DEFINES type-alias Cart.Item 77-77
    const N: u32 = 1;  // DEFINES constant Cart.N 78-78

    #[must_use]
    fn hi(&self) -> String {  // DEFINES method Cart.hi 80-83
        Self::make(self.n) // REFERS call Self.make  REFERS pass self.n
    }
}

impl Cart<'_, u8> {  // DEFINES extension Cart 86-98
    pub const START: i32 = 0;  // DEFINES constant Cart.START 87-87

    pub const fn new(n: i32) -> Self {  // DEFINES method Cart.new 89-91
        Self { n, store: Store::open(), name: "" } // REFERS call Store.open  REFERS new Self
    }

    async fn total(&mut self) -> i32 {  // DEFINES method Cart.total 93-97
        let made = inner::Thing { size: 1 }; // REFERS new inner.Thing
        let later = load(made).await?; // REFERS call load
        self.store.sum(later) // REFERS call self.store.sum
    }
}

impl fmt::Display for dyn Store<u8> { // DEFINES extension Store 100-104  REFERS implement fmt.Display
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {  // DEFINES method Store.fmt 101-103
        write!(f, "{}", self.name) // REFERS call write  REFERS read self.name
    }
}
impl<T> Greet for Vec<T> {}  // DEFINES extension Vec 105-105
impl From<(i32, i32)> for &State {}  // DEFINES extension State 106-106

/// Twice.
#[macro_export]
macro_rules! twice {  // DEFINES macro twice 108-114
    ($e:expr) => {
        $crate::run($e) // REFERS call $crate.run
    };
}

pub const LIMIT: u32 = 3;  // DEFINES constant LIMIT 116-116
static mut CACHE: Lazy<Cart> = Lazy::new(|| Cart::open()); // DEFINES constant CACHE 117-117  REFERS call Lazy.new  REFERS call Cart.open
static HANDLERS: [fn(); 2] = [on_paid, tax::on_void]; // DEFINES constant HANDLERS 118-118  REFERS table on_paid  REFERS table tax.on_void
type Names<T> = Vec<T>;  // DEFINES type-alias Names 119-119
union Bits {  // DEFINES struct Bits 120-122
    whole: u32,  // DEFINES field Bits.whole 121-121
}
const _: () = assert!(LIMIT > 1); // REFERS read LIMIT

extern "C" {
    fn external(a: i32) -> i32;  // DEFINES function external 126-126
}

#[cfg(test)]
mod tests {  // DEFINES module tests 129-137
    use super::*;

    #[test]
    fn pays() {  // DEFINES function tests.pays 133-136
        assert_eq!(pay(&mut Cart::new(1)), LIMIT); // REFERS call pay  REFERS call Cart.new  REFERS read LIMIT
    }
}
