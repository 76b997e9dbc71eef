package explain

import (
	"fmt"

	"github.com/leaselab/leaselab/sim/world"
)

// onResource puts what happens at the protected resource into words. An accepted write is one of very many.
func onResource(r *world.Record, s *Sentence) {
	s.Kind = "write"
	switch r.Kind {
	case world.ResourceRefused:
		s.Outcome, s.Text = "conflict", fmt.Sprintf("writes to the resource in vain: its token %d is older than %d, which the resource has seen.", r.A, r.B)
	case world.ResourceGivenUp:
		s.Text = "gives the resource up."
	case world.ResourceKept:
		s.Outcome, s.Text = "lost", "does not give the resource up: that step is lost, and the resource stays its own."
	case world.ResourceCutBegan:
		s.Kind, s.Text = "fault", everybody(s, "is cut off from the resource.", "are cut off from the resource.")
	case world.ResourceCutEnded:
		s.Kind, s.Text = "fault", everybody(s, "reaches", "reach")+" the resource again."
	}
}
