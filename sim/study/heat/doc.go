// Package heat studies two fields of a scenario against any measure, for a picture in which color is the measure.
//
// A Map has a cell for each pair of values, and every cell uses the same seeds. The caller makes the cells in any
// order, on any number of workers. It may begin with few seeds and make a cell again with more, so that a rough
// picture appears early:
//
//	m, err := heat.New(heat.Spec{Scenario: s, X: x, Y: y, First: 1, Seeds: 200})
//	for cell := range m.Cells() {
//		row := m.Row(cell, 20) // 20 of the 200 seeds
//		values := m.Values(&row) // one for each of m.Measures()
//	}
//
// Detail makes the runs of one cell again and lists them, the worst first. Worst says at which instant of a run to
// look. Presets finds the cells of settings that people run, such as 15 s, 10 s and 2 s.
//
// Guarantee: what a cell answers depends only on the Spec, the cell and the number of seeds. A row is the row of
// `leaselab sweep`. Non-guarantee: a map keeps no runs; it makes the runs of a cell again when you ask about one.
//
// An error of New that concerns one field is a scenario.FieldError. Its path is x, y, seeds or duration, as the page
// names its fields.
package heat
