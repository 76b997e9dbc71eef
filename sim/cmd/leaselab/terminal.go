package main

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"sync"
	"sync/atomic"
	"time"
	"unicode/utf8"

	"github.com/leaselab/leaselab/sim/words"
)

// pen begins an escape sequence in a text on its way to the cleaner. It is a random character for private use, so that
// no input can know it: an escape sequence of leaselab itself reaches the terminal, one from a scenario does not.
var pen = string(rune(0xf0000 + rand.IntN(0xfffe)))

// rewrites makes the terminal write over its line.
var rewrites = pen + "[1G" + pen + "[K"

// cleaner writes text in which no character from the input can act on a terminal. It writes such a character in the
// form \u001b, which JSON and the quoted strings of YAML read as the character. A byte that is not UTF-8 becomes
// U+FFFD. Only the line break, the line break of CSV and the tab pass.
type cleaner struct {
	out  io.Writer
	mu   sync.Mutex
	rest []byte // the beginning of a character, or of the line break of CSV
}

// Write implements io.Writer.
func (c *cleaner) Write(data []byte) (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	text := data
	if len(c.rest) > 0 {
		text = append(c.rest, data...)
		c.rest = nil
	}
	if !isPlain(text) {
		whole := len(text) - unfinished(text)
		c.rest = bytes.Clone(text[whole:])
		text = clean(text[:whole])
	}
	if _, err := c.out.Write(text); err != nil {
		return 0, err
	}
	return len(data), nil
}

// finish writes what waits for the rest of a character.
func (c *cleaner) finish() error {
	if len(c.rest) == 0 {
		return nil
	}
	_, err := c.out.Write(clean(c.rest))
	return err
}

// isPlain reports whether a text consists of ASCII characters that need no cleaning.
func isPlain(text []byte) bool {
	for _, b := range text {
		if (b < ' ' && b != '\n' && b != '\t') || b > '~' {
			return false
		}
	}
	return true
}

// unfinished returns how many bytes at the end of a text may be part of a longer character.
func unfinished(text []byte) int {
	if bytes.HasSuffix(text, []byte("\r")) {
		return 1
	}
	for n := 1; n < utf8.UTFMax && n <= len(text); n++ {
		if end := text[len(text)-n:]; utf8.RuneStart(end[0]) {
			if utf8.FullRune(end) {
				return 0
			}
			return n
		}
	}
	return 0
}

// clean returns a text of whole characters, cleaned.
func clean(text []byte) []byte {
	out := make([]byte, 0, len(text)+16)
	own, _ := utf8.DecodeRuneInString(pen)
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRune(text[i:])
		switch {
		case r == own:
			out = append(out, '\x1b')
		case r == '\n', r == '\t', r == '\r' && bytes.HasPrefix(text[i:], []byte("\r\n")), !words.IsControl(r):
			out = utf8.AppendRune(out, r)
		default:
			out = fmt.Appendf(out, `\u%04x`, r)
		}
		i += size
	}
	return out
}

// standardError is standard error, cleaned. A write waits until the text is out, so that it stands in its place among
// the lines of standard output. But it does not wait for a reader that has stopped reading: `leaselab test` must end
// its copies anyway. So beyond some lines it drops what nobody reads, and later says so.
type standardError struct {
	out     io.Writer
	begin   sync.Once
	queue   chan said
	stuck   atomic.Bool
	dropped atomic.Int64
}

// said is a text for standard error. The channel closes when the text is out.
type said struct {
	text []byte
	out  chan struct{}
}

// How many writes to standard error may wait, how long a write waits for its reader, and how long the process does so
// at its end.
const (
	saidMost   = 1000
	saidWithin = 100 * time.Millisecond
	saidAtEnd  = 500 * time.Millisecond
)

var stderr = &standardError{out: os.Stderr}

// Write implements io.Writer. Whatever happens to the text, the command goes on, so Write returns no error.
func (e *standardError) Write(text []byte) (int, error) {
	one := e.say(text)
	if one.out != nil && !e.stuck.Load() {
		select {
		case <-one.out:
		case <-time.After(saidWithin):
			e.stuck.Store(true)
		}
	}
	return len(text), nil
}

// say puts a text into the queue. If the queue is full, the result has no channel.
func (e *standardError) say(text []byte) said {
	e.begin.Do(func() {
		e.queue = make(chan said, saidMost)
		go e.print(&cleaner{out: e.out})
	})
	one := said{bytes.Clone(text), make(chan struct{})}
	select {
	case e.queue <- one:
		return one
	default:
		e.dropped.Add(1)
		return said{}
	}
}

func (e *standardError) print(out io.Writer) {
	for one := range e.queue {
		_, _ = out.Write(one.text) // nobody could read about the failure
		close(one.out)
		if len(e.queue) > 0 {
			continue
		}
		e.stuck.Store(false)
		if n := e.dropped.Swap(0); n > 0 {
			fmt.Fprintf(out, "leaselab: %s missing here, because nobody read standard error in time\n",
				words.Count(n, "line is", "lines are"))
		}
	}
}

// end waits until everything is out, but not for a reader that has stopped reading.
func (e *standardError) end() {
	if one := e.say(nil); one.out != nil {
		select {
		case <-one.out:
		case <-time.After(saidAtEnd):
		}
	}
}
