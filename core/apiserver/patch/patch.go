// Package patch applies JSON patches and strategic merge patches to objects: see JSON and Strategic.
//
// Guarantee: for the same patch, the object or the error equals kube-apiserver v1.36's, word for word, and one
// patch costs bounded time and memory. Non-guarantee: nothing validates the result, which may not even be an object
// of its kind. Merge patches are in package wire, server-side apply in package fieldmanager. Source: apimachinery
// v0.36 pkg/util/strategicpatch; gopkg.in/evanphx/json-patch.v4.
package patch

import "errors"

// Malformed is the error for a body that is not a patch.
type Malformed string

// Error returns upstream's text.
func (m Malformed) Error() string { return string(m) }

// Rejected is the error for a well-formed patch that does not apply to the object.
type Rejected string

// Error returns upstream's text.
func (r Rejected) Error() string { return string(r) }

// TooLarge is the error for a patch that costs more than the server spends on one request.
type TooLarge string

// Error says what costs too much.
func (t TooLarge) Error() string { return string(t) }

// ErrTooDeep is the error for a patch after which the object would nest too deeply.
var ErrTooDeep = errors.New("the object after the patch is nested too deep")

// ErrCrash is the error for a patch on which upstream's code panics.
var ErrCrash = errors.New("upstream panics at this patch")
