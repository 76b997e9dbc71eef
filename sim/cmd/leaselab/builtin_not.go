//go:build !site

package main

import "io/fs"

// builtIn returns the page that the command contains, or nil if it contains none: see the target "build" of the
// Makefile.
func builtIn() fs.FS { return nil }
