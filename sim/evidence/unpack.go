package evidence

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"iter"
)

// ErrPacked is the error for damaged or incomplete gzip data.
var ErrPacked = errors.New("the gzip data is damaged, or cut off")

// Unpacker unpacks a gzip file that arrives in chunks. The file may have several members, like rotated logs joined by
// cat.
//
// The package compress/gzip pulls from a reader, but a browser pushes its chunks whenever they arrive. With
// iter.Pull, the loop that pulls can stop at the end of a chunk and continue with the next chunk, without a
// concurrent goroutine.
//
//	u := evidence.NewUnpacker()
//	defer u.Close()
//	for chunk := range chunks { // the last one is empty
//		data, err := u.Next(chunk)
//		for ; len(data) > 0; data, err = u.More() {
//			reader.Feed(name, data)
//		}
//		... // ErrPacked means that the data is bad
//	}
type Unpacker struct {
	rest []byte // rest of the chunk
	over bool   // no chunk follows
	fail error
	next func() (unpackStep, bool)
	stop func()
}

// unpackStep is the result of a step: bytes, an error, or neither if the Unpacker needs the next chunk.
type unpackStep struct {
	data []byte
	err  error
}

// NewUnpacker returns an Unpacker. Close it after use.
func NewUnpacker() *Unpacker {
	u := &Unpacker{}
	u.next, u.stop = iter.Pull(u.steps)
	return u
}

func (u *Unpacker) steps(yield func(unpackStep) bool) {
	in := chunks(func(into []byte) (int, error) {
		for len(u.rest) == 0 {
			if u.over {
				return 0, io.EOF
			}
			if !yield(unpackStep{}) {
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
		if n > 0 && !yield(unpackStep{data: buffer[:n]}) {
			return
		}
	}
	if err != io.EOF && err != io.ErrClosedPipe {
		yield(unpackStep{err: ErrPacked})
	}
}

type chunks func(into []byte) (int, error)

func (c chunks) Read(into []byte) (int, error) { return c(into) }

// unpackedMost limits how many bytes to return at once, because a chunk may unpack to a thousand times its size.
const unpackedMost = 1 << 20

// Next returns the first bytes of a chunk. An empty chunk ends the file. The error is ErrPacked if the file is
// damaged.
func (u *Unpacker) Next(chunk []byte) ([]byte, error) {
	u.rest, u.over = chunk, len(chunk) == 0
	return u.More()
}

// More returns the next bytes. It returns none when it needs the next chunk or the file has ended.
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

// Close frees the Unpacker.
func (u *Unpacker) Close() { u.stop() }
