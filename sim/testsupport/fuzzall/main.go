// Command fuzzall runs every fuzz target of some modules, one after the other, and counts the executions. It continues
// after a failure and reports the failed targets at the end.
//
//	fuzzall [-time 20s] [-parallel N] MODULE …
package main

import (
	"bufio"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// target is a fuzz target and its result.
type target struct {
	dir, name string
	execs     int64
	took      time.Duration
	failed    bool
}

func (t *target) String() string { return t.dir + " " + t.name }

func main() {
	fuzztime := flag.String("time", "20s", "how long each target runs")
	parallel := flag.Int("parallel", 0, "how many workers; 0 means one per processor")
	flag.Parse()
	var all []target
	for _, module := range flag.Args() {
		found, err := targets(module)
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		all = append(all, found...)
	}
	for i := range all {
		fmt.Printf("%s (%d of %d)\n", &all[i], i+1, len(all))
		all[i].run(*fuzztime, *parallel)
	}
	if !report(os.Stdout, all) {
		os.Exit(1)
	}
}

var declared = regexp.MustCompile(`(?m)^func (Fuzz\w+)\(\w+ \*testing\.F\)`)

// targets finds the fuzz targets of a module.
func targets(module string) ([]target, error) {
	list := exec.Command("go", "list", "-f", `{{$p := .}}{{range .TestGoFiles}}{{$p.Dir}}/{{.}}{{"\n"}}{{end}}{{range .XTestGoFiles}}{{$p.Dir}}/{{.}}{{"\n"}}{{end}}`, "./...")
	list.Dir, list.Stderr = module, os.Stderr
	out, err := list.Output()
	if err != nil {
		return nil, fmt.Errorf("go list in %s: %w", module, err)
	}
	here, err := os.Getwd()
	if err != nil {
		return nil, err
	}
	var all []target
	for _, file := range strings.Fields(string(out)) {
		source, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		dir, err := filepath.Rel(here, filepath.Dir(file))
		if err != nil {
			return nil, err
		}
		for _, found := range declared.FindAllSubmatch(source, -1) {
			all = append(all, target{dir: dir, name: string(found[1])})
		}
	}
	return all, nil
}

// run fuzzes a target and passes on everything that go test prints.
func (t *target) run(fuzztime string, parallel int) {
	args := []string{"test", "-run", "^$", "-fuzz", "^" + t.name + "$", "-fuzztime", fuzztime, "-fuzzminimizetime", "5x"}
	if parallel > 0 {
		args = append(args, "-parallel", strconv.Itoa(parallel))
	}
	test := exec.Command("go", append(args, ".")...)
	test.Dir = t.dir
	begun := time.Now()
	out, err := test.StdoutPipe()
	if err == nil {
		test.Stderr = test.Stdout
		err = test.Start()
	}
	if err == nil {
		var overtime bool
		t.execs, overtime = counted(io.TeeReader(out, os.Stdout))
		if err = test.Wait(); overtime {
			fmt.Println("the time ran out while an input ran; this is not a failure")
			err = nil
		}
	}
	t.took = time.Since(begun)
	if t.failed = err != nil; t.failed {
		fmt.Printf("%s: %s\n", t, err)
	}
}

// executions matches the counts that go test prints: first of the known inputs it has executed, later of all
// executions.
var executions = regexp.MustCompile(`^fuzz: elapsed: .*(?: execs: |baseline coverage: )(\d+)[ /]`)

// counted returns the last number of executions that go test printed. overtime reports that its only failure was the
// end of the time while an input ran, which go test before Go 1.27 sometimes reports as a failure:
// https://go.dev/issue/75804.
func counted(out io.Reader) (execs int64, overtime bool) {
	lines := bufio.NewScanner(out)
	lines.Buffer(nil, 64<<20) // a failure may quote its whole input
	before, failed := "", 0
	for lines.Scan() {
		line := lines.Text()
		if found := executions.FindStringSubmatch(line); found != nil {
			if n, err := strconv.ParseInt(found[1], 10, 64); err == nil {
				execs = n
			}
		}
		if strings.HasPrefix(strings.TrimSpace(line), "--- FAIL") {
			failed++
		}
		overtime = overtime || strings.HasPrefix(before, "--- FAIL") && line == "    context deadline exceeded"
		before = line
	}
	return execs, overtime && failed == 1
}

// report prints a line for each target and a total. It returns true if every target ran and none failed.
func report(out io.Writer, all []target) (fine bool) {
	var execs int64
	var took time.Duration
	failures := 0
	fmt.Fprintf(out, "\n%12s %9s\n", "executions", "a second")
	for i := range all {
		t := &all[i]
		execs, took = execs+t.execs, took+t.took
		verdict := ""
		if t.failed || t.execs == 0 {
			failures++
			verdict = "  FAILED"
		}
		fmt.Fprintf(out, "%12s %9s  %s%s\n", thousands(t.execs), thousands(perTime(t.execs, t.took, time.Second)), t, verdict)
	}
	fmt.Fprintf(out, "fuzz: %d targets, %s executions in %s (at this rate %s in an hour), %d failures\n",
		len(all), thousands(execs), took.Round(time.Second), thousands(perTime(execs, took, time.Hour)), failures)
	return failures == 0
}

// perTime returns how many executions fit into a length of time.
func perTime(execs int64, took, length time.Duration) int64 {
	if took <= 0 {
		return 0
	}
	return int64(float64(execs) * float64(length) / float64(took))
}

// thousands writes 1234567 as "1,234,567".
func thousands(n int64) string {
	text := strconv.FormatInt(n, 10)
	for at := len(text) - 3; at > 0; at -= 3 {
		text = text[:at] + "," + text[at:]
	}
	return text
}
