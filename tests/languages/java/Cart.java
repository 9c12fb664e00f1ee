package com.example.shop;

import com.example.money.Money;
import com.example.tax.*;
import static com.example.money.Money.ZERO;
import static java.util.Map.*;

import java.util.List;

/**
 * What is bought.
 */
@Service("cart") // REFERS type Service
@Audited
public final class Cart<T extends Money> extends Base<T> implements Store, tax.Listed<T> { // DEFINES class Cart 10-129  REFERS inherit Base  REFERS implement Store  REFERS implement tax.Listed  REFERS type Money
    private static final int LIMIT = 3, LOW = 1;  // DEFINES constant Cart.LIMIT 16-16  DEFINES constant Cart.LOW 16-16
    public static final Cart EMPTY = new Cart(); // DEFINES constant Cart.EMPTY 17-17  REFERS new Cart
    @Inject // REFERS type Inject
    protected Store store = new MemoryStore(); // DEFINES field Cart.store 18-19  REFERS type Store  REFERS new MemoryStore
    final int[] counts = {LIMIT, Other.MAX}; // DEFINES field Cart.counts 20-20  REFERS table LIMIT  REFERS table Other.MAX
    private String name, note;  // DEFINES field Cart.name 21-21  DEFINES field Cart.note 21-21

    static {
        register(EMPTY); // REFERS call register  REFERS pass EMPTY
    }

    // From a store.
    public Cart(Store store, final int count) {  // DEFINES method Cart.Cart 27-31
        super(count);
        this.store = store; // REFERS read this.store
    }

    private Cart() {  // DEFINES method Cart.Cart 33-35
        this(null, LIMIT); // REFERS pass LIMIT
    }

    /** Adds up. */
    @Override
    @GetMapping("/total") // REFERS type GetMapping
    public <U extends Number> List<U> total(T item, String... rest) throws ShopException { // DEFINES method Cart.total 37-74  REFERS type List  REFERS type Number  REFERS type ShopException
        int local = 1;
        Cart<T> other = new Cart<>(store, local); // REFERS type Cart  REFERS new Cart  REFERS pass store
        for (Money money : item.parts()) { // REFERS call item.parts  REFERS type Money
            money.add(local); // REFERS call money.add
        }
        try (Reader reader = open(rest)) { // REFERS call open
            reader.read(LIMIT); // REFERS call reader.read
        } catch (ShopException | Failure error) { // REFERS type Failure
            error.print();
        }
        items.forEach(each -> each.run()); // REFERS call items.forEach  REFERS call each.run
        items.stream().map(Cart::of).filter(this::isFull).reduce((a, b) -> a); // REFERS pass Cart.of  REFERS pass this.isFull
        outer:
        while (true) {
            break outer;
        }
        switch (state) {
            case PAID -> pay(); // REFERS read PAID  REFERS call pay
            case Point(int x, var y) when x > 1 -> pay();
            default -> {}
        }
        if (item instanceof Euro euro && euro.value() > ZERO) { // REFERS type Euro  REFERS call euro.value  REFERS read ZERO
            return (List<U>) other.store.all(); // REFERS call other.store.all
        }
        Runnable task = new Runnable() { // REFERS new Runnable
            private int runs;

            @Override
            public void run() {  // DEFINES method Cart.total.run 68-71
                runs++;
            }
        };
        return State.PAID.apply(task); // REFERS call State.PAID.apply
    }

    abstract int size();  // DEFINES method Cart.size 76-76

    int isFull() { return size(); } // DEFINES method Cart.isFull 78-78  REFERS call size
    int isFull(int most) { return size() / most; }  // DEFINES method Cart.isFull 79-79

    /** What it can be. */
    public enum State implements Coded { // DEFINES enum Cart.State 81-97  REFERS implement Coded
        @Deprecated
        PAID(1) { // done  // DEFINES enum-member Cart.State.PAID 83-87
            @Override
            int code() { return 1; }  // DEFINES method Cart.State.PAID.code 85-86
        },
        /** Never paid. */
        VOID(2);  // DEFINES enum-member Cart.State.VOID 88-89

        private static final int FIRST = 1;  // DEFINES constant Cart.State.FIRST 91-91
        private final int code;  // DEFINES field Cart.State.code 92-92

        State(int code) { this.code = code; }  // DEFINES method Cart.State.State 94-94

        int code() { return code; }  // DEFINES method Cart.State.code 96-96
    }

    interface Visitor extends First, Second<Cart> { // DEFINES interface Cart.Visitor 99-108  REFERS inherit First  REFERS inherit Second
        int MOST = 9;  // DEFINES constant Cart.Visitor.MOST 100-100

        void visit(Cart cart);  // DEFINES method Cart.Visitor.visit 102-102

        @GetMapping("/x")
        default int x() { return 1; }  // DEFINES method Cart.Visitor.x 104-105

        static void all() {}  // DEFINES method Cart.Visitor.all 107-107
    }

    public record Point(int x, @NotNull Money y) implements Store { // DEFINES class Cart.Point 110-118  DEFINES field Cart.Point.x 110-110  DEFINES field Cart.Point.y 110-110  REFERS type NotNull
        static int made;  // DEFINES field Cart.Point.made 111-111

        Point {  // DEFINES method Cart.Point.Point 113-115
            check(x); // REFERS call check
        }

        double length() { return x; }  // DEFINES method Cart.Point.length 117-117
    }

    @interface Marker {  // DEFINES interface Cart.Marker 120-124
        String value() default "x";  // DEFINES method Cart.Marker.value 121-121

        Class<?> type();  // DEFINES method Cart.Marker.type 123-123
    }

    static class Inner {  // DEFINES class Cart.Inner 126-128
        class Deep {}  // DEFINES class Cart.Inner.Deep 127-127
    }
}

class Second {}  // DEFINES class Second 131-131
