package shop

import shop.money.{Money as Cash, given}
export shop.store.Store

class Orbit(bodies: List[Body]):  // DEFINES class Orbit 6-18
  val store = Store(1) // REFERS call Store  DEFINES field Orbit.store 7-7

  /** pays */
  def pay(amount: Cash): Int = // REFERS type Cash  DEFINES method Orbit.pay 9-16
    val local = 3
    store.put(local) // REFERS call store.put
    if amount.ok then
      go(local) // REFERS call go
    else
      stop() // REFERS call stop

  private def hidden = 3  // DEFINES method Orbit.hidden 18-18

enum Planet(mass: Double):  // DEFINES enum Planet 20-24
  case Mercury extends Planet(3.3) // REFERS inherit Planet  DEFINES enum-member Planet.Mercury 21-21
  case Venus, Earth  // DEFINES enum-member Planet.Venus 22-22  DEFINES enum-member Planet.Earth 22-22
  case Other(name: String)  // DEFINES enum-member Planet.Other 23-23
  def weigh = mass  // DEFINES method Planet.weigh 24-24

given intOrd: Ord[Int] with // REFERS type Ord  DEFINES class intOrd 26-27
  def compare(left: Int, right: Int) = 0  // DEFINES method intOrd.compare 27-27

given Ord[String] with  // DEFINES class Ord[String] 29-30
  def compare(left: String, right: String) = 0  // DEFINES method Ord[String].compare 30-30

extension (orbit: Orbit) // REFERS type Orbit
  def total: Int = orbit.bodies.size // REFERS read orbit.bodies.size  DEFINES method Orbit.total 33-33
  def second = 2  // DEFINES method Orbit.second 34-34

extension [T](items: List[T]) def third: T = items.tail.head  // DEFINES method List.third 36-36

trait Shape:  // DEFINES trait Shape 38-41
  def area: Int  // DEFINES method Shape.area 39-39
  def twice(scale: Int) =  // DEFINES method Shape.twice 40-41
    scale * area // REFERS read area

@main def start() = println("a") // REFERS call println  DEFINES function start 43-43
