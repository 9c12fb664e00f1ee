# frozen_string_literal: true

require "set"
require_relative "money"
require_relative "../shop/tax"
autoload :Ledger, "shop/ledger"

RETRY_LIMIT = 3 # DEFINES constant RETRY_LIMIT 8-8
LOW, HIGH = 1, 9 # DEFINES constant LOW 9-9  DEFINES constant HIGH 9-9
counter = 0 # DEFINES variable counter 10-10

# What customers put things into.
module Shop # DEFINES module Shop 12-116
  VERSION = "1.2" # DEFINES constant Shop.VERSION 14-14

  # A price and its currency.
  Price = Struct.new(:amount, :currency) do # DEFINES struct Shop.Price 16-19  DEFINES field Shop.Price.amount 17-17  DEFINES field Shop.Price.currency 17-17
    def to_s = "#{amount} #{currency}" # DEFINES method Shop.Price.to_s 18-18  REFERS call amount
  end

  NotFound = Class.new(StandardError) # DEFINES class Shop.NotFound 21-21  REFERS pass StandardError

  def self.configure(&block) # DEFINES method Shop.configure 23-25
    block.call(settings) # REFERS call settings
  end

  def helper(value) # DEFINES method Shop.helper 27-29
    Formatter.new(value).render # REFERS new Formatter  REFERS call Formatter.new().render
  end

  private def secret # DEFINES method Shop.secret 31-33
    @secret ||= SecureRandom.hex # REFERS read self.secret  REFERS call SecureRandom.hex
  end

  # Holds lines until they are paid.
  # Not safe for threads.
  class Cart < Base::Record # DEFINES class Shop.Cart 35-115  REFERS inherit Base.Record
    include Enumerable # REFERS inherit Enumerable
    extend Forwardable # REFERS inherit Forwardable
    prepend Audit::Trail # REFERS inherit Audit.Trail

    LIMIT = 20 # DEFINES constant Shop.Cart.LIMIT 42-42
    HANDLERS = { # DEFINES constant Shop.Cart.HANDLERS 43-47
      "paid" => :on_paid, # REFERS table on_paid
      void: Voided, # REFERS table Voided
      late: method(:on_late) # REFERS pass on_late
    }.freeze

    attr_accessor :note, :owner # DEFINES field Shop.Cart.note 49-49  DEFINES field Shop.Cart.owner 49-49
    attr_reader "label" # DEFINES field Shop.Cart.label 50-50
    @@count = 0 # DEFINES field Shop.Cart.@@count 51-51

    def_delegators :@lines, :size, :empty? # DEFINES method Shop.Cart.size 53-53  DEFINES method Shop.Cart.empty? 53-53
    alias_method :length, :size # DEFINES method Shop.Cart.length 54-54  REFERS pass size
    alias count size # DEFINES method Shop.Cart.count 55-55
    scope :recent, -> { where(fresh: true) } # DEFINES method Shop.Cart.recent 56-56  REFERS call where
    before_save :normalize, if: :dirty? # REFERS pass normalize  REFERS table dirty?

    def initialize(store = Store.new, *rest, currency:, **options, &block) # DEFINES method Shop.Cart.initialize 59-64  REFERS new Store
      super()
      @store = Store.new(currency) # REFERS new Store
      @lines = rest.map(&:dup) # REFERS pass dup
      @options = options
    end

    # The sum of all lines.
    def total # DEFINES method Shop.Cart.total 66-74
      subtotal = @lines.sum { |line| line.price * RETRY_LIMIT } # REFERS read RETRY_LIMIT  REFERS call self.lines.sum
      @store.put(subtotal) # REFERS call self.store.put
      Shop::Tax.rate(subtotal) + surcharge # REFERS call Shop.Tax.rate  REFERS call surcharge
    rescue Shop::NotFound, KeyError => error # REFERS type Shop.NotFound  REFERS type KeyError
      raise unless retry?(error) # REFERS call retry?
      owner&.notify(error) # REFERS call owner.notify
    end

    def <=>(other) # DEFINES method Shop.Cart.<=> 76-78
      total <=> other.total # REFERS call total  REFERS call other.total
    end

    def [](index) = @lines[index] # DEFINES method Shop.Cart.[] 80-80

    def note=(text) # DEFINES method Shop.Cart.note= 82-84
      @note = text
    end

    def self.build(**values) # DEFINES method Shop.Cart.build 86-88
      new(**values) # REFERS call new
    end

    class << self
      attr_writer :registry # DEFINES field Shop.Cart.registry 91-91

      def find(id) # DEFINES method Shop.Cart.find 93-95
        registry.fetch(id) { raise NotFound } # REFERS pass NotFound
      end
    end

    define_method(:archive) { |at| update(archived_at: at) } # DEFINES method Shop.Cart.archive 98-98  REFERS call update

    protected

    def surcharge # DEFINES method Shop.Cart.surcharge 102-104
      0
    end

    private

    def normalize; end # DEFINES method Shop.Cart.normalize 108-108

    public

    def inspect # DEFINES method Shop.Cart.inspect 112-114
      "cart"
    end
  end
end

# Reopened elsewhere, and here.
class Shop::Cart # DEFINES class Shop::Cart 118-123
  def tax # DEFINES method Shop::Cart.tax 120-122
    total * Shop::Tax::RATE # REFERS read Shop.Tax.RATE
  end
end

class Shop::Cart::Line # DEFINES class Shop::Cart::Line 125-127
  def price; end # DEFINES method Shop::Cart::Line.price 126-126
end

Plugin = Module.new do # DEFINES module Plugin 129-131
  def load; end # DEFINES method Plugin.load 130-130
end

handler = ->(event) { event.apply } # DEFINES function handler 133-133
