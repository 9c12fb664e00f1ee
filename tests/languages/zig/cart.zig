//! What customers put things into.
const std = @import("std");
const money = @import("money.zig");
pub const format = @import("format.zig").format;
pub usingnamespace @import("tax.zig");

const Allocator = std.mem.Allocator; // DEFINES type-alias Allocator 7-7  REFERS read std.mem
pub const retry_limit: u32 = 3; // DEFINES constant retry_limit 8-8
var counter: usize = 0; // DEFINES variable counter 9-9

/// A cart and who owns it.
pub const Cart = struct { // DEFINES struct Cart 11-50
    /// The name.
    owner: []const u8, // DEFINES field Cart.owner 13-14
    lines: std.ArrayList(Line) = .{}, // DEFINES field Cart.lines 15-15  REFERS pass Line
    store: *Store, // DEFINES field Cart.store 16-16  REFERS type Store

    const Self = @This();
    pub const limit = 20; // DEFINES constant Cart.limit 19-19
    var made: u32 = 0; // DEFINES field Cart.made 20-20

    /// Make one.
    pub fn init(allocator: Allocator, store: *Store) !Cart { // DEFINES method Cart.init 22-29  REFERS type Allocator  REFERS type Cart
        var self = Cart{ .owner = default_owner, .store = store }; // REFERS new Cart  REFERS table default_owner
        try self.refresh(retry_limit); // REFERS call self.refresh  REFERS pass retry_limit
        const pool = try Pool.init(allocator); // REFERS call Pool.init
        pool.start(); // REFERS call pool.start
        return self;
    }

    fn total(self: *const Self) u32 { // DEFINES method Cart.total 31-45
        var sum: u32 = 0;
        for (self.lines.items) |line, index| { // REFERS read self.lines.items
            sum += money.price(line) + index; // REFERS call money.price
        }
        switch (sum) {
            0 => counter += 1, // REFERS read counter
            else => |other| self.store.put(other), // REFERS call self.store.put
        }
        const Local = struct { // DEFINES struct Cart.total.Local 40-42
            field: u8, // DEFINES field Cart.total.Local.field 41-41
        };
        _ = Local;
        return sum;
    }

    pub const Line = struct { // DEFINES struct Cart.Line 47-49
        amount: u32, // DEFINES field Cart.Line.amount 48-48
    };
};

const State = enum(u8) { // DEFINES enum State 52-59
    paid, // DEFINES enum-member State.paid 53-53
    void_ = 2, // DEFINES enum-member State.void_ 54-54

    pub fn name(self: State) []const u8 { // DEFINES method State.name 56-58
        return @tagName(self);
    }
};

const Value = union(enum) { // DEFINES struct Value 61-64
    int: i64, // DEFINES field Value.int 62-62
    none, // DEFINES field Value.none 63-63
};

pub const Failure = error{ NotFound, Locked }; // DEFINES enum Failure 66-66  DEFINES enum-member Failure.NotFound 66-66  DEFINES enum-member Failure.Locked 66-66

/// A list of anything.
pub fn List(comptime T: type) type { // DEFINES struct List 68-77
    return struct {
        items: []T, // DEFINES field List.items 71-71

        pub fn append(self: *@This(), item: T) void { // DEFINES method List.append 73-75
            grow(self.items, item); // REFERS call grow  REFERS pass self.items
        }
    };
}

extern fn c_sin(x: f64) f64; // DEFINES function c_sin 79-79

export fn add(a: i32, b: i32) i32 { // DEFINES function add 81-83
    return a + b;
}

const handlers = .{ // DEFINES constant handlers 85-88
    .paid = onPaid, // REFERS table onPaid
    .void = events.onVoid, // REFERS table events.onVoid
};

fn onPaid(event: Event) void { // DEFINES function onPaid 90-92
    event.apply(add); // REFERS call event.apply  REFERS pass add
}

test "total is a.b" { // DEFINES function total_is_a.b 94-97
    const cart = try Cart.init(std.testing.allocator, undefined);
    try std.testing.expect(cart.total() == 0); // REFERS call cart.total  REFERS call std.testing.expect
}

comptime {
    _ = State; // REFERS read State
}
