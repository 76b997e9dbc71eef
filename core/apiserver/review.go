package apiserver

import (
	"slices"
	"strings"
	"time"

	"github.com/leaselab/leaselab/core/wire"
)

// Review is a cluster-scoped v1 resource whose objects the server answers without storing them, such as
// SelfSubjectAccessReview. Answer returns the answer to a posted object, or the reason why there is none.
type Review struct {
	Group, Kind string
	Type        *wire.Type
	Answer      func(now time.Time, r *Request, sent wire.Map) (wire.Map, *Refusal)
}

// withReviews returns the resources of a server, reviews first: upstream lists their groups before coordination.k8s.io.
func withReviews(reviews []Review) []*resource {
	if len(reviews) == 0 {
		return resources
	}
	all := make([]*resource, 0, len(reviews)+len(resources))
	for i := range reviews {
		r := &reviews[i]
		singular := strings.ToLower(r.Kind)
		all = append(all, &resource{group: r.Group, name: singular + "s", singular: singular, kind: r.Kind,
			goKind: "v1." + r.Kind, review: r, versions: []version{{name: "v1", kind: r.Type}}})
	}
	return append(all, resources...)
}

// answerReview answers a posted review.
func (c *call) answerReview(o object) (objectResult, *failure) {
	answer, refused := c.res.review.Answer(c.now, c.r, o)
	if refused != nil {
		return objectResult{}, refused.failure()
	}
	wire.Settle(answer, c.version.kind) // leaves out empty members
	return objectResult{201, storedObject{object: answer}}, nil
}

// groupNames returns the groups of the served resources without the core group, in upstream's order.
func (s *Server) groupNames() []string {
	var names []string
	for _, r := range s.served() {
		if r.group != "" && !slices.Contains(names, r.group) && s.offers(r) {
			names = append(names, r.group)
		}
	}
	return names
}
