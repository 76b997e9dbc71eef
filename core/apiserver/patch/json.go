package patch

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	jsonpatch "gopkg.in/evanphx/json-patch.v4"

	"github.com/leaselab/leaselab/core/wire"
)

// MaxOperations is the maximum number of operations in a JSON patch.
// Source: apiserver v0.36 pkg/endpoints/handlers patch.go maxJSONPatchOperations.
const MaxOperations = 10000

// MaxCopyBytes limits the bytes that all copy operations of a JSON patch may add in total.
// Source: apiserver v0.36 pkg/server config.go JSONPatchMaxCopyBytes.
const MaxCopyBytes = 3 << 20

// MaxSteps limits work that grows with the product of two sizes, such as the number of operations and the length of a
// list.
const MaxSteps = 15_000_000

// JSON applies an RFC 6902 patch to the JSON of an object and returns the JSON of the patched object. maxDepth limits
// the depth of the result; 0 means no limit. The error is Malformed, Rejected, TooLarge, ErrTooDeep or ErrCrash.
//
// Deviation: the library has one limit on copied bytes for the whole process. JSON counts MaxCopyBytes per patch
// instead, and returns TooLarge for a patch that makes many copies of a large object. TestCopiesAreBounded pins both.
func JSON(object, patch []byte, maxDepth int) ([]byte, error) {
	operations, err := jsonpatch.DecodePatch(patch)
	if err != nil {
		return nil, Malformed(err.Error())
	}
	if n := len(operations); n > MaxOperations {
		return nil, TooLarge(fmt.Sprintf("The allowed maximum operations in a JSON patch is %d, got %d", MaxOperations,
			n))
	}
	if err := affordable(object, patch, len(operations)); err != nil {
		return nil, err
	}
	if maxDepth > 0 && deepest(object, operations) > maxDepth {
		return nil, ErrTooDeep
	}
	return recoverCrash(func() ([]byte, error) { return apply(operations, object, len(patch)) })
}

// affordable refuses patches on which the library would spend too much time. Each operation may move all items of a
// list, and the library prints a value once more for each level above it.
func affordable(object, patch []byte, operations int) error {
	depth := 0
	for _, text := range bytes.Split(patch, []byte{'"'}) {
		depth = max(depth, bytes.Count(text, []byte{'/'}))
	}
	switch {
	case operations*wire.CountValues(object) > MaxSteps:
		return tooManySteps("the operations of the patch on that object")
	case depth*(len(patch)+len(object)) > MaxSteps:
		return tooManySteps("the paths of the patch in that object")
	}
	return nil
}

func tooManySteps(what string) error {
	return TooLarge(fmt.Sprintf("%s take more than %d steps", what, MaxSteps))
}

// deepest returns the maximum depth of the object while the operations run: a path or a copy can lead into a value that
// an earlier operation added.
func deepest(object []byte, operations jsonpatch.Patch) int {
	deepest, _ := wire.Depth(object, len(object))
	for _, o := range operations {
		path, _ := o.Path()
		from, _ := o.From()
		inner := 0
		switch o.Kind() {
		case "add", "replace":
			if value := o["value"]; value != nil {
				inner, _ = wire.Depth(*value, len(*value))
			}
		case "copy", "move":
			inner = max(0, deepest-strings.Count(from, "/"))
		}
		deepest = max(deepest, strings.Count(path, "/")+inner)
	}
	return deepest
}

// apply applies the operations. Where it cannot tell how much the copies add, it applies the patch copy by copy and
// measures each one.
func apply(operations jsonpatch.Patch, object []byte, patchBytes int) ([]byte, error) {
	within, certain := boundCopies(operations, object, patchBytes, MaxCopyBytes)
	if within == len(operations) {
		return operations.Apply(object)
	}
	if certain {
		if _, err := operations[:within+1].Apply(object); err != nil {
			return nil, err
		}
		return nil, errCopied
	}
	copied, read, begin := 0, 0, 0
	for i, o := range operations {
		if o.Kind() != "copy" {
			continue
		}
		if read += 2 * len(object); read > MaxCopyBytes {
			return nil, TooLarge(fmt.Sprintf("the copies of the patch read more than %d bytes", MaxCopyBytes))
		}
		var err error
		if object, err = operations[begin:i].Apply(object); err != nil {
			return nil, err
		}
		begin = i
		if copied += sizeOf(o, object); copied > MaxCopyBytes {
			return nil, errCopied
		}
	}
	return operations[begin:].Apply(object)
}

