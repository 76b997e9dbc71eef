package electiontest

import (
	"math/rand"
	"os"
	"strings"
	"sync"
)

// A Run holds seeding while its seed determines the random numbers of the process.
var seeding sync.Mutex

// seedRandom seeds the functions of package math/rand, from which client-go draws its jitter. It returns a function
// that undoes this. If another Run in the process has already seeded them, it does nothing, because the two would
// disturb each other.
func seedRandom(seed uint64) (restore func()) {
	if !seeding.TryLock() {
		return func() {}
	}
	const variable, setting = "GODEBUG", "randseednop=0"
	before, had := os.LookupEnv(variable)
	if err := os.Setenv(variable, strings.Trim(before+","+setting, ",")); err != nil {
		seeding.Unlock()
		return func() {}
	}
	//lint:ignore SA1019 nothing else makes a library's draws depend on the seed alone
	rand.Seed(int64(seed))
	return func() {
		if had {
			_ = os.Setenv(variable, before)
		} else {
			_ = os.Unsetenv(variable)
		}
		seeding.Unlock()
	}
}
