//go:build page

package world

const copies = false // only a search copies, and the second module has it
