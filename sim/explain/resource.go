package explain

import (
	"strconv"

	"github.com/leaselab/leaselab/sim/world"
)

// resource puts what happens at the resource into words.
func resource(r *world.Record, s *Sentence) {
	token := "token " + strconv.FormatInt(r.A, 10)
	s.Kind = "write"
	switch r.Kind {
	case world.ResourceAccepted:
		s.Text = "writes to the resource."
		s.Detail = token
	case world.ResourceRefused:
		s.Text = "is refused by the resource: its " + token + " is older than " + strconv.FormatInt(r.B, 10) + "."
	case world.ResourceLost:
		s.Text = "does not reach the resource."
	case world.ResourceGivenUp:
		s.Text = "gives the resource up."
	case world.ResourceKept:
		s.Text = "still owns the resource: its last step, to give it up, was lost."
	case world.ResourceCutBegan:
		s.Kind, s.Text = "fault", everybody(s, "reaches", "reach")+" the resource no more."
	}
}
