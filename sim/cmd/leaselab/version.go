package main

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/leaselab/leaselab/sim/world"
)

// releases is where users find a leaselab that contains the page.
const releases = "https://github.com/leaselab/leaselab/releases"

// revision is the commit that `make build` built from, or "" for any other build. The linker sets it (-X
// main.revision).
var revision string

// versionText is what `leaselab --version` prints after "leaselab version ". Bug reports need the engine number: the
// same scenario, seed and engine number give the same run. A build by `go install` shows its module version instead
// of a commit.
func versionText() string {
	of := revision
	if of == "" {
		of = "unknown"
		if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" && info.Main.Version != "(devel)" {
			of = info.Main.Version
		}
	}
	page := "without the page"
	if builtIn() != nil {
		page = "with the page"
	}
	return fmt.Sprintf("%s, engine %d, %s, %s %s/%s", of, world.Engine, page, runtime.Version(), runtime.GOOS,
		runtime.GOARCH)
}
