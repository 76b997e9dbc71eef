//go:build !js

package evidence

import (
	"compress/bzip2"
	"io"
)

// The page does not unpack bzip2: its reader takes 8.5 KiB, and few logs have this form. bzip2_js.go tells its
// visitor what to do.
const bzip2Advice = ""

func unpackBzip2(in io.Reader) io.Reader { return bzip2.NewReader(in) }