// errCopied refuses a patch as if it did not apply to the object.
var errCopied = Rejected("the copies of the patch add too much")

// escaped is the factor by which a value can grow when the library prints it again: "<" becomes "\u003c".
const escaped = 6

// boundCopies returns how many of the operations surely add at most that many bytes by their copies. The result certain
// says that the next one, a copy, adds more. Copying a value that no earlier operation has touched adds its size in
// the object; any other copy adds at most the whole object, which doubles it.
func boundCopies(operations jsonpatch.Patch, object []byte, patchBytes, most int) (within int, certain bool) {
	if !slices.ContainsFunc(operations, func(o jsonpatch.Operation) bool { return o.Kind() == "copy" }) {
		return len(operations), false
	}
	read, err := wire.Parse(object)
	if err != nil {
		return 0, false // the library reports the error
	}
	copied, certain, whole := 0, true, escaped*(len(object)+patchBytes)
	changed, sizes := touchedPaths{paths: map[string]bool{}, above: map[string]bool{}}, map[string]int{}
	for i, o := range operations {
		path, _ := o.Path()
		from, _ := o.From()
		switch o.Kind() {
		case "copy":
			adds, known := sizes[from]
			if changed.overlaps(from) {
				adds, certain = whole, false
			} else if !known {
				adds = sizeAt(read, from)
				sizes[from] = adds
			}
			if copied, whole = copied+adds, whole+adds; copied > most {
				return i, certain
			}
		case "move":
			changed.add(from)
		}
		changed.add(path)
	}
	return len(operations), false
}

// touchedPaths records where operations have changed an object: their paths, and every path above them.
type touchedPaths struct{ paths, above map[string]bool }

// add records a path. An operation on a list may move every item, so it counts as a change of the whole list.
func (t touchedPaths) add(path string) {
	at := strings.LastIndexByte(path, '/')
	if at >= 0 && (path[at+1:] == "-" || strings.Trim(path[at+1:], "0123456789") == "") {
		path = path[:at]
	}
	t.paths[path] = true
	for at := strings.LastIndexByte(path, '/'); at >= 0; at = strings.LastIndexByte(path, '/') {
		path = path[:at]
		t.above[path] = true
	}
}

// overlaps reports whether an operation has changed anything at, below or above a path.
func (t touchedPaths) overlaps(path string) bool {
	if t.above[path] {
		return true
	}
	for {
		if t.paths[path] {
			return true
		}
		at := strings.LastIndexByte(path, '/')
		if at < 0 {
			return false
		}
		path = path[:at]
	}
}

// sizeAt returns the bytes of the value at a path, or 0 if it does not exist.
func sizeAt(n *wire.Node, path string) int {
	for _, step := range strings.Split(path, "/")[1:] {
		step = strings.ReplaceAll(strings.ReplaceAll(step, "~1", "/"), "~0", "~")
		next := n.Member(step)
		if i, err := strconv.Atoi(step); n.Kind == wire.Array && err == nil && i >= 0 && i < len(n.Items) {
			next = n.Items[i]
		}
		if next == nil {
			return 0
		}
		n = next
	}
	return n.Size()
}

// sizeOf returns the bytes that a copy into a new member would add, or 0 if it copies nothing.
func sizeOf(copies jsonpatch.Operation, object []byte) int {
	path := json.RawMessage(`"/\u0001"`) // a member that the object does not have
	measured := jsonpatch.Patch{{"op": copies["op"], "from": copies["from"], "path": &path}}
	with, err := measured.Apply(object)
	if err != nil {
		return 0
	}
	return max(0, len(with)-len(object)-len(`"\u0001":,`))
}

// recoverCrash calls the library and returns ErrCrash if the library panics. To make it panic, a patch need only copy a
// missing value and then test it. Upstream's server recovers in the same way.
func recoverCrash(do func() ([]byte, error)) (out []byte, err error) {
	defer func() {
		if recover() != nil {
			out, err = nil, ErrCrash
		}
	}()
	if out, err = do(); err != nil {
		if _, large := err.(TooLarge); !large {
			err = Rejected(err.Error())
		}
	}
	return out, err
}
