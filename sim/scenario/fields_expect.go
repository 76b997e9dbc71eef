package scenario

import (
	"math"

	"github.com/leaselab/leaselab/sim/trace"
)

var expectFields = []Field{
	{Key: "Expect.changes", whole: &bounds{max: math.MaxInt32}},
	{Key: "Expect.event", words: trace.EventNames()},
}
