package rbac

import (
	_ "embed"
	"slices"
	"sync"
)

//go:embed defaults.yaml
var defaults []byte

var defaultPolicy = sync.OnceValue(func() *Policy {
	p := &Policy{}
	if err := p.read(defaults); err != nil {
		panic(err) // the file belongs to the program
	}
	return p
})

// Defaults returns the policy that every server starts with.
//
// Deviation: the roles admin, edit and view, and the roles of components, have only rules for resources that exist
// here. Pinned by TestDefaults. Source: kubernetes v1.36 plugin/pkg/auth/authorizer/rbac/bootstrappolicy policy.go.
func Defaults() *Policy {
	p := defaultPolicy()
	return &Policy{roles: slices.Clone(p.roles), bindings: slices.Clone(p.bindings)}
}
