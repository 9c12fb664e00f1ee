package shop.cart

import shop.money.{Money, Format => Fmt, _}
import shop.store.Store
import shop.util._

/** A cart and what is in it. */
@Serializable // REFERS call Serializable
final case class Cart[T <: Item](items: List[T], var total: Int = 0)(implicit context: Context) extends Base[T](items) with Closeable with shop.Priced { // REFERS inherit Base REFERS inherit Closeable REFERS inherit shop.Priced REFERS type Item  DEFINES class Cart 7-46  DEFINES field Cart.items 9-9  DEFINES field Cart.total 9-9
  private val store: Store = new Store(1) // REFERS new Store  DEFINES field Cart.store 10-10
  var note = ""  // DEFINES field Cart.note 11-11
  val (left, right) = pair() // REFERS call pair  DEFINES field Cart.left 12-12  DEFINES field Cart.right 12-12
  lazy val log: Logger = Logger("x") // REFERS call Logger  DEFINES field Cart.log 13-13
  type Key = String  // DEFINES type-alias Cart.Key 14-14

  def this(first: Int) = this(Nil)  // DEFINES method Cart.this 16-16

  override def close(): Unit = {  // DEFINES method Cart.close 18-26
    this.total = 4 // REFERS read this.total
    super.close() // REFERS call super.close
    val item = Item(3)
    item.open().run() // REFERS call item.open().run
    items.map(line => line.name) // REFERS read line.name
    register(onPaid _) // REFERS pass onPaid
    register(onVoid) // REFERS pass onVoid
  }

  // Pays for it.
  def pay[U](target: U, cart: Cart[T])(implicit money: Money): Option[Money] = { // REFERS type Money REFERS type Cart  DEFINES method Cart.pay 28-42
    def nested(value: Int) = value  // DEFINES function Cart.pay.nested 30-30
    val local = 3
    for { line <- items; price = line.price } yield line.check(price) // REFERS call line.check
    cart.total match {
      case found: Premium => found.close() // REFERS type Premium REFERS call found.close
      case Some(value) => value.open() // REFERS call Some REFERS call value.open
      case _ =>
    }
    try run() catch { case failure: Failure => failure.report() } // REFERS type Failure REFERS call failure.report
    val table = Map("paid" -> onPaid, "void" -> onVoid) // REFERS table onPaid REFERS table onVoid
    new Helper().open() // REFERS new Helper REFERS call Helper().open
    cart.copy(total = LIMIT) // REFERS call cart.copy REFERS pass LIMIT
  }

  abstract class Line  // DEFINES class Cart.Line 44-44
  def +(other: Cart[T]): Cart[T] = other  // DEFINES method Cart.+ 45-45
}

object Cart {  // DEFINES class Cart 48-53
  val MAX = 3  // DEFINES constant Cart.MAX 49-49
  def create(): Cart[Item] = Cart(Nil) // REFERS call Cart  DEFINES method Cart.create 50-50
  implicit class Rich(cart: Cart[Item]) { def rich: Int = 1 }  // DEFINES class Cart.Rich 51-51  DEFINES method Cart.Rich.rich 51-51
  implicit val order: Ordering[Cart[Item]] = ???  // DEFINES field Cart.order 52-52
}

sealed trait State {  // DEFINES trait State 55-58
  def label(key: String): Int  // DEFINES method State.label 56-56
  val depth: Int  // DEFINES field State.depth 57-57
}
case object Paid extends State // REFERS inherit State  DEFINES class Paid 59-59

package object helpers { def help = 1 }  // DEFINES module helpers 61-61  DEFINES function helpers.help 61-61

type Handler = Cart[Item] => Unit  // DEFINES type-alias Handler 63-63
val LIMIT = 3  // DEFINES constant LIMIT 64-64
def free(value: Int): Int = value  // DEFINES function free 65-65
val double = (value: Int) => value * 2  // DEFINES function double 66-66
