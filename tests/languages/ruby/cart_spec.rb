RSpec.describe Shop::Cart, type: :model do # DEFINES section Shop::Cart 1-19
  subject(:cart) { described_class.new } # DEFINES field Shop::Cart.cart 2-2
  let(:line) { Shop::Line.new(1) } # DEFINES field Shop::Cart.line 3-3  REFERS new Shop.Line

  before { cart.add(line) } # REFERS call cart.add

  context "when it is empty" do # DEFINES section Shop::Cart.when_it_is_empty 7-12
    it "has no total" do # DEFINES function Shop::Cart.when_it_is_empty.has_no_total 8-11
      total = cart.total # REFERS call cart.total
      expect(total).to eq(0)
    end
  end

  describe "#refund" do # DEFINES section Shop::Cart.#refund 14-18
    it "gives a.b back" do # DEFINES function Shop::Cart.#refund.gives_a.b_back 15-17
      cart.refund
    end
  end
end
