//go:build !page

package world

// copies is whether there are worlds without a trace hash of their own: see CopyTo.
const copies = true
