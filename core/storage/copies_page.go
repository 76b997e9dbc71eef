//go:build page

package storage

const copies = false // only a search copies stores, and searches run in the page's second module
