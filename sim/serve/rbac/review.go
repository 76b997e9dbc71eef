package rbac

import (
	_ "embed"
	"maps"
	"slices"
	"time"

	"github.com/leaselab/leaselab/core/apiserver"
	"github.com/leaselab/leaselab/core/coordination"
	"github.com/leaselab/leaselab/core/wire"
)

const (
	authentications = "authentication.k8s.io"
	authorizations  = "authorization.k8s.io"
)

//go:embed types.txt
var typesText string

var types = wire.ParseTypes(typesText, coordination.Types)

// Reviews returns the review resources, with which users ask about their own identity and rights. Use them as a
// server's Reviews.
func (a *Authority) Reviews() []apiserver.Review {
	reviews := []apiserver.Review{
		{Group: authentications, Kind: "SelfSubjectReview", Answer: a.whoAmI},
		{Group: authorizations, Kind: "SelfSubjectAccessReview", Answer: a.canI},
		{Group: authorizations, Kind: "SelfSubjectRulesReview", Answer: a.rules},
	}
	for i := range reviews {
		reviews[i].Type = types["v1."+reviews[i].Kind]
	}
	return reviews
}

// reviewer returns the user who posted a review. The guard has already allowed the request.
func (a *Authority) reviewer(r *apiserver.Request, group, resource string) (User, *apiserver.Refusal) {
	u, _, refused := a.sender(r, apiserver.Attributes{OnResource: true, Verb: "create", Path: r.Path, Group: group,
		Resource: resource})
	return u, refused
}

// whoAmI answers a SelfSubjectReview.
// Source: kubernetes v1.36 pkg/registry/authentication/selfsubjectreview rest.go.
func (a *Authority) whoAmI(now time.Time, r *apiserver.Request, _ wire.Map) (wire.Map, *apiserver.Refusal) {
	u, refused := a.reviewer(r, authentications, "selfsubjectreviews")
	if refused != nil {
		return nil, refused
	}
	info := wire.Map{"username": u.Name, "uid": u.UID, "groups": wire.Texts(u.Groups)}
	extra := wire.Map{}
	for _, key := range slices.Sorted(maps.Keys(u.Extra)) {
		extra[key] = wire.Texts(u.Extra[key])
	}
	info["extra"] = extra
	return wire.Map{
		"metadata": wire.Map{"creationTimestamp": now.UTC().Format(wire.TimeLayout)},
		"status":   wire.Map{"userInfo": info},
	}, nil
}

// canI answers a SelfSubjectAccessReview. RBAC ignores selectors.
// Source: kubernetes v1.36 pkg/registry/authorization/selfsubjectaccessreview rest.go, pkg/registry/authorization/util
// helpers.go, pkg/apis/authorization/validation validation.go.
func (a *Authority) canI(_ time.Time, r *apiserver.Request, sent wire.Map) (wire.Map, *apiserver.Refusal) {
	resource, path := wire.Object(sent, "spec", "resourceAttributes"),
		wire.Object(sent, "spec", "nonResourceAttributes")
	switch {
	case resource != nil && path != nil:
		shown := string(wire.Encode(nil, path, types["v1.NonResourceAttributes"]))
		return nil, invalid("spec.nonResourceAttributes", shown,
			"cannot be specified in combination with resourceAttributes")
	case resource == nil && path == nil:
		return nil, invalid("spec.resourceAttributes", "null",
			"exactly one of nonResourceAttributes or resourceAttributes must be specified")
	}
	meta := maps.Clone(wire.Object(sent, "metadata"))
	delete(meta, "managedFields")
	if len(meta) > 0 {
		return nil, invalid("metadata", string(wire.Encode(nil, meta, coordination.ObjectMetaType)), "must be empty")
	}
	u, refused := a.reviewer(r, authorizations, "selfsubjectaccessreviews")
	if refused != nil {
		return nil, refused
	}
	asks := apiserver.Attributes{Verb: wire.Text(path, "verb"), Path: wire.Text(path, "path")}
	if resource != nil {
		asks = apiserver.Attributes{
			OnResource: true, Verb: wire.Text(resource, "verb"), Group: wire.Text(resource, "group"),
			Resource:    wire.Text(resource, "resource"),
			Subresource: wire.Text(resource, "subresource"), Namespace: wire.Text(resource, "namespace"),
			Name: wire.Text(resource, "name"),
		}
	}
	allowed, reason := a.config.Policy.allows(u, asks)
	answer := maps.Clone(sent)
	answer["status"] = wire.Map{"allowed": allowed, "reason": reason}
	return answer, nil
}

// `invalid` returns the refusal of a review with a wrong field. Like upstream's message, it names no kind.
func invalid(field, shown, because string) *apiserver.Refusal {
	message := "Invalid value: " + shown + ": " + because
	return &apiserver.Refusal{
		Code: 422, Reason: "Invalid", Message: "." + authorizations + ` "" is invalid: ` + field + ": " + message,
		Details: wire.Map{"group": authorizations,
			"causes": []any{wire.Map{"reason": "FieldValueInvalid", "message": message, "field": field}}},
	}
}

// `rules` answers a SelfSubjectRulesReview.
// Source: kubernetes v1.36 pkg/registry/authorization/selfsubjectrulesreview rest.go; plugin/pkg/auth/authorizer/rbac
// rbac.go RulesFor.
func (a *Authority) rules(_ time.Time, r *apiserver.Request, sent wire.Map) (wire.Map, *apiserver.Refusal) {
	u, refused := a.reviewer(r, authorizations, "selfsubjectrulesreviews")
	if refused != nil {
		return nil, refused
	}
	namespace := wire.Text(sent, "spec", "namespace")
	if namespace == "" {
		return nil, &apiserver.Refusal{Code: 400, Reason: "BadRequest", Message: "no namespace on request"}
	}
	resources, paths := []any{}, []any{}
	for _, rule := range a.config.Policy.rulesFor(u, namespace) {
		if len(rule.Resources) > 0 {
			resources = append(resources, wire.Map{
				"verbs": wire.Texts(rule.Verbs), "apiGroups": wire.Texts(rule.APIGroups),
				"resources": wire.Texts(rule.Resources), "resourceNames": wire.Texts(rule.ResourceNames),
			})
		}
		if len(rule.NonResourceURLs) > 0 {
			paths = append(paths, wire.Map{"verbs": wire.Texts(rule.Verbs),
				"nonResourceURLs": wire.Texts(rule.NonResourceURLs)})
		}
	}
	return wire.Map{"metadata": wire.Map{},
		"status": wire.Map{"resourceRules": resources, "nonResourceRules": paths, "incomplete": false}}, nil
}
