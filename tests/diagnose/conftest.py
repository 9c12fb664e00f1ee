"""Small repositories to diagnose, and the command line in them."""

from __future__ import annotations

import pytest

from tests.cli.conftest import Place, place, run

__all__ = ["place", "run", "shop"]

SHOP = {
    "shop/__init__.py": "from shop.cart import Cart\n",
    "shop/cart.py": '''"""What a customer has chosen."""

from shop.store import Store, find_price


class Base:
    """What has an owner."""

    def owner_of(self):
        return self.owner


class Cart(Base):
    """A cart."""

    def __init__(self, store: Store, owner):
        self.store = store
        self.owner = owner
        self.lines = []

    def total(self, currency, rounded=True):
        """The sum of all prices."""
        return sum(find_price(self.store, line) for line in self.lines)

    def discounted(self, percent):
        return self.total("EUR") * percent
''',
    "shop/store.py": '''"""Where prices are kept."""


class Store:
    """A store of prices."""

    def put(self, name, price):
        self.prices[name] = price

    def lookup_price(self, name):
        return self.prices[name]


def find_price(store: Store, name):
    return store.lookup_price(name)


def unused_helper(a, b):
    return a, b
''',
    "shop/order.py": """from shop.cart import Cart
from shop.store import Store, find_price


def place_order(store: Store, names):
    cart = Cart(store, "me")
    for name in names:
        find_price(store, name)
    return cart.total("EUR")
""",
    "docs/guide.md": "# Guide\n\nA cart has a total.\n",
}


@pytest.fixture
def shop(place: Place) -> Place:
    place.git("init", "-q")
    place.write(SHOP)
    place.git("add", "-A")
    place.git("commit", "-q", "-m", "first")
    place.index()
    return place
