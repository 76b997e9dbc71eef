package main

import (
	"fmt"
	"io"
	"os"
	"time"

	"github.com/leaselab/leaselab/sim/words"
)

// progress reports on standard error how far a long computation has come, how fast it is, and how long the rest will
// take. On a terminal it rewrites one line, after the first second; elsewhere it writes a line every ten seconds.
//
// Because of the delay of a second, short commands print no progress. Because of the ten seconds, a CI log stays short.
// The field "had" is the number of runs from the --resume file. They count as done, but not toward the speed: a study
// that resumes at 90 % did not make 900,000 runs in its first second.
type progress struct {
	out      io.Writer
	terminal bool
	begun    time.Time
	told     time.Time
	had      int // runs that were over before this process began
}

// newProgress starts the clock. A terminal gets its first report after a second, although the interval is shorter, so
// newProgress shifts the time of the last report.
func newProgress() *progress {
	p := &progress{out: stderr, begun: time.Now()}
	p.terminal = isTerminal(os.Stderr)
	p.told = p.begun.Add(time.Second - p.interval())
	if !p.terminal {
		p.told = p.begun
	}
	return p
}

// interval is the time between two reports: short if a report rewrites the line, long if each report adds a line.
func (p *progress) interval() time.Duration {
	if p.terminal {
		return 200 * time.Millisecond
	}
	return 10 * time.Second
}

// tell reports how many runs have ended (the argument "done") and how many there are in all ("of"). The argument "what"
// names the runs in the plural. Call it after every run: it returns at once unless it is time for a report.
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
		fmt.Fprintf(p.out, "%sleaselab: %s", rewrites, text)
		return
	}
	fmt.Fprintf(p.out, "leaselab: %s\n", text)
}

// doneOf has the numbers for a progress line. The field "done" includes the runs of earlier processes; the field "made"
// does not.
type doneOf struct{ done, of, made int }

// text says how far a computation has come. It cannot give the speed and the remaining time until this process has made
// its first run.
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

// erase erases the line before the answer appears. Within the first second the line is still empty, and an escape
// sequence would only garble the output of a quick command.
func (p *progress) erase() {
	if p.terminal && time.Since(p.begun) > time.Second {
		fmt.Fprint(p.out, rewrites)
	}
}
