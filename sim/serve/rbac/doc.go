// Package rbac says who sends a request and whether that user may make it, as kube-apiserver does. It handles bearer
// tokens, impersonation, Roles, ClusterRoles and their bindings, and the reviews behind `kubectl auth`. Load reads a
// Policy, New makes an Authority from it, and Authority.Guard decides about each request.
//
// Guarantee: decisions, their reasons and the messages of 401 and 403 are upstream's. Non-guarantee: Load reads roles
// once, from a file. They are not API objects, Load refuses an aggregationRule, and users have only the groups that the
// server gives them. Source: kubernetes v1.36 plugin/pkg/auth/authorizer/rbac, pkg/registry/rbac/validation;
// apiserver v0.36 pkg/authentication, pkg/endpoints/filters.
package rbac
