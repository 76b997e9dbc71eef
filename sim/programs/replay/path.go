package replay

import (
	"strings"

	"github.com/leaselab/leaselab/core/apiserver"
	"github.com/leaselab/leaselab/core/step"
	"github.com/leaselab/leaselab/core/storage"
	"github.com/leaselab/leaselab/sim/network"
	"github.com/leaselab/leaselab/sim/world"
)

// Path is the path of a request to the API, split into its parts.
type Path struct{ Group, Namespace, Resource, Name string }

// ParsePath splits /apis/GROUP/VERSION/namespaces/NAMESPACE/RESOURCE/NAME and its shorter forms.
func ParsePath(path string) (p Path) {
	var room [8]string
	parts := room[:0]
	for rest, more := strings.Trim(path, "/"), true; more; {
		var part string
		part, rest, more = strings.Cut(rest, "/")
		parts = append(parts, part)
	}
	switch {
	case len(parts) > 2 && parts[0] == "apis":
		p.Group, parts = parts[1], parts[3:]
	case len(parts) > 1 && parts[0] == "api":
		parts = parts[2:]
	case len(parts) > 1 && parts[0] == "apis":
		p.Group = parts[1]
		return p
	default:
		return p
	}
	if len(parts) > 2 && parts[0] == "namespaces" {
		p.Namespace, parts = parts[1], parts[2:]
	}
	if len(parts) > 0 {
		p.Resource = parts[0]
	}
	if len(parts) > 1 {
		p.Name = parts[1]
	}
	return p
}

// nameIn returns the name of the object in a request, or "" for a collection.
func (p Path) nameIn(r *apiserver.Request) string {
	if r.Method == "POST" && p.Name == "" {
		return world.NameOf(r.Body)
	}
	return p.Name
}

// `leases` reports whether a path is about Leases.
func (p Path) leases() bool { return p.Group == "coordination.k8s.io" && p.Resource == "leases" }

// number returns the number that the network rules use for a request's resource.
func (p Path) number() network.Resource {
	switch p.Resource {
	case "leases":
		return world.Leases
	case "leasecandidates":
		return world.LeaseCandidates
	case "configmaps":
		return world.ConfigMaps
	}
	return network.AnyResource
}

var verbs = map[string]network.Verb{
	"GET": network.Get, "HEAD": network.Get, "OPTIONS": network.Get, "POST": network.Create, "PUT": network.Update,
	"PATCH": network.Update, "DELETE": network.Delete,
}

// resultOf returns the result that an elector gets for a status.
func resultOf(verb network.Verb, status int) step.Result {
	switch status {
	case 200, 201, 202:
		return step.Success
	case 404:
		return step.NotFound
	case 409:
		if verb == network.Create {
			return step.AlreadyExists
		}
		return step.Conflict
	case 401:
		return step.Unauthorized
	case 403:
		return step.Forbidden
	case 429:
		return step.TooManyRequests
	case 503:
		return step.Unavailable
	case 504:
		return step.GatewayTimeout
	case 500:
		return step.InternalError
	}
	return step.Invalid
}

// outcomeOf returns the outcome of a request in the store.
func outcomeOf(verb network.Verb, status int, changed bool) storage.Outcome {
	switch resultOf(verb, status) {
	case step.Success:
		switch {
		case verb == network.Get:
			return storage.OK
		case verb == network.Create:
			return storage.Created
		case !changed:
			return storage.Unchanged
		}
		return storage.Updated
	case step.NotFound:
		return storage.NotFound
	case step.AlreadyExists:
		return storage.AlreadyExists
	case step.Conflict:
		return storage.Conflict
	}
	return storage.Invalid
}
