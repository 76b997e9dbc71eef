//go:build !page

package storage

// The constant copies is true because this program can make stores without history: see CopyTo.
const copies = true
