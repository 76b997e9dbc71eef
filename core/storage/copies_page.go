//go:build page

package storage

const copies = false // only a search copies, and the second module has it
