package scenario

import (
	"math"
)

var judgingFields = []Field{
	{Key: "Resource.fence", words: []string{FenceNone, FenceLeaseTransitions, FenceResourceVersion},
		missing: "name the token that the resource compares: none, leaseTransitions or resourceVersion"},
	{Key: "Resource.writeEvery", Default: "1s"},
	{Key: "Resource.latency", Default: "1ms"},
	{Key: "Resource.cleanUp", words: []string{CleanUpWorks, CleanUpFails}},

	{Key: "Bounds.requestsPerSecond", whole: &bounds{max: math.MaxInt32}},
}
