// Package rbac says who sends a request and whether that user may do what it asks, as kube-apiserver does: bearer
// tokens, impersonation, Roles, ClusterRoles and their bindings, and the reviews behind `kubectl auth`.
//
// Guarantee: decisions, their reasons and the messages of 401 and 403 are upstream's. Non-guarantee: roles are read
// once, from a file; they are not objects of the API, an aggregationRule is refused, and users have only the groups
// that the server gives them. Source: kubernetes v1.36 plugin/pkg/auth/authorizer/rbac, pkg/registry/rbac/validation;
// apiserver v0.36 pkg/authentication, pkg/endpoints/filters.
package rbac
