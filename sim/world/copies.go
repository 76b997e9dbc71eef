//go:build !page

package world

// copies is whether there are worlds whose trace hash stands still: see CopyTo.
const copies = true
