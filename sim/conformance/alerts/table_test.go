// Package alerts plays the shipped incidents, and evaluates the alert rules of web/docs/alerts.yaml with Prometheus' own
// engine on what Prometheus would have scraped. `make alerts` writes the table and the page.
package alerts

import (
	_ "embed"
	"encoding/json"
	"flag"
	"os"
	"slices"
	"strings"
	"testing"
	"text/template"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/leaselab/leaselab/sim/scenario"
	"github.com/leaselab/leaselab/sim/scenario/shipped"
)

var update = flag.Bool("update", false, "write the table and the page")

const (
	tableFile, pageFile = "testdata/table.json", "../../../web/docs/alerts.md"
	// a run goes on for this long after its end, so that an alert can fire if the situation lasts
	extension = 10 * time.Minute
)

//go:embed testdata/page.md.tmpl
var page string

// normal are runs of the menu that must fire no alert.
var normal = []string{"fault-free", "first-election", "crash", "graceful-stop-release", "rolling-update", "api-outage-8s",
	"lossy-network", "hand-over", "many"}

// row says which alerts a run fires. It has no verdict on an alert whose expression never held.
type row struct {
	Incident string `json:"incident,omitempty"`
	Scenario string `json:"scenario"`
	Title    string `json:"title"`
	// RenewalsSlow says nothing about this run, because each renewal of a coordinated election takes the slow path
	Coordinated bool               `json:"coordinated,omitempty"`
	Alerts      map[string]verdict `json:"alerts"`
}

func (r row) fires() bool {
	for _, v := range r.Alerts {
		if v.FiresAtSeconds > 0 {
			return true
		}
	}
	return false
}

// play plays a scenario and evaluates all rules.
func play(t *testing.T, s scenario.Scenario) row {
	duration := (time.Duration(s.Duration) + extension).Round(interval)
	d := record(s, duration)
	one := row{Scenario: s.Name, Title: s.Title, Coordinated: d.coordinated, Alerts: map[string]verdict{}}
	for _, rule := range readRules(t) {
		if d.coordinated && rule.Alert == "RenewalsSlow" {
			continue
		}
		if v := evaluate(t, d, &rule, duration); v != (verdict{}) {
			one.Alerts[rule.Alert] = v
		}
	}
	return one
}

// tables are what the page shows.
type tables struct {
	Incidents []row `json:"incidents"`
	Normal    []row `json:"normal"`
}

func TestTables(t *testing.T) {
	var all tables
	for _, s := range shipped.List() {
		if s.Museum == nil || s.Museum.Variant != scenario.VariantFailing {
			continue
		}
		one := play(t, s)
		one.Incident = s.Museum.Catalogue
		all.Incidents = append(all.Incidents, one)
	}
	for _, name := range normal {
		one := play(t, named(t, name))
		assert.False(t, one.fires(), "%s fires: %v", name, one.Alerts)
		all.Normal = append(all.Normal, one)
	}
	table, err := json.MarshalIndent(all, "", "  ")
	require.NoError(t, err)
	compare(t, tableFile, string(table)+"\n")
	compare(t, pageFile, write(t, all))
}

func named(t *testing.T, name string) scenario.Scenario {
	s, known := shipped.ByName(name)
	require.True(t, known, name)
	return s
}

// A crash at any instant fires no alert: each rule waits longer than the takeover takes.
func TestTakeovers(t *testing.T) {
	s := named(t, "crash-any-time")
	for s.Seed = range 100 {
		one := play(t, s)
		assert.False(t, one.fires(), "seed %d: %v", s.Seed, one.Alerts)
	}
}

// LeaseNotRenewed reads the leader's clock: it fires for a healthy leader whose clock is behind, and not for a dead one
// whose clock is ahead. NobodyLeads reads no clock.
func TestWrongClock(t *testing.T) {
	for offset, fires := range map[time.Duration]bool{0: false, -time.Hour: true} {
		assert.Equal(t, fires, play(t, withClock(t, "fault-free", offset)).fires(), "%s", offset)
	}
	for offset, fires := range map[time.Duration]bool{0: true, time.Hour: false} {
		alerts := play(t, withClock(t, "b38-lost-once", offset)).Alerts
		assert.Equal(t, fires, alerts["LeaseNotRenewed"].FiresAtSeconds > 0, "%s", offset)
		assert.Positive(t, alerts["NobodyLeads"].FiresAtSeconds, "%s", offset)
	}
}

// Where some renewals time out, only RenewalsSlow fires: no leader changes.
func TestSlowRenewals(t *testing.T) {
	for alert, v := range play(t, named(t, "long-tail")).Alerts {
		assert.Equal(t, alert == "RenewalsSlow", v.FiresAtSeconds > 0, alert)
	}
}

// withClock gives all candidates of a scenario a clock with an offset.
func withClock(t *testing.T, name string, offset time.Duration) scenario.Scenario {
	s := named(t, name)
	s.Candidates = slices.Clone(s.Candidates)
	for i := range s.Candidates {
		s.Candidates[i].Clock = &scenario.Clock{Offset: scenario.Duration(offset)}
	}
	return s
}

func compare(t *testing.T, file, now string) {
	if *update {
		require.NoError(t, os.WriteFile(file, []byte(now), 0o644))
	}
	stored, err := os.ReadFile(file)
	require.NoError(t, err)
	assert.Equal(t, string(stored), now, "make alerts writes %s", file)
}

// write returns the page.
func write(t *testing.T, all tables) string {
	rules, err := os.ReadFile(rulesFile)
	require.NoError(t, err)
	var alerts []string
	for _, r := range readRules(t) {
		alerts = append(alerts, r.Alert)
	}
	funcs := template.FuncMap{
		"address": func(r row) string {
			id := strings.ToLower(r.Incident)
			return "incident/" + id + "-" + strings.TrimPrefix(r.Scenario, id+"-") + ".html"
		},
		"cells": func(r row) map[string]any { return map[string]any{"Row": r, "Alerts": alerts} },
		"fired": func(alert string) int {
			return count(all.Incidents, func(r row) bool { return r.Alerts[alert].FiresAtSeconds > 0 })
		},
		"silent": func() int { return count(all.Incidents, func(r row) bool { return !r.fires() }) },
		"unseen": func() int { return count(all.Incidents, func(r row) bool { return len(r.Alerts) == 0 }) },
	}
	var out strings.Builder
	about := template.Must(template.New("page").Funcs(funcs).Parse(page))
	require.NoError(t, about.Execute(&out, map[string]any{"Rules": string(rules), "Alerts": alerts, "All": all}))
	return out.String()
}

func count(rows []row, is func(row) bool) (n int) {
	for _, r := range rows {
		if is(r) {
			n++
		}
	}
	return n
}
