// Package stock counts what is left.
package stock

// Shelf holds a number of each product.
type Shelf struct {
	left map[string]int
}

// Take removes one product and reports whether there was one.
func (s *Shelf) Take(name string) bool {
	if s.left[name] == 0 {
		return false
	}
	s.left[name]--
	warn(name, s.left[name])
	return true
}

func warn(name string, left int) {
	if left < 3 {
		println(name, "is nearly sold out")
	}
}
