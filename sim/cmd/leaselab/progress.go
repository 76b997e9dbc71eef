package main

import (
	"fmt"
	"io"
	"os"
	"time"
)

// progress reports on standard error how far a long computation is. On a terminal it rewrites one line, from the second
// second on; elsewhere it writes a line every ten seconds.
type progress struct {
	out      io.Writer
	terminal bool
	begun    time.Time
	told     time.Time
}

func newProgress() *progress {
	p := &progress{out: os.Stderr, begun: time.Now()}
	p.terminal = isTerminal(os.Stderr)
	p.told = p.begun.Add(time.Second - p.every())
	if !p.terminal {
		p.told = p.begun
	}
	return p
}

func (p *progress) every() time.Duration {
	if p.terminal {
		return 200 * time.Millisecond
	}
	return 10 * time.Second
}

func (p *progress) tell(done, of int, what string) {
	now := time.Now()
	if now.Sub(p.told) < p.every() {
		return
	}
	p.told = now
	if p.terminal {
		fmt.Fprintf(p.out, "\r\x1b[Kleaselab: %d of %d %s", done, of, what)
		return
	}
	fmt.Fprintf(p.out, "leaselab: %d of %d %s\n", done, of, what)
}

// over erases the line.
func (p *progress) over() {
	if p.terminal && time.Since(p.begun) > time.Second {
		fmt.Fprint(p.out, "\r\x1b[K")
	}
}
