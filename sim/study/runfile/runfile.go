// Package runfile keeps the finished runs of a study in a file: a header, then a line of JSON for each run, in any
// order. The commands sweep, advise, reroll, hunt and explore all use this format. The runs of hunt are its trials,
// and the runs of explore are the rounds of its search. Append on a File adds a run, Open resumes a file, and Read is
// for merging files.
//
// Guarantee: a run whose Append returned nil is in the file, whatever happens to the process afterwards. Open drops a
// line that a kill or a full disk cut off. Non-guarantee: Append does not wait for the disk. If the machine itself
// fails, runs may be missing, and a study that resumes makes them again.
package runfile

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"

	"github.com/leaselab/leaselab/sim/study"
	"github.com/leaselab/leaselab/sim/world"
)

// Format names the format and its version.
const Format = "leaselab.dev/runs/v2"

// Header is the first line of a file. It identifies the study of the runs, so resuming or merging needs no other
// data. SameStudy compares Plan byte for byte: if two scenarios differ in a single number, their runs belong to
// different studies.
type Header struct {
	Format string          `json:"format"`
	Engine int             `json:"engine"`
	Study  string          `json:"study"` // kind of plan, which is the name of its command
	Shard  string          `json:"shard"` // such as 0/7
	Runs   int             `json:"runs"`  // number of runs of the whole study; for a study in stages, an upper limit
	Plan   json.RawMessage `json:"plan"`  // everything that the runs depend on
	// Argument is the scenario as the command names it, or "" if Plan contains it. It may differ between the shards
	// of a study.
	Argument string `json:"argument,omitempty"`
	// command that starts the study again, for error messages
	Again string `json:"-"`
}

// NewHeader returns the header for a shard of a study. It stores the plan as JSON.
func NewHeader(h Header, shard study.Shard, plan any) (Header, error) {
	data, err := encode(plan)
	h.Format, h.Engine, h.Shard, h.Plan = Format, world.Engine, shard.String(), bytes.TrimSpace(data)
	return h, err
}

// encode writes a value as a line of JSON.
func encode(v any) ([]byte, error) {
	var line bytes.Buffer
	e := json.NewEncoder(&line)
	e.SetEscapeHTML(false)
	err := e.Encode(v)
	return line.Bytes(), err
}

// SameStudy returns an error with the difference, unless both headers belong to shards of one study.
func (h *Header) SameStudy(other *Header) error {
	switch {
	case h.Engine != other.Engine:
		return fmt.Errorf("engine %d, not %d", other.Engine, h.Engine)
	case h.Study != other.Study:
		return fmt.Errorf("they belong to `leaselab %s`, not to `leaselab %s`", other.Study, h.Study)
	case !bytes.Equal(h.Plan, other.Plan) || h.Runs != other.Runs:
		return errors.New("another scenario, or other arguments")
	}
	return nil
}

// line is a run as a line of the file.
type line[T any] struct {
	Run    int `json:"run"` // number of the run
	Result T   `json:"result"`
}

// File is a file of runs to append to. A nil File keeps nothing.
type File[T any] struct {
	name  string
	alone sync.Mutex // runs come from all cores
	to    io.Writer
	file  *os.File // nil in tests of a writer that fails
	size  int64    // size of the complete lines
}

// Open opens the file of a study, or creates it with the header. It calls the function have with each run in the
// file. It returns an error if the file belongs to another study, or comes from an older leaselab.
func Open[T any](name string, h Header, have func(number int, result T)) (*File[T], error) {
	f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o644)
	if err != nil {
		return nil, err
	}
	k := &File[T]{name: name, to: f, file: f}
	if info, err := f.Stat(); err == nil && !info.Mode().IsRegular() {
		f.Close()
		return nil, fmt.Errorf("%s is not a regular file, so leaselab could not read runs back from it", name)
	}
	if err := k.resume(&h, have); err != nil {
		f.Close()
		return nil, err
	}
	return k, nil
}

// `resume` reads the file, drops an incomplete last line, and writes a header to an empty file.
func (k *File[T]) resume(h *Header, have func(int, T)) error {
	first, err := encode(h)
	if err != nil {
		return err
	}
	there, size, err := read(k.file, k.name, nil, have)
	switch {
	case errors.Is(err, errNoHeader):
		begun, _ := os.ReadFile(k.name) // overwrite an incomplete header, but nothing else
		switch {
		case isOlder(begun):
			return fmt.Errorf("%s: an older leaselab wrote it, and this one cannot continue it; %s", k.name, h.advice())
		case !bytes.HasPrefix(first, begun):
			return fmt.Errorf("%s: not a file of runs, and not empty", k.name)
		}
		size = 0
	case err != nil:
		return err
	default:
		if err := h.SameStudy(there); err != nil {
			return fmt.Errorf("%s keeps the runs of another study: %w; %s", k.name, err, h.advice())
		}
		if there.Shard != h.Shard {
			return fmt.Errorf("%s keeps %s, not %s; name another file", k.name, partOf(there.Shard), partOf(h.Shard))
		}
	}
	k.size = size
	if err := k.file.Truncate(size); err != nil {
		return err
	}
	if size == 0 {
		return k.write(first)
	}
	return nil
}

