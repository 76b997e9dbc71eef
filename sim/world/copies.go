//go:build !page

package world

// copies is true because this program can make worlds without a trace hash: see CopyTo.
const copies = true
