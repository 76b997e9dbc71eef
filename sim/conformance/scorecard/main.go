// Command scorecard scores every elector that runs here with `leaselab score`, and writes the page of the documentation
// about the scores. `make scorecard` runs it.
//
// Guarantee: each elector is the published package, unmodified. A small adapter starts it, reports its work, and gives
// it 15 s, 10 s and 2 s as leaseDuration, renewDeadline and retryPeriod, if it has such settings. Non-guarantee: the
// runs are in real time, so an answer near its bound may differ in another run.
package main

import (
	_ "embed"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"text/template"
	"time"
)

// result is the score of one elector.
type result struct {
	Elector string  `json:"elector"`
	Package string  `json:"package"`
	Version string  `json:"version"`
	Date    string  `json:"date"`
	Passed  int     `json:"passed"`
	Failed  int     `json:"failed"`
	Open    int     `json:"open"`
	Results []probe `json:"results,omitempty"` // of the probes that do not pass
}

// probe is the answer to one probe, as `leaselab score -o json` prints it.
type probe struct {
	Probe string `json:"probe"`
	State string `json:"state"`
	Why   string `json:"why"`
	Known string `json:"known,omitempty"`
}

// elector is one elector of the scorecard.
type elector struct {
	name, module string
	flags        []string
	adapter      []string // a Node.js file, or the name of a Go elector
}

const codedependant, nullplatform = "@codedependant/kubernetes-leader-election", "@nullplatform/k8s-lease-lock"

var electors = []elector{
	{"client-go", "k8s.io/client-go", nil, []string{"client-go"}},
	{"client-go with ReleaseOnCancel", "k8s.io/client-go", nil, []string{"client-go-release"}},
	{"controller-runtime", "sigs.k8s.io/controller-runtime", nil, []string{"controller-runtime"}},
	{"controller-runtime with LeaderElectionReleaseOnCancel", "sigs.k8s.io/controller-runtime", nil,
		[]string{"controller-runtime-release"}},
	{"csi-lib-utils with ReleaseOnCancel", "github.com/kubernetes-csi/csi-lib-utils", nil, []string{"csi-lib-utils"}},
	{"wrangler", "github.com/rancher/wrangler/v3", nil, []string{"wrangler"}},
	{"kubernetes-leader-election for Node.js", codedependant, []string{"--parallel", "2"},
		[]string{"node", "codedependant.mjs"}},
	{"k8s-lease-lock for Node.js", nullplatform, []string{"--tls", "--parallel", "2"},
		[]string{"node", "nullplatform.mjs"}},
}

// score runs `leaselab score` on an elector.
func (e *elector) score(f *flags) (r result, err error) {
	r = result{Elector: e.name, Package: e.module, Date: time.Now().UTC().Format(time.DateOnly)}
	program := append([]string{f.built}, e.adapter...)
	if e.adapter[0] == "node" {
		node := filepath.Join(f.folder, "node")
		program = []string{"node", filepath.Join(node, e.adapter[1])}
		var about struct{ Version string }
		if err := read(filepath.Join(node, "node_modules", e.module, "package.json"), &about); err != nil {
			return r, fmt.Errorf("%w; make scorecard installs it", err)
		}
		r.Version = about.Version
	} else {
		list := exec.Command("go", "list", "-m", "-f", "{{.Version}}", e.module)
		list.Dir = filepath.Join(f.folder, "..", "elector")
		version, err := list.Output()
		if err != nil {
			return r, fmt.Errorf("go list: %w", err)
		}
		r.Version = strings.TrimSpace(string(version))
	}
	command := exec.Command(f.leaselab, append(append([]string{"score", "-q", "-o", "json"}, e.flags...),
		append([]string{"--"}, program...)...)...)
	command.Stderr = os.Stderr
	out, err := command.Output()
	var exit *exec.ExitError
	if err != nil && (!errors.As(err, &exit) || exit.ExitCode() != 2) { // 2: a probe failed
		return r, fmt.Errorf("%s: %w", e.name, err)
	}
	if err := json.Unmarshal(out, &r); err != nil {
		return r, fmt.Errorf("%s: %w", e.name, err)
	}
	all := r.Results
	r.Results = nil
	for _, p := range all {
		if e.adapter[0] == "node" {
			p.Known = "" // it is about client-go
		}
		if p.State != "passed" {
			r.Results = append(r.Results, p)
		}
	}
	return r, nil
}

func read(path string, into any) error {
	data, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	return json.Unmarshal(data, into)
}

//go:embed page.md.tmpl
var page string

// render writes the page about the results.
func render(results []result) (string, error) {
	about := template.Must(template.New("page").Funcs(template.FuncMap{
		"cell":  func(s string) string { return strings.ReplaceAll(s, "|", `\|`) },
		"total": func(r result) int { return r.Passed + r.Failed + r.Open },
	}).Parse(page))
	var out strings.Builder
	err := about.Execute(&out, results)
	return out.String(), err
}

// flags are the flags of the command.
type flags struct{ leaselab, folder, built, to, only string }

func (f *flags) run() error {
	file := filepath.Join(f.folder, "results.json")
	var results []result
	if err := read(file, &results); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	for i, e := range electors {
		if i == len(results) {
			results = append(results, result{Elector: e.name})
		}
		if f.only != "" && e.name != f.only {
			continue
		}
		log.Printf("scoring %s", e.name)
		one, err := e.score(f)
		if err != nil {
			return err
		}
		results[i] = one
		data, err := json.MarshalIndent(results, "", "  ")
		if err != nil {
			return err
		}
		if err := os.WriteFile(file, append(data, '\n'), 0o644); err != nil {
			return err
		}
	}
	text, err := render(results)
	if err != nil {
		return err
	}
	return os.WriteFile(f.to, []byte(text), 0o644)
}

func main() {
	var f flags
	flag.StringVar(&f.leaselab, "leaselab", "", "the command leaselab")
	flag.StringVar(&f.folder, "folder", "scorecard/testdata", "the folder of the adapters and of results.json")
	flag.StringVar(&f.built, "elector", "", "the built adapter for electors in Go")
	flag.StringVar(&f.to, "page", "", "the file of the page")
	flag.StringVar(&f.only, "only", "", "score only the elector with this name; - scores none")
	flag.Parse()
	if err := f.run(); err != nil {
		log.Fatal(err)
	}
}
