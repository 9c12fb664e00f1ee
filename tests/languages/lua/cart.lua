--- Carts and what they cost.
local money = require("shop.money")
local round = require "shop.money".round
local log = require("shop.log").new("cart") -- DEFINES variable log 4-4  REFERS call require().new
require("shop.patches")

local RETRY_LIMIT <const> = 3 -- DEFINES constant RETRY_LIMIT 7-7
local low, high = 1, 9 -- DEFINES variable low 8-8  DEFINES variable high 8-8
local unused -- DEFINES variable unused 9-9
settings = { currency = "EUR" } -- DEFINES variable settings 10-10

local M = {} -- DEFINES constant M 12-12
M.VERSION = "1.2" -- DEFINES constant M.VERSION 13-13

local Cart = setmetatable({}, { __index = Base }) -- DEFINES variable Cart 15-15  REFERS inherit Base
Cart.__index = Cart

--- The price of one line.
-- @param line the line
-- @return a number
local function price(line) -- DEFINES function price 18-24
  local amount = line.amount * RETRY_LIMIT -- REFERS read RETRY_LIMIT
  return round(amount) -- REFERS call round
end

--[[ Make a cart. ]]
function Cart.new(owner) -- DEFINES method Cart.new 26-32
  local self = setmetatable({}, Cart)
  self.owner = owner
  self.store = Store.new(owner) -- REFERS call Store.new
  return self
end

function Cart:total() -- DEFINES method Cart.total 34-40
  local function add(sum, line) -- DEFINES function Cart.total.add 35-37
    return sum + price(line) -- REFERS call price
  end
  self.store:put("total") -- REFERS call self.store.put
  return money.sum(self.lines, add, price) -- REFERS pass price  REFERS call money.sum
end

M.refund = function(cart, amount) -- DEFINES method M.refund 42-47
  cart:total() -- REFERS call cart.total
  local trail = Trail:new() -- REFERS call Trail.new
  trail:write(amount)
  return cart.store.balance(amount)
end

function M.on.paid(event) -- DEFINES method M.on.paid 49-51
  M.refund(event.cart) -- REFERS call M.refund
end

function global_hook() -- DEFINES function global_hook 53-55
  return settings.currency
end

local handlers = { -- DEFINES variable handlers 57-64
  paid = M.on.paid, -- REFERS table M.on.paid
  void = global_hook, -- REFERS table global_hook
  late = function(event) -- DEFINES function handlers.late 60-62
    return price(event)
  end,
  price,
}

local render = function(cart) -- DEFINES function render 66-68
  return tostring(cart)
end

if DEBUG then
  local inside = 1
  print(inside)
end

for name, handler in pairs(handlers) do
  register(name, handler, render) -- REFERS pass render
end

M.Cart = Cart -- DEFINES variable M.Cart 79-79

return M
