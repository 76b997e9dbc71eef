package rbac

import (
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

// Reviews returns the review resources, with which users ask about their own identity and rights. Use them as a
// server's Reviews.
func (a *Authority) Reviews() []apiserver.Review {
	return []apiserver.Review{
		{
			Group: authentications, Name: "selfsubjectreviews", Singular: "selfsubjectreview",
			Kind:   "SelfSubjectReview",
			Type:   reviewType("SelfSubjectReview", wire.Field{Name: "status", Type: subjectStatusType, Keep: true}),
			Answer: a.whoAmI,
		},
		{
			Group: authorizations, Name: "selfsubjectaccessreviews", Singular: "selfsubjectaccessreview",
			Kind: "SelfSubjectAccessReview",
			Type: reviewType("SelfSubjectAccessReview", wire.Field{Name: "spec", Type: accessSpecType, Keep: true},
				wire.Field{Name: "status", Type: accessStatusType, Keep: true}),
			Answer: a.canI,
		},
		{
			Group: authorizations, Name: "selfsubjectrulesreviews", Singular: "selfsubjectrulesreview",
			Kind: "SelfSubjectRulesReview",
			Type: reviewType("SelfSubjectRulesReview", wire.Field{Name: "spec", Type: rulesSpecType, Keep: true},
				wire.Field{Name: "status", Type: rulesStatusType, Keep: true}),
			Answer: a.rules,
		},
	}
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
	info := wire.Map{"username": u.Name, "uid": u.UID, "groups": texts(u.Groups)}
	extra := wire.Map{}
	for _, key := range slices.Sorted(maps.Keys(u.Extra)) {
		extra[key] = texts(u.Extra[key])
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
		return nil, invalid("spec.nonResourceAttributes", string(wire.Encode(nil, path, pathType)),
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
				"verbs": texts(rule.Verbs), "apiGroups": texts(rule.APIGroups), "resources": texts(rule.Resources),
				"resourceNames": texts(rule.ResourceNames),
			})
		}
		if len(rule.NonResourceURLs) > 0 {
			paths = append(paths, wire.Map{"verbs": texts(rule.Verbs), "nonResourceURLs": texts(rule.NonResourceURLs)})
		}
	}
	return wire.Map{"metadata": wire.Map{},
		"status": wire.Map{"resourceRules": resources, "nonResourceRules": paths, "incomplete": false}}, nil
}

func texts(list []string) []any {
	all := make([]any, len(list))
	for i := range list {
		all[i] = list[i]
	}
	return all
}

// The types of the reviews.
// Source: k8s.io/api v0.36 authentication/v1, authorization/v1 types.go.
var (
	textsType         = &wire.Type{Shape: wire.AList, GoType: "[]string", Elem: wire.StringType}
	subjectStatusType = structType("SelfSubjectReviewStatus",
		wire.Field{Name: "userInfo", Keep: true, Type: structType("UserInfo",
			wire.Field{Name: "username", Type: wire.StringType}, wire.Field{Name: "uid", Type: wire.StringType},
			wire.Field{Name: "groups", Type: textsType},
			wire.Field{Name: "extra", Type: &wire.Type{Shape: wire.AMap, GoType: "map[string]v1.ExtraValue",
				Elem: textsType}})})
	pathType = structType("NonResourceAttributes", wire.Field{Name: "path", Type: wire.StringType},
		wire.Field{Name: "verb", Type: wire.StringType})
	accessSpecType = structType("SelfSubjectAccessReviewSpec",
		wire.Field{Name: "resourceAttributes", Pointer: true, Type: structType("ResourceAttributes",
			wire.Field{Name: "namespace", Type: wire.StringType}, wire.Field{Name: "verb", Type: wire.StringType},
			wire.Field{Name: "group", Type: wire.StringType},
			wire.Field{Name: "version", Type: wire.StringType}, wire.Field{Name: "resource", Type: wire.StringType},
			wire.Field{Name: "subresource", Type: wire.StringType},
			wire.Field{Name: "name", Type: wire.StringType},
			wire.Field{Name: "fieldSelector", Pointer: true, Type: selectorType("Field")},
			wire.Field{Name: "labelSelector", Pointer: true, Type: selectorType("Label")})},
		wire.Field{Name: "nonResourceAttributes", Pointer: true, Type: pathType})
	accessStatusType = structType("SubjectAccessReviewStatus",
		wire.Field{Name: "allowed", Type: wire.BoolType, Keep: true}, wire.Field{Name: "denied", Type: wire.BoolType},
		wire.Field{Name: "reason", Type: wire.StringType}, wire.Field{Name: "evaluationError", Type: wire.StringType})
	rulesSpecType   = structType("SelfSubjectRulesReviewSpec", wire.Field{Name: "namespace", Type: wire.StringType})
	rulesStatusType = structType("SubjectRulesReviewStatus",
		wire.Field{Name: "resourceRules", Keep: true,
			Type: listOf(structType("ResourceRule", wire.Field{Name: "verbs", Type: textsType, Keep: true},
				wire.Field{Name: "apiGroups", Type: textsType}, wire.Field{Name: "resources", Type: textsType},
				wire.Field{Name: "resourceNames", Type: textsType}))},
		wire.Field{Name: "nonResourceRules", Keep: true,
			Type: listOf(structType("NonResourceRule", wire.Field{Name: "verbs", Type: textsType, Keep: true},
				wire.Field{Name: "nonResourceURLs", Type: textsType}))},
		wire.Field{Name: "incomplete", Type: wire.BoolType, Keep: true},
		wire.Field{Name: "evaluationError", Type: wire.StringType})
)

func structType(name string, fields ...wire.Field) *wire.Type {
	return &wire.Type{Shape: wire.AStruct, GoName: name, GoType: "v1." + name, Fields: fields}
}

func listOf(elem *wire.Type) *wire.Type {
	return &wire.Type{Shape: wire.AList, GoType: "[]" + elem.GoType, Elem: elem}
}

func selectorType(of string) *wire.Type {
	return structType(of+"SelectorAttributes", wire.Field{Name: "rawSelector", Type: wire.StringType},
		wire.Field{Name: "requirements", Type: listOf(structType(of+"SelectorRequirement",
			wire.Field{Name: "key", Type: wire.StringType, Keep: true},
			wire.Field{Name: "operator", Type: wire.StringType, Keep: true},
			wire.Field{Name: "values", Type: textsType}))})
}

func reviewType(kind string, more ...wire.Field) *wire.Type {
	return structType(kind, append([]wire.Field{
		{Name: "kind", Type: wire.StringType}, {Name: "apiVersion", Type: wire.StringType},
		{Name: "metadata", Type: coordination.ObjectMetaType, Keep: true},
	}, more...)...)
}
