//go:build !page

package storage

// copies is whether there are stores that keep no history: see CopyTo.
const copies = true
