package grid

// Rows builds the rows of a plan from its runs, which arrive in the order of their numbers. Runs may be missing; then
// a row counts only the runs that arrived.
type Rows struct {
	plan *Plan
	name string
	next int // combination of the next row
	runs []Seeded
	emit func(combination int, row *Row, refused *RefusedRow)
}

// NewRows returns the rows of a plan. When all runs of a row have arrived, it calls emit, in the order of the
// combinations. Each call has either a row or a refused row.
func NewRows(plan *Plan, name string, emit func(combination int, row *Row, refused *RefusedRow)) *Rows {
	return &Rows{plan: plan, name: name, emit: emit}
}

// Add counts the next run.
func (r *Rows) Add(number int, one Run) {
	combination, seed := r.plan.Of(number)
	r.upTo(combination)
	if r.runs = append(r.runs, Seeded{seed, one}); len(r.runs) == r.plan.Seeds {
		r.upTo(combination + 1)
	}
}

// End emits the remaining rows. A combination without runs has no row.
func (r *Rows) End() { r.upTo(len(r.plan.Combinations)) }

// upTo emits the rows before a combination.
func (r *Rows) upTo(combination int) {
	for ; r.next < combination; r.next++ {
		c := &r.plan.Combinations[r.next]
		switch {
		case c.Refused != "":
			refused := RefusedRowOf(r.name, c)
			r.emit(r.next, nil, &refused)
		case len(r.runs) > 0:
			row := RowOf(c, r.plan.First, r.runs)
			r.emit(r.next, &row, nil)
			r.runs = r.runs[:0]
		}
	}
}
