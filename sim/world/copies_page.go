//go:build page

package world

const copies = false // only a search copies worlds, and searches run in the second module
