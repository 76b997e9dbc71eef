//go:build !linux

package bounded

import "time"

var begun = time.Now()

// processTime returns wall time on this system.
func processTime() time.Duration { return time.Since(begun) }

// threadTime returns 0 on this system: only memory counts.
func threadTime() time.Duration { return 0 }
