package evidence

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"iter"
)

// ErrPacked says that gzip data cannot be unpacked.
var ErrPacked = errors.New("the gzip data is damaged, or cut off")

// Unpacker unpacks a gzip file that comes in chunks. The file may have several members, such as rotated logs that cat
// joins.
type Unpacker struct {
	rest []byte // of the chunk
	over bool   // no chunk follows
	fail error
	next func() (unpacked, bool)
	stop func()
}

// unpacked is what a step gives: bytes, an error, or neither if the next chunk is needed.
type unpacked struct {
	data []byte
	err  error
}

// NewUnpacker returns one that must be closed.
func NewUnpacker() *Unpacker {
	u := &Unpacker{}
	u.next, u.stop = iter.Pull(u.steps)
	return u
}

func (u *Unpacker) steps(yield func(unpacked) bool) {
	in := chunks(func(into []byte) (int, error) {
		for len(u.rest) == 0 {
			if u.over {
				return 0, io.EOF
			}
			if !yield(unpacked{}) {
				return 0, io.ErrClosedPipe
			}
		}
		n := copy(into, u.rest)
		u.rest = u.rest[n:]
		return n, nil
	})
	file, err := gzip.NewReader(in)
	for buffer := make([]byte, 64<<10); err == nil; {
		var n int
		n, err = file.Read(buffer)
		if n > 0 && !yield(unpacked{data: buffer[:n]}) {
			return
		}
	}
	if err != io.EOF && err != io.ErrClosedPipe {
		yield(unpacked{err: ErrPacked})
	}
}

type chunks func(into []byte) (int, error)

func (c chunks) Read(into []byte) (int, error) { return c(into) }

// unpackedMost is about how many bytes are given at once: a chunk may hold a thousand times its size.
const unpackedMost = 1 << 20

// Next returns the first bytes that a chunk gives. An empty chunk ends the file: ErrPacked if it is damaged.
func (u *Unpacker) Next(chunk []byte) ([]byte, error) {
	u.rest, u.over = chunk, len(chunk) == 0
	return u.More()
}

// More returns the next bytes, none when the next chunk is needed or the file is over.
func (u *Unpacker) More() ([]byte, error) {
	var out bytes.Buffer
	for out.Len() < unpackedMost {
		step, more := u.next()
		if step.err != nil {
			u.fail = step.err
		}
		if !more || step.data == nil {
			break
		}
		out.Write(step.data)
	}
	if out.Len() == 0 {
		return nil, u.fail
	}
	return out.Bytes(), nil
}

// Close frees it.
func (u *Unpacker) Close() { u.stop() }
