package main

import (
	"fmt"
	"io"
	"os"
	"time"

	"github.com/leaselab/leaselab/sim/words"
)

// progress reports on standard error how far a long computation is, how fast it is, and how long the rest will take. On
// a terminal it rewrites one line, after the first second; elsewhere it writes a line every ten seconds.
type progress struct {
	out      io.Writer
	terminal bool
	begun    time.Time
	told     time.Time
	had      int // done before it began
}

func newProgress() *progress {
	p := &progress{out: os.Stderr, begun: time.Now()}
	p.terminal = isTerminal(os.Stderr)
	p.told = p.begun.Add(time.Second - p.interval())
	if !p.terminal {
		p.told = p.begun
	}
	return p
}

func (p *progress) interval() time.Duration {
	if p.terminal {
		return 200 * time.Millisecond
	}
	return 10 * time.Second
}

func (p *progress) tell(done, of int, what string) {
	d := doneOf{done, of, done - p.had}
	p.say(func(took time.Duration) string { return d.text(took, what) })
}

// say is like tell, but with the computation's own text. It calls text only when it is time to print.
func (p *progress) say(words func(took time.Duration) string) {
	now := time.Now()
	if now.Sub(p.told) < p.interval() {
		return
	}
	p.told = now
	text := words(now.Sub(p.begun))
	if p.terminal {
		fmt.Fprintf(p.out, "\r\x1b[Kleaselab: %s", text)
		return
	}
	fmt.Fprintf(p.out, "leaselab: %s\n", text)
}

// doneOf says how far a computation is, and how fast this process computes.
type doneOf struct{ done, of, made int }

func (d doneOf) text(took time.Duration, what string) string {
	text := fmt.Sprintf("%s of %s %s", words.Thousands(int64(d.done)), words.Thousands(int64(d.of)), what)
	if d.made <= 0 || took <= 0 {
		return text
	}
	rate := float64(d.made) / took.Seconds()
	left := time.Duration(float64(d.of-d.done) / rate * float64(time.Second))
	return fmt.Sprintf("%s, %s/s, %s left", text, roundRate(rate), left.Round(time.Second))
}

// roundRate writes a rate with about three significant digits.
func roundRate(rate float64) string {
	if rate < 10 {
		return fmt.Sprintf("%.1f", rate)
	}
	return words.Thousands(int64(rate + 0.5))
}

// erase erases the line.
func (p *progress) erase() {
	if p.terminal && time.Since(p.begun) > time.Second {
		fmt.Fprint(p.out, "\r\x1b[K")
	}
}
