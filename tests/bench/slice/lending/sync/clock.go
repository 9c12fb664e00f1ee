package sync

// Clock counts the events of every branch, so that one can tell which of two versions came first.
type Clock map[string]uint64

// Tick counts one more event of a branch.
func (c Clock) Tick(branch string) {
	c[branch]++
}

// Merge takes the higher count of both for each branch.
func (c Clock) Merge(other Clock) {
	for branch, count := range other {
		if count > c[branch] {
			c[branch] = count
		}
	}
}

// HappenedBefore reports whether everything that c has seen was also seen by other, and other saw more.
func (c Clock) HappenedBefore(other Clock) bool {
	less := false
	for branch, count := range c {
		if count > other[branch] {
			return false
		}
		less = less || count < other[branch]
	}
	return less || len(other) > len(c)
}
