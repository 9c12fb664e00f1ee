@file:JvmName("Carts")
package shop.cart

import shop.money.Money
import shop.money.*
import shop.store.Store as Shop

/** A cart and what is in it. */
@Serializable // REFERS call Serializable
data class Cart(val items: List<Item>, private var total: Int = 0, label: String) : Base<Item>(label), Closeable { // REFERS inherit Base REFERS implement Closeable REFERS type List REFERS type Item  DEFINES class Cart 8-48  DEFINES field Cart.items 10-10  DEFINES field Cart.total 10-10
    companion object {
        const val MAX = 3  // DEFINES constant Cart.MAX 12-12
        fun create(): Cart = Cart(emptyList(), 0, "") // REFERS call Cart REFERS call emptyList  DEFINES method Cart.create 13-13
    }

    val size: Int get() = items.size // REFERS read items.size  DEFINES field Cart.size 16-16
    var note: String = ""  // DEFINES field Cart.note 17-18
        private set
    lateinit var log: Logger  // DEFINES field Cart.log 19-19
    private val cached by lazy { compute() } // REFERS call compute  DEFINES field Cart.cached 20-20

    constructor(first: Int) : this(listOf(), first, "") {  // DEFINES method Cart.constructor 22-24
        start()
    }

    init {
        val local = 3
        register(::onPaid) // REFERS pass onPaid
    }

    override fun close() {  // DEFINES method Cart.close 31-37
        this.total = 4 // REFERS read this.total
        super.close() // REFERS call super.close
        val item = Item(3)
        item.open()?.run() // REFERS call item.open().run
        items.map(Item::name) // REFERS pass Item.name
    }

    @Deprecated("old")
    suspend inline fun <reified T> pay(target: T, cart: Cart?): Money? { // REFERS type Money REFERS type Cart  DEFINES method Cart.pay 39-43
        fun nested() = 1  // DEFINES function Cart.pay.nested 41-41
        return cart?.total?.let { sum -> sum.plus(LIMIT) } // REFERS call sum.plus REFERS pass LIMIT
    }

    abstract fun measure(): Int  // DEFINES method Cart.measure 45-45
    operator fun plus(other: Cart) = this  // DEFINES method Cart.plus 46-46
    inner class Line  // DEFINES class Cart.Line 47-47
}

sealed interface State {  // DEFINES interface State 50-54
    object Paid : State // REFERS implement State  DEFINES class State.Paid 51-51
    data object Void : State  // DEFINES class State.Void 52-52
    fun label(key: String): Int  // DEFINES method State.label 53-53
}

enum class Color(val rgb: Int) {  // DEFINES enum Color 56-63  DEFINES field Color.rgb 56-56
    RED(1) {  // DEFINES enum-member Color.RED 57-59
        override fun mix() = 1  // DEFINES method Color.RED.mix 58-58
    },
    GREEN(2);  // DEFINES enum-member Color.GREEN 60-60

    abstract fun mix(): Int  // DEFINES method Color.mix 62-62
}

object Registry : Base() { // REFERS inherit Base  DEFINES class Registry 65-68
    val handlers = mapOf("paid" to ::onPaid, "void" to ::onVoid) // REFERS table onPaid REFERS table onVoid  DEFINES field Registry.handlers 66-66
    fun find() = handlers["paid"] // REFERS read handlers  DEFINES method Registry.find 67-67
}

// How much it costs.
fun Cart.total(): Int = items.sumOf { it.price } // REFERS call items.sumOf REFERS type Cart  DEFINES method Cart.total 70-71
fun <T> List<T>.second(): T = this[1]  // DEFINES method List.second 72-72
val Cart.isEmpty: Boolean get() = items.isEmpty() // REFERS call items.isEmpty  DEFINES field Cart.isEmpty 73-73
typealias Handler = (Cart) -> Unit  // DEFINES type-alias Handler 74-74
const val LIMIT = 3  // DEFINES constant LIMIT 75-75
val names = listOf("a")  // DEFINES variable names 76-76
var counter: Int = 0  // DEFINES variable counter 77-77
private fun hidden() {}  // DEFINES function hidden 78-78
val double = { value: Int -> value * 2 }  // DEFINES function double 79-79
annotation class Route(val path: String)  // DEFINES class Route 80-80  DEFINES field Route.path 80-80
fun interface Step {  // DEFINES interface Step 81-83
    fun run(depth: Int)  // DEFINES method Step.run 82-82
}

fun onPaid(event: Event) {  // DEFINES function onPaid 85-97
    val (first, second) = pair() // REFERS call pair
    when (val state = event.state) {
        is Cart -> state.close() // REFERS type Cart REFERS call state.close
        else -> audit(State.Paid) // REFERS read State.Paid
    }
    try {
        Registry.find() // REFERS call Registry.find
    } catch (failure: Failure) { // REFERS type Failure
        failure.report() // REFERS call failure.report
    }
    each(first, callback = hidden) // REFERS pass hidden
}
