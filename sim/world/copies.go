//go:build !page

package world

// copies says that this program can make worlds without a trace hash: see CopyTo.
const copies = true
