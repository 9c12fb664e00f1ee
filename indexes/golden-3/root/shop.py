"""A shop: what is in a cart and what it costs."""

from dataclasses import dataclass, field

DISCOUNT_LIMIT = 100


@dataclass
class Item:
    """Something that can be bought."""

    name: str
    price: int


@dataclass
class Cart:
    """What a customer is about to buy."""

    items: list[Item] = field(default_factory=list)

    def add(self, item: Item) -> None:
        """Put an item into the cart."""
        self.items.append(item)

    def total(self) -> int:
        """The price of all items, less the discount."""
        return discounted(sum(item.price for item in self.items))


def discounted(price: int) -> int:
    """A tenth off above the limit."""
    return price * 9 // 10 if price > DISCOUNT_LIMIT else price


def checkout(cart: Cart) -> str:
    """What the customer reads at the end."""
    return f"You pay {cart.total()}."
