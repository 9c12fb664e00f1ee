using System;
using static System.Math;
using IO = System.IO;
using Shop.Core;

namespace Shop.Orders;

/// <summary>What was ordered.</summary>
[Serializable, Table("orders")] // REFERS call Table
public abstract partial class Order<T> : Base<T>, IDisposable, Shop.IPriced where T : class // REFERS inherit Base REFERS implement IDisposable REFERS implement Shop.IPriced  DEFINES class Order 8-59
{
    private readonly Store _store; // REFERS type Store  DEFINES field Order._store 12-12
    public const int Limit = 3, Floor = 1;  // DEFINES constant Order.Limit 13-13  DEFINES constant Order.Floor 13-13
    public static readonly string[] Names = { "a", DefaultName }; // REFERS table DefaultName  DEFINES constant Order.Names 14-14
    private Dictionary<string, Action> _handlers = new() { { "paid", OnPaid } }; // REFERS table OnPaid  DEFINES field Order._handlers 15-15

    public int Total { get; private set; } = 3;  // DEFINES field Order.Total 17-17
    public string Label => _store.Get(Limit); // REFERS call _store.Get REFERS pass Limit  DEFINES field Order.Label 18-18
    public int Depth  // DEFINES field Order.Depth 19-23
    {
        get { return Measure(); } // REFERS call Measure
        set { _depth = value; }
    }
    public event EventHandler Changed, Closed;  // DEFINES field Order.Changed 24-24  DEFINES field Order.Closed 24-24
    public event EventHandler Custom { add { } remove { } }  // DEFINES field Order.Custom 25-25
    public int this[int index] { get => _items[index]; } // REFERS read _items  DEFINES method Order.this 26-26

    public Order(Store store) : base(store) { _store = store; }  // DEFINES method Order.Order 28-28
    ~Order() { }  // DEFINES method Order.Order 29-29

    public static Order operator +(Order left, Order right) => left;  // DEFINES method Order.+ 31-31
    public static implicit operator int(Order order) => 1;  // DEFINES method Order.operator 32-32

    // Pays for it.
    [HttpPost("/pay")] // REFERS call HttpPost
    public async Task<Receipt> Pay<U>(U amount, Cart cart, int tries = Limit) // REFERS type Task REFERS type Receipt REFERS type Cart REFERS read Limit  DEFINES method Order.Pay 34-52
    {
        var local = new Cart(1); // REFERS new Cart
        Cart typed = new();
        local.Add(amount).Sub(); // REFERS call local.Add REFERS call local.Add().Sub
        Helper.Run(OnPaid, this.OnVoid); // REFERS call Helper.Run REFERS pass OnPaid REFERS pass this.OnVoid
        base.Pay(); // REFERS call base.Pay
        int Twice(int value) { return value * 2; }  // DEFINES function Order.Pay.Twice 43-43
        foreach (var item in cart.Items) { item.Check(); } // REFERS call item.Check REFERS read cart.Items
        Changed += OnChanged; // REFERS pass OnChanged
        lines.ForEach(line => line.Check()); // REFERS call line.Check
        if (cart is Premium premium && premium.Ready) { } // REFERS type Premium
        typed?.Close(); // REFERS call typed.Close
        var table = new Dictionary<string, Action> { ["a"] = OnPaid }; // REFERS new Dictionary REFERS table OnPaid
        try { Send(); } catch (Failure failure) { failure.Log(); } // REFERS type Failure REFERS call failure.Log
        return await FetchAsync<Receipt>(); // REFERS call FetchAsync REFERS type Receipt
    }

    void IDisposable.Dispose() { }  // DEFINES method Order.Dispose 54-54
    protected abstract int Measure();  // DEFINES method Order.Measure 55-55

    enum State : byte { Open = 1, Paid }  // DEFINES enum Order.State 57-57  DEFINES enum-member Order.State.Open 57-57  DEFINES enum-member Order.State.Paid 57-57
    delegate void Hook(int step);  // DEFINES type-alias Order.Hook 58-58
}

public record Person(string First, int Age) : Human(First); // REFERS inherit Human REFERS pass First  DEFINES class Person 61-61  DEFINES field Person.First 61-61  DEFINES field Person.Age 61-61
public record struct Point { }  // DEFINES struct Point 62-62
public struct Size { public int Width; }  // DEFINES struct Size 63-63  DEFINES field Size.Width 63-63

public interface IPriced  // DEFINES interface IPriced 65-69
{
    int Price(string currency);  // DEFINES method IPriced.Price 67-67
    int Tax { get; }  // DEFINES field IPriced.Tax 68-68
}

public static class OrderExtensions  // DEFINES class OrderExtensions 71-74
{
    public static int Count(this Order order, int step) => order.Total; // REFERS read order.Total  DEFINES method OrderExtensions.Count 73-73
}

public class Primary(Store store) : Base(store)  // DEFINES class Primary 76-79
{
    public void Open() => store.Open(); // REFERS call store.Open  DEFINES method Primary.Open 78-78
}
