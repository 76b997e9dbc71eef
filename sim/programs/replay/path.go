package replay

import (
	"github.com/leaselab/leaselab/core/apiserver"
	"github.com/leaselab/leaselab/core/step"
	"github.com/leaselab/leaselab/core/storage"
	"github.com/leaselab/leaselab/sim/network"
	"github.com/leaselab/leaselab/sim/world"
)

// nameIn returns the name of the object in a request, or "" for a collection.
func nameIn(a apiserver.Attributes, r *apiserver.Request) string {
	switch {
	case r.Method == "POST" && a.Name == "":
		return world.NameOf(r.Body)
	case a.Verb == "list", a.Verb == "watch":
		return "" // a field selector gave the attributes their name
	}
	return a.Name
}

// onLeases reports whether a request is about Leases.
func onLeases(a apiserver.Attributes) bool {
	return a.Group == "coordination.k8s.io" && a.Resource == "leases"
}

// numbers are the numbers that the network rules use for the resources of requests.
var numbers = map[string]network.Resource{"leases": world.Leases, "leasecandidates": world.LeaseCandidates,
	"configmaps": world.ConfigMaps}

var verbs = map[string]network.Verb{
	"GET": network.Get, "HEAD": network.Get, "OPTIONS": network.Get, "POST": network.Create, "PUT": network.Update,
	"PATCH": network.Update, "DELETE": network.Delete,
}

// results are the results that an elector gets for statuses. Any other status is step.Invalid.
var results = map[int]step.Result{
	200: step.Success, 201: step.Success, 202: step.Success, 401: step.Unauthorized, 403: step.Forbidden,
	404: step.NotFound, 409: step.Conflict, 429: step.TooManyRequests, 500: step.InternalError, 503: step.Unavailable,
	504: step.GatewayTimeout,
}

func resultOf(verb network.Verb, status int) step.Result {
	result, known := results[status]
	switch {
	case !known:
		return step.Invalid
	case result == step.Conflict && verb == network.Create:
		return step.AlreadyExists
	}
	return result
}

// outcomeOf returns the outcome of a request in the store.
func outcomeOf(verb network.Verb, status int, changed bool) storage.Outcome {
	switch result := resultOf(verb, status); {
	case result == step.NotFound:
		return storage.NotFound
	case result == step.AlreadyExists:
		return storage.AlreadyExists
	case result == step.Conflict:
		return storage.Conflict
	case result != step.Success:
		return storage.Invalid
	case verb == network.Get:
		return storage.OK
	case verb == network.Create:
		return storage.Created
	case changed:
		return storage.Updated
	}
	return storage.Unchanged
}
