// Package shop sells things.
package shop

import (
	"fmt"
	m "math"

	. "strings"
	_ "embed"

	"example.com/shop/money/v2"
)

import "os"

// State is what an order can be.
type State int  // DEFINES type-alias State 16-17

const (
	// Paid is the end.
	Paid State = iota // DEFINES constant Paid 20-21  REFERS type State
	Void // never paid  // DEFINES constant Void 22-22
	_
	Low, High = 1, 2  // DEFINES constant Low 24-24  DEFINES constant High 24-24
)

// Limit is how often.
const Limit = 3  // DEFINES constant Limit 27-28

var first, second = New("x"), 2 // DEFINES variable first 30-30  DEFINES variable second 30-30  REFERS call New
var (
	shared *Cart // DEFINES variable shared 32-32  REFERS type Cart
	Default = &Cart{n: 1, Fn: handle, Money: money.Zero} // DEFINES variable Default 33-33  REFERS new Cart  REFERS table handle  REFERS table money.Zero
	handlers = map[string]Handler{"paid": onPaid, "void": onVoid} // DEFINES variable handlers 34-34  REFERS type Handler  REFERS table onPaid
	byState = map[State]func(){Paid: func() { onPaid(nil) }} // DEFINES variable byState 35-35  REFERS call onPaid  REFERS table Paid
	handle = func(n int) error { return check(n) } // DEFINES function handle 36-36  REFERS call check
)
var _ Store = (*Cart)(nil) // REFERS type Store

//go:embed rates.csv
var rates string  // DEFINES variable rates 40-41

type Alias = map[string]money.Money // DEFINES type-alias Alias 43-43  REFERS type money.Money
type Handler func(cart *Cart) error // DEFINES type-alias Handler 44-44  REFERS type Cart
type (
	One int  // DEFINES type-alias One 46-46
	Two struct{ one One } // DEFINES struct Two 47-47  DEFINES field Two.one 47-47  REFERS type One
)

// Cart is what is bought.
type Cart struct {  // DEFINES struct Cart 50-61
	Base // REFERS inherit Base
	*money.Money // REFERS inherit money.Money
	List[int] // REFERS inherit List
	// n counts.
	n, k int `json:"n"`  // DEFINES field Cart.n 55-56  DEFINES field Cart.k 55-56
	Fn   func(a int) error  // DEFINES field Cart.Fn 57-57
	in   struct {  // DEFINES field Cart.in 58-60
		q int  // DEFINES field Cart.in.q 59-59
	}
}

// Store keeps.
type Store interface {  // DEFINES interface Store 63-68
	fmt.Stringer // REFERS inherit fmt.Stringer
	Get(key string) (*Cart, error) // DEFINES method Store.Get 66-66  REFERS type Cart
	~int | ~string
}

type List[T any, U Number] struct { // DEFINES struct List 70-72  REFERS type Number
	items []T  // DEFINES field List.items 71-71
}

// Total adds.
func (c *Cart) Total() int {  // DEFINES method Cart.Total 74-77
	return c.n + c.Base.sum(c.k) // REFERS read c.n  REFERS call c.Base.sum  REFERS pass c.k
}

func (Cart) String() string { return fmt.Sprint(Limit, Paid) } // DEFINES method Cart.String 79-79  REFERS call fmt.Sprint  REFERS pass Limit

func (l *List[T, U]) Each(visit func(T)) (int, error) {  // DEFINES method List.Each 81-87
	for i, item := range l.items { // REFERS read l.items
		visit(item)
		go l.log(i) // REFERS call l.log
	}
	return len(l.items), nil
}

func Total() int { return 0 }  // DEFINES function Total 89-89

// New makes a cart.
func New[T any](name string, more ...T) (*Cart, error) {  // DEFINES function New 91-117
	const local = 1
	var plain Cart // REFERS type Cart
	cart := Cart{n: local} // REFERS new Cart
	other, err := money.Open(name) // REFERS call money.Open
	check := func(n int) int { return n + local }  // DEFINES function New.check 97-97
	defer func() { _ = recover() }()
	switch kind := other.(type) {
	case *Cart:
		kind.Total() // REFERS call kind.Total
	}
	type inner struct{ a int }  // DEFINES struct New.inner 103-103  DEFINES field New.inner.a 103-103
	made := new(Two) // REFERS type Two
	cases := []struct{ name string }{{name: name}}
	register(onPaid, cart.Total, cases, made, plain, inner{}) // REFERS pass onPaid  REFERS pass cart.Total  REFERS call register
label:
	for {
		break label
	}
	select {
	case value := <-channel: // REFERS read channel
		check(value) // REFERS call check
	}
	os.Exit(Map[int, string](check)) // REFERS call os.Exit  REFERS call Map
	return &cart, err
}

func onPaid(c *Cart) error { return nil }  // DEFINES function onPaid 119-119
func init()              {}  // DEFINES function init 120-120
func assembly(a int) int  // DEFINES function assembly 121-121
