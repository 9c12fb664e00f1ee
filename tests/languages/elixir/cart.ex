defmodule Shop.Cart do # DEFINES module Shop.Cart 1-77
  @moduledoc """
  What customers put things into.
  """

  use Ecto.Schema # REFERS inherit Ecto.Schema
  import Ecto.Query, only: [from: 2]
  alias Shop.{Money, Line}
  alias Shop.Tax, as: Rates
  require Logger

  @behaviour Shop.Store # REFERS inherit Shop.Store
  @retry_limit 3 # DEFINES constant Shop.Cart.retry_limit 13-13
  @handlers %{paid: &__MODULE__.on_paid/1, void: Shop.Voided} # DEFINES constant Shop.Cart.handlers 14-14  REFERS table Shop.Voided

  @typedoc "A cart."
  @type t :: %__MODULE__{total: integer} # DEFINES type-alias Shop.Cart.t 16-17
  @typep key :: atom # DEFINES type-alias Shop.Cart.key 18-18
  @callback put(t, key) :: :ok # DEFINES function Shop.Cart.put 19-19

  defstruct [:owner, lines: [], note: nil] # DEFINES field Shop.Cart.owner 21-21  DEFINES field Shop.Cart.lines 21-21  DEFINES field Shop.Cart.note 21-21

  schema "carts" do
    field :title, :string # DEFINES field Shop.Cart.title 24-24
    has_many :items, Line # DEFINES field Shop.Cart.items 25-25  REFERS pass Line
  end

  defguard is_paid(cart) when cart.total > 0 # DEFINES macro Shop.Cart.is_paid 28-28
  defdelegate format(amount), to: Money # DEFINES function Shop.Cart.format 29-29  REFERS table Money

  @doc """
  The sum of all lines.
  """
  @spec total(t, keyword) :: integer
  def total(cart, options \\ []) # DEFINES function Shop.Cart.total 31-48

  # An empty cart.
  def total(%__MODULE__{lines: []}, _options), do: 0

  def total(%__MODULE__{lines: lines} = cart, options) when is_list(lines) do
    sum = Enum.map(lines, &price/1) |> Enum.sum() # REFERS call Enum.map  REFERS pass price  REFERS call Enum.sum
    Logger.info("total #{sum}") # REFERS call Logger.info
    helper(cart, @retry_limit) # REFERS call helper  REFERS read retry_limit
    rated = Rates.rate(sum, options) # REFERS call Rates.rate
    line = %Line{amount: rated} # REFERS new Line
    rated |> round_up |> Money.new(cart.currency) # REFERS call round_up  REFERS call Money.new  REFERS read cart.currency
    raise ArgumentError, message: line # REFERS pass ArgumentError
  end

  defp helper(%Shop.Line{} = line, limit) do # DEFINES function Shop.Cart.helper 50-52  REFERS new Shop.Line
    line.amount + limit
  end

  defp line_a <> line_b, do: [line_a, line_b] # DEFINES function Shop.Cart.<> 54-54

  defmacro debug(value) do # DEFINES macro Shop.Cart.debug 56-60
    quote do
      IO.inspect(unquote(value)) # REFERS call IO.inspect
    end
  end

  @impl true
  def put(_cart, :owner), do: :ok # DEFINES function Shop.Cart.put 62-68

  @impl true
  def put(_cart, key) do
    {:error, key}
  end

  def empty?, do: false # DEFINES function Shop.Cart.empty? 70-70

  defmodule Error do # DEFINES module Shop.Cart.Error 72-76
    defexception message: "no cart" # DEFINES field Shop.Cart.Error.message 73-73

    def deep, do: :ok # DEFINES function Shop.Cart.Error.deep 75-75
  end
end

defprotocol Shop.Size do # DEFINES interface Shop.Size 79-82
  @doc "How many lines."
  def size(value) # DEFINES method Shop.Size.size 80-81
end

defimpl Shop.Size, for: Shop.Cart do # DEFINES extension Shop.Cart 84-86  REFERS implement Shop.Size
  def size(cart), do: length(cart.lines) # DEFINES method Shop.Cart.size 85-85  REFERS read cart.lines
end
