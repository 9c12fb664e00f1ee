defmodule Shop.CartTest do # DEFINES module Shop.CartTest 1-14
  use ExUnit.Case, async: true

  setup do
    {:ok, cart: %Shop.Cart{}} # REFERS new Shop.Cart
  end

  describe "total" do # DEFINES section Shop.CartTest.total 8-13
    @tag :slow
    test "is the sum: a.b", %{cart: cart} do # DEFINES function Shop.CartTest.total.is_the_sum:_a.b 9-12
      assert Shop.Cart.total(cart) == 0 # REFERS call Shop.Cart.total
    end
  end
end
