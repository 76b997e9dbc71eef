//go:build !page

package storage

// copies says that this program can make stores without history: see CopyTo.
const copies = true
