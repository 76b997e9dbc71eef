// Package recorded reads recordings of real runs. Each package below it replays one kind of recording on our engine:
// elector, leasecandidate and coordinated replay runs of client-go and of kube-apiserver's controller, exchange
// replays the HTTP exchanges of a kube-apiserver, and figures compares simulated figures with measured ones.
//
// Guarantee: if our engine follows a recording, the package writes the same bytes again; the tests of each package
// compare the two. Non-guarantee: the package does not record, and no shipped program links it.
package recorded

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"os"

	"github.com/leaselab/leaselab/core/step"
	"github.com/leaselab/leaselab/sim/world"
)

// EpochMicros is the start of every recording, in microseconds since the Unix epoch.
const EpochMicros = world.EpochUnixNs / 1000

// Read returns the contents of a file, or of standard input for "-". It unpacks gzip.
func Read(name string) ([]byte, error) {
	in := io.Reader(os.Stdin)
	if name != "-" {
		f, err := os.Open(name)
		if err != nil {
			return nil, err
		}
		defer f.Close()
		in = f
	}
	data, err := io.ReadAll(in)
	if err != nil {
		return nil, err
	}
	if data, err = Unpack(data); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return data, nil
}

// Unpack unpacks gzip, and returns other data unchanged.
func Unpack(data []byte) ([]byte, error) {
	if !bytes.HasPrefix(data, []byte{0x1f, 0x8b}) {
		return data, nil
	}
	z, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	return io.ReadAll(z)
}

// OneOrMany decodes a JSON array, or a single value as an array of one. array reports whether it was an array.
func OneOrMany[T any](data []byte) (all []T, array bool, err error) {
	if trimmed := bytes.TrimSpace(data); len(trimmed) > 0 && trimmed[0] == '[' {
		err = json.Unmarshal(data, &all)
		return all, true, err
	}
	var one T
	if err = json.Unmarshal(data, &one); err != nil {
		return nil, false, err
	}
	return []T{one}, false, nil
}

// Line encodes a value as compact JSON, without HTML escapes and without a newline. It panics if the value does not
// encode.
func Line(v any) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		panic(err) // callers pass plain structs, which always encode
	}
	return bytes.TrimRight(b.Bytes(), "\n")
}

// Reading returns the exact clock readings of the recorder's node at an instant of the run.
func Reading(now int64) step.Reading {
	return step.Reading{Now: now, Mono: now, Wall: world.EpochUnixNs + now}
}
