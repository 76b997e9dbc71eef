// Package heat studies how any measure depends on two fields of a scenario, for a map in which the color shows the
// measure.
//
// A Map has a cell for each pair of values, and every cell uses the same seeds. The caller makes the cells in any
// order, on any number of workers. It may begin with few seeds and later make a cell again with more, so that a rough
// map appears early:
//
//	m, err := heat.New(heat.Spec{Scenario: s, X: x, Y: y, First: 1, Seeds: 200})
//	for cell := range m.Cells() {
//		row := m.Row(cell, 20) // 20 of the 200 seeds
//		values := m.Values(&row) // one for each of m.Measures()
//	}
//
// Detail makes the runs of one cell again and lists them, worst first. Worst returns the most interesting instant of
// a run. Presets finds the cells of common settings, such as 15 s, 10 s and 2 s.
//
// Guarantee: the result of a cell depends only on the Spec, the cell and the number of seeds. A cell's row is the
// same as the row of `leaselab sweep`. Non-guarantee: a map keeps no runs; it makes the runs of a cell again when
// you ask about one.
//
// If an error of New concerns one field, it is a scenario.FieldError. Its path is x, y, seeds or duration, which are
// the names of the page's fields.
package heat