// isOlder reports whether a text is the file of a hunt or a search from an earlier version.
func isOlder(text []byte) bool {
	return bytes.HasPrefix(text, []byte(`{"of":"`)) ||
		bytes.HasPrefix(text, []byte(`{"format":"leaselab.dev/exploration/`))
}

// advice explains how to start a header's study from its beginning.
func (h *Header) advice() string {
	if h.Again == "" {
		return "name another file, or delete this one"
	}
	return "name another file, or delete this one and start again: " + h.Again
}

// partOf describes which part of a study a shard is.
func partOf(shard string) string {
	if shard == (study.Shard{}).String() {
		return "the whole study"
	}
	return "shard " + shard
}

// Append adds a run. Several goroutines may call it at once. After an error the file keeps the earlier runs.
func (k *File[T]) Append(number int, result T) error {
	if k == nil {
		return nil
	}
	text, err := encode(line[T]{number, result})
	if err != nil {
		return err
	}
	k.alone.Lock()
	defer k.alone.Unlock()
	if err := k.write(text); err != nil {
		return fmt.Errorf("%s: %w; the file keeps the earlier runs, and the same command continues from there", k.name,
			err)
	}
	return nil
}

// write appends a complete line. If the disk is full in the middle of the line, it truncates the file to the last
// complete line, so that the earlier runs stay readable.
func (k *File[T]) write(text []byte) error {
	if _, err := k.to.Write(text); err != nil {
		if k.file != nil {
			_ = k.file.Truncate(k.size) // the next Open drops the line anyway
		}
		return err
	}
	k.size += int64(len(text))
	return nil
}

// Close closes the file.
func (k *File[T]) Close() error {
	if k == nil {
		return nil
	}
	return k.file.Close()
}

// Remove removes the file of a study that has nothing left to do.
func (k *File[T]) Remove() error { return os.Remove(k.name) }

// Read reads a file of runs. It calls the function begin with the header, and then the function have with each run. If
// `begin` returns an error, Read ends. It skips an incomplete last line.
func Read[T any](r io.Reader, name string, begin func(*Header) error, have func(number int, result T)) error {
	_, _, err := read(r, name, begin, have)
	if errors.Is(err, errNoHeader) {
		err = fmt.Errorf(
			"%s: not a file of runs: the first line must be the header that `leaselab sweep --resume FILE` writes",
			name)
	}
	return err
}

var errNoHeader = errors.New("no header")

func read[T any](r io.Reader, name string, begin func(*Header) error, have func(int, T)) (h *Header, size int64,
	err error) {
	in := bufio.NewReaderSize(r, 1<<16)
	for number := 1; ; number++ {
		text, err := readLine(in)
		switch {
		case errors.Is(err, errLong) && h == nil:
			return nil, 0, errNoHeader
		case err == io.EOF && h == nil:
			return nil, 0, errNoHeader
		case err == io.EOF:
			return h, size, nil // the rest, if any, is incomplete
		case err != nil:
			return h, size, fmt.Errorf("%s: %w", name, err)
		}
		if h == nil {
			h = &Header{}
			if err := json.Unmarshal(text, h); err != nil || h.Format != Format {
				return nil, 0, errNoHeader
			}
			if begin != nil {
				if err := begin(h); err != nil {
					return h, 0, err
				}
			}
		} else {
			var one line[T]
			if err := json.Unmarshal(text, &one); err != nil {
				return h, size, fmt.Errorf("%s:%d: not a run: %w", name, number, err)
			}
			if one.Run < 0 || one.Run >= h.Runs {
				return h, size, fmt.Errorf("%s:%d: no run %d: the study has %d", name, number, one.Run, h.Runs)
			}
			have(one.Run, one.Result)
		}
		size += int64(len(text))
	}
}

// maxLine limits the length of a line. A header contains a scenario of up to 4 MiB.
const maxLine = 16 << 20

var errLong = fmt.Errorf("a line is longer than %d bytes: not a file of runs", maxLine)

// readLine returns the next line with its line break. Without a limit, an endless line would use up the memory.
func readLine(in *bufio.Reader) (line []byte, err error) {
	for err = bufio.ErrBufferFull; err == bufio.ErrBufferFull; {
		var more []byte
		more, err = in.ReadSlice('\n')
		if line = append(line, more...); len(line) > maxLine {
			return nil, errLong
		}
	}
	return line, err
}
