// Package patch applies JSON patches and strategic merge patches to objects.
//
// Guarantee: the object or the error is what kube-apiserver v1.36 makes of the same patch, in upstream's words, and one
// patch costs bounded time and memory. Non-guarantee: the result is not validated and may not be an object of its kind.
// Merge patches are wire.MergePatch; server-side apply is package fieldmanager.
// Source: apimachinery v0.36 pkg/util/strategicpatch; gopkg.in/evanphx/json-patch.v4.
package patch

import "errors"

// Malformed is the error of a patch that is not a patch.
type Malformed string

func (m Malformed) Error() string { return string(m) }

// Rejected is the error of a well-formed patch that cannot be applied to this object.
type Rejected string

func (r Rejected) Error() string { return string(r) }

// TooLarge is the error of a patch that costs more than this server spends on one request.
type TooLarge string

func (t TooLarge) Error() string { return string(t) }

// ErrTooDeep says that the object would be nested too deep after the patch.
var ErrTooDeep = errors.New("the object after the patch is nested too deep")

// ErrCrash says that upstream's code panics at the patch.
var ErrCrash = errors.New("upstream panics at this patch")
