//go:build page

package world

const copies = false // only a search copies worlds, and searches run in the page's second module
