//go:build !linux

package bounded

import "time"

var begun = time.Now()

// processTime is the wall clock here.
func processTime() time.Duration { return time.Since(begun) }

// threadTime is not told here: memory alone counts.
func threadTime() time.Duration { return 0 }
