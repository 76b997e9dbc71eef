package apiserver

import (
	"errors"
	"fmt"

	"github.com/leaselab/leaselab/core/apiserver/patch"
	"github.com/leaselab/leaselab/core/wire"
)

// strategic returns the object after a strategic merge patch.
// Source: apiserver v0.36 pkg/endpoints/handlers patch.go smpPatcher, applyPatchToObject.
func (p *patching) strategic(old object) (object, *failure) {
	n, err := wire.Parse(p.data)
	if err != nil {
		return nil, badRequest("%s", err)
	}
	sent, strict, err := wire.Decode(n, anyObjectType)
	if err != nil {
		return nil, badRequest("%s", err)
	}
	whole, err := patch.Strategic(wire.CopyMap(old), sent, p.version.kind)
	if err != nil {
		return nil, p.patchFailure(err)
	}
	show := func() string { return fmt.Sprintf("%+v", sent) }
	o, unknown, err := wire.Convert(whole, p.version.kind, true)
	if err != nil {
		return nil, invalidPatch(show(), err.Error())
	}
	if f := p.strictly(append(strict, unknown...), show); f != nil {
		return nil, f
	}
	delete(o, "kind")
	delete(o, "apiVersion")
	return o, nil
}

// patchFailure converts an error of package patch to a failure.
// Source: apiserver v0.36 pkg/endpoints/handlers patch.go interpretStrategicMergePatchError, applyJSPatch.
func (p *patching) patchFailure(err error) *failure {
	var malformed patch.Malformed
	var rejected patch.Rejected
	var large patch.TooLarge
	switch {
	case errors.As(err, &malformed):
		return badRequest("%s", err)
	case errors.As(err, &rejected):
		return fail(422, "Invalid", "the server rejected our request due to an error in our request").with(wire.Map{})
	case errors.As(err, &large):
		return fail(413, "RequestEntityTooLarge", "Request entity too large: %s", err)
	case err == patch.ErrTooDeep:
		return p.tooDeep("the object after the patch")
	case err == patch.ErrCrash:
		return crashFailure()
	}
	return internal("%s", err)
}

// crashFailure is the answer to a request that makes upstream panic. Source: apiserver v0.36
// pkg/server/filters wrap.go WithPanicRecovery.
func crashFailure() *failure {
	return &failure{code: 500, message: "This request caused apiserver to panic. Look in the logs for details.",
		crash: true}
}
