package explain

import (
	"strconv"

	"github.com/leaselab/leaselab/sim/trace"
)

// resource puts what happens at the resource into words.
func resource(r *trace.Record, s *Sentence) {
	token := "token " + strconv.FormatInt(r.Tokens().Sent, 10)
	s.Kind = "write"
	switch r.Kind {
	case trace.ResourceAccepted:
		s.Text = "writes to the resource."
		s.Detail = token
	case trace.ResourceRefused:
		s.Text = "is refused by the resource: its " + token + " is older than " + strconv.FormatInt(r.Tokens().Highest, 10) + "."
	case trace.ResourceLost:
		s.Text = "does not reach the resource."
	case trace.ResourceGivenUp:
		s.Text = "gives the resource up."
	case trace.ResourceKept:
		s.Text = "still owns the resource: its last step, to give it up, was lost."
	case trace.ResourceCutBegan:
		s.Kind, s.Text = "fault", everybody(s, "reaches", "reach")+" the resource no more."
	}
}
