import Foundation
@testable import Shop

/// A cart and what is in it.
@available(iOS 13, *)
public struct Cart<T: Item>: Codable, Shop.Priced where T: Equatable { // REFERS implement Codable REFERS implement Shop.Priced REFERS type Item  DEFINES struct Cart 4-54
    public let items: [Item]  // DEFINES field Cart.items 7-7
    private var total = 0, depth: Int = 1  // DEFINES field Cart.total 8-8  DEFINES field Cart.depth 8-8
    static let shared = Cart()  // DEFINES constant Cart.shared 9-9
    var size: Int { items.count } // REFERS read items.count  DEFINES field Cart.size 10-10
    var note: String {  // DEFINES field Cart.note 11-14
        get { return load() } // REFERS call load
        set { save(newValue) } // REFERS call save
    }
    @Published var state: State = .paid // REFERS type State  DEFINES field Cart.state 15-15
    weak var delegate: CartDelegate?  // DEFINES field Cart.delegate 16-16

    init(items: [Item]) {  // DEFINES method Cart.init 18-21
        self.items = items
        self.store = Store(1) // REFERS call Store
    }
    convenience init?(first: Int) { return nil }  // DEFINES method Cart.init 22-22
    deinit { clear() } // REFERS call clear  DEFINES method Cart.deinit 23-23
    subscript(index: Int) -> Item { items[index] }  // DEFINES method Cart.subscript 24-24

    // Pays for it.
    mutating func pay(_ amount: Money, to cart: Cart, by step: Int = 3) async throws -> Money? { // REFERS type Money REFERS type Cart  DEFINES method Cart.pay 26-48
        let local = 3
        var other = Cart(items: []) // REFERS call Cart
        other.add(amount).sub() // REFERS call other.add REFERS call other.add().sub
        Helper.run(onPaid) // REFERS call Helper.run REFERS pass onPaid
        guard let found = maybe else { return nil } // REFERS read maybe
        func nested(value: Int) -> Int { value }  // DEFINES function Cart.pay.nested 33-33
        for item in items {
            item.open() // REFERS call item.open
        }
        list.sorted { left, right in left < right } // REFERS call list.sorted
        switch state {
        case .paid: break // REFERS read ?.paid
        case .void(let reason): reason.show() // REFERS call reason.show
        default: Cart.make() // REFERS call Cart.make
        }
        if let same = cart as? Cart { same.close() } // REFERS call same.close
        let hook: Handler = onVoid // REFERS type Handler REFERS read onVoid
        let table = ["paid": onPaid, "void": onVoid] // REFERS table onPaid REFERS table onVoid
        observe(self, selector: #selector(tapped), name: LIMIT) // REFERS pass tapped REFERS pass LIMIT
        return local
    }

    static func + (left: Cart, right: Cart) -> Cart { left }  // DEFINES method Cart.+ 50-50
    class func make() -> Cart { Cart(items: []) }  // DEFINES method Cart.make 51-51
    enum Inner { case first }  // DEFINES enum Cart.Inner 52-52  DEFINES enum-member Cart.Inner.first 52-52
    typealias Key = String  // DEFINES type-alias Cart.Key 53-53
}

public enum State: String, CaseIterable {  // DEFINES enum State 56-63
    case paid = "p", void(String)  // DEFINES enum-member State.paid 57-57  DEFINES enum-member State.void 57-57
    case other  // DEFINES enum-member State.other 58-58
    indirect case tree(State)  // DEFINES enum-member State.tree 59-59
    static let start = State.paid  // DEFINES constant State.start 60-60
    var title: String { rawValue }  // DEFINES field State.title 61-61
    func mix() {}  // DEFINES method State.mix 62-62
}

protocol CartDelegate: AnyObject { // REFERS inherit AnyObject  DEFINES interface CartDelegate 65-70
    associatedtype Element  // DEFINES type-alias CartDelegate.Element 66-66
    var count: Int { get }  // DEFINES field CartDelegate.count 67-67
    func changed(_ cart: Cart) -> Bool  // DEFINES method CartDelegate.changed 68-68
    init(first: Int)  // DEFINES method CartDelegate.init 69-69
}

extension Cart {  // DEFINES extension Cart 72-74
    func total() -> Int { 0 }  // DEFINES method Cart.total 73-73
}

extension Cart: CustomStringConvertible where T == Int { // REFERS implement CustomStringConvertible  DEFINES extension Cart 76-79
    public var description: String { "" }  // DEFINES field Cart.description 77-77
    struct Nested {}  // DEFINES struct Cart.Nested 78-78
}

extension Array where Element == Cart {  // DEFINES extension Array 81-83
    func sum() -> Int { reduce(0, +) } // REFERS call reduce  DEFINES method Array.sum 82-82
}

final class Derived: Base<Int>, CartDelegate { // REFERS inherit Base REFERS inherit CartDelegate  DEFINES class Derived 85-87
    override func open() { super.open() } // REFERS call super.open  DEFINES method Derived.open 86-86
}

actor Bank {  // DEFINES class Bank 89-91
    func audit() {}  // DEFINES method Bank.audit 90-90
}

typealias Handler = (Cart) -> Void  // DEFINES type-alias Handler 93-93
let LIMIT = 3  // DEFINES constant LIMIT 94-94
let greeting: String = "hello"  // DEFINES constant greeting 95-95
var counter: Int = 0  // DEFINES variable counter 96-96
private let secret = "x"  // DEFINES constant secret 97-97
fileprivate func hidden() {}  // DEFINES function hidden 98-98
let double = { (value: Int) -> Int in value * 2 }  // DEFINES function double 99-99
func free<T>(_ value: T) -> some View where T: Printable { Text("a").padding(.all) } // REFERS call Text REFERS call Text().padding  DEFINES function free 100-100

#if os(iOS)
func onlyOnPhones() {}  // DEFINES function onlyOnPhones 103-103
#endif
