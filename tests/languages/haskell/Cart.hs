{-# LANGUAGE OverloadedStrings #-}

-- | What customers put things into.
module Shop.Cart
  ( Cart (..)
  , total
  , (<+>)
  , module Shop.Money
  ) where

import Data.List (sortBy)
import qualified Data.Map as Map
import Shop.Money hiding (format)
import Shop.Tax

-- | How often a charge is tried.
retryLimit :: Int -- DEFINES constant retryLimit 16-18
retryLimit = 3

handlers = [("paid", onPaid), ("void", onVoid)] -- DEFINES constant handlers 20-20  REFERS table onPaid

-- | A cart and who owns it.
data Cart = Cart -- DEFINES struct Cart 22-27  DEFINES enum-member Cart.Cart 23-26
  { owner :: !String -- ^ the name -- DEFINES field Cart.owner 24-24
  , prices :: [Int] -- DEFINES field Cart.prices 25-25
  }
  deriving (Show, Eq) -- REFERS implement Show

-- | What an order can be.
data State -- DEFINES enum State 29-33
  = Paid Int -- DEFINES enum-member State.Paid 31-31
  | Void -- DEFINES enum-member State.Void 32-32
  deriving stock Show

newtype Wrap a = Wrap {unwrap :: a} -- DEFINES struct Wrap 35-35  DEFINES enum-member Wrap.Wrap 35-35  DEFINES field Wrap.unwrap 35-35

type Pair = (Int, Int) -- DEFINES type-alias Pair 37-37

-- | Things with a size.
class Show a => Size a where -- DEFINES trait Size 39-43  REFERS inherit Show
  -- | How many lines.
  size :: a -> Int -- DEFINES method Size.size 41-43
  size _ = 0

instance Size Cart where -- DEFINES extension Cart 45-46  REFERS implement Size
  size (Cart _ all) = length all -- DEFINES method Cart.size 46-46

instance Size (Wrap a) where -- DEFINES extension Wrap 48-49
  size _ = retryLimit -- DEFINES method Wrap.size 49-49  REFERS read retryLimit

-- | The sum of all lines.
{-# INLINE total #-}
total :: Cart -> Maybe State -> Int -- DEFINES function total 51-65  REFERS type State
total (Cart _ []) _ = 0
total cart@Cart{prices = found} (Just state)
  | large > 1 = helper' cart -- REFERS call helper'
  | otherwise = sum $ map price found -- REFERS call map  REFERS pass price
  where
    large = Map.size (index found) -- REFERS call Map.size  REFERS call index
    -- Counts twice.
    helper' :: Cart -> Int
    helper' inner = size inner + retryLimit -- DEFINES function total.helper' 60-62  REFERS call size  REFERS pass retryLimit
total cart Nothing = case prices cart of
  first : _ -> first `plus` Shop.Tax.rate cart -- REFERS call plus  REFERS call Shop.Tax.rate
  none -> fold add none -- REFERS pass add

infixl 6 <+>

(<+>) :: Int -> Int -> Int -- DEFINES function <+> 69-70
left <+> right = left <-> right -- REFERS call <->

count, double :: Int -> Int -- DEFINES function count 72-72  DEFINES function double 72-72
count = (+ 1) -- DEFINES function count 73-73
double n = n * 2 -- DEFINES function double 74-74

main :: IO () -- DEFINES function main 76-80
main = do
  result <- run total -- REFERS call run  REFERS pass total
  let shown = show result
  putStrLn shown

data Gadt a where -- DEFINES enum Gadt 82-83
  GInt :: Int -> Gadt Int -- DEFINES enum-member Gadt.GInt 83-83
