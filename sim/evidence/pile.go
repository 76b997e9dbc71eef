package evidence

// pile is like a slice, but it grows by adding parts. Growing copies nothing, so a pile needs little more memory than
// its elements. Growing a slice of a million writes would copy it, and both copies would be in memory for a moment.
type pile[T any] struct {
	parts [][]T
}

// The first part has room for partLeast elements. Each further part has twice the room of the previous one, up to
// partMost.
const (
	partLeast = 8
	partMost  = 4096
)

func (p *pile[T]) add(one T) {
	last := len(p.parts) - 1
	if last < 0 || len(p.parts[last]) == cap(p.parts[last]) {
		size := partLeast
		if last >= 0 {
			size = min(2*cap(p.parts[last]), partMost)
		}
		p.parts = append(p.parts, make([]T, 0, size))
		last++
	}
	p.parts[last] = append(p.parts[last], one)
}

func (p *pile[T]) len() (n int) {
	for _, part := range p.parts {
		n += len(part)
	}
	return n
}

// last returns the element that add added last.
func (p *pile[T]) last() *T {
	part := p.parts[len(p.parts)-1]
	return &part[len(part)-1]
}

// `all` merges the elements into one part and returns it. Elements added later do not change that slice.
func (p *pile[T]) all() []T {
	if len(p.parts) == 0 {
		return nil
	}
	if len(p.parts) > 1 {
		whole := make([]T, 0, p.len())
		for i, part := range p.parts {
			whole = append(whole, part...)
			p.parts[i] = nil
		}
		p.parts = [][]T{whole}
	}
	p.parts[0] = p.parts[0][:len(p.parts[0]):len(p.parts[0])]
	return p.parts[0]
}
