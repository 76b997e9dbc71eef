package evidence

import (
	"cmp"
	"fmt"
	"slices"
	"sort"
	"strings"
	"time"
)

// Kubernetes Events and metrics say who led, but coarsely: an Event to the second, a metric to the interval at which
// Prometheus reads it. They also stay silent about renewals and losses. So they do not take part in the timeline. If
// better files exist, the report says whether they agree. If not, the report lists the leaders, and names no cause.

// coarseSign says that a candidate led at an instant.
type coarseSign struct {
	ns     int64
	within int64 // how exact the instant is
	holder string
	kind   Kind
	place  Place
}

// addEvent adds an Event that client-go's recorder wrote: "node-a became leader".
func (r *Reader) addEvent(f *file, one *record, p Place) {
	holder, became := strings.CutSuffix(one.message, " became leader")
	if one.event.reason != "LeaderElection" || one.event.name == "" {
		r.other(f, int(p.line), "an Event of another kind")
		return
	}
	f.records[Events]++
	for _, ns := range []int64{one.event.firstNs, one.event.lastNs} {
		if ns == 0 || !became || !r.near(ns) {
			continue
		}
		if m := r.of(one.event.namespace+"/"+one.event.name, p); m != nil {
			m.coarse.add(coarseSign{ns, int64(time.Second), r.words.of([]byte(holder)), Events, p})
		}
	}
}

// addSeries adds a series of Prometheus that says who leads: leader_election_master_status of client-go, for each
// candidate, or kube_lease_owner of kube-state-metrics, for each holder.
func (r *Reader) addSeries(f *file, one *record, p Place) {
	labels := one.metric
	name, holder := labels["lease"], labels["lease_holder"]
	if labels["__name__"] == "leader_election_master_status" {
		name, holder = labels["name"], cmp.Or(labels["pod"], labels["instance"])
	} else if labels["__name__"] != "kube_lease_owner" {
		if !strings.HasPrefix(labels["__name__"], "kube_lease_") {
			r.other(f, int(p.line), "a metric that says nothing about leaders")
		}
		return
	}
	f.records[Metrics]++
	full := labels["namespace"] + "/" + name
	if labels["namespace"] == "" && strings.HasSuffix(r.options.Lease, full) {
		full = r.options.Lease // the metric of client-go names no namespace
	}
	s := &scan{data: one.values}
	before, last, step := 0.0, int64(0), int64(0)
	var turned []int64 // when the value became 1
	s.array(func() {
		var ns int64
		value, column := 0.0, 0
		s.array(func() {
			if column++; column == 1 {
				ns = s.instant()
			} else {
				value = s.number()
			}
		})
		if last != 0 && (step == 0 || ns-last < step) {
			step = ns - last
		}
		last = ns
		if value == 1 && before != 1 && r.near(ns) {
			turned = append(turned, ns)
		}
		before = value
	})
	for _, ns := range turned {
		if m := r.of(full, p); m != nil {
			m.coarse.add(coarseSign{ns, step, r.words.of([]byte(holder)), Metrics, p})
		}
	}
}

// signs returns the coarse signs of a kind in order. It leaves out a sign that repeats the leader before.
func (m *material) signs(kind Kind) (all []coarseSign) {
	every := slices.Clone(m.coarse.all())
	sort.SliceStable(every, func(i, k int) bool { return every[i].ns < every[k].ns })
	for _, one := range every {
		if one.kind == kind && (len(all) == 0 || all[len(all)-1].holder != one.holder) {
			all = append(all, one)
		}
	}
	return all
}

// adopt moves the signs of a metric that names no namespace to the only Lease of that name.
func (r *Reader) adopt() {
	for name, m := range r.found {
		short, is := strings.CutPrefix(name, "/")
		if !is || m.writes.len()+m.lines.len() > 0 {
			continue
		}
		var fits []*material
		for other, full := range r.found {
			if other != name && strings.HasSuffix(other, "/"+short) {
				fits = append(fits, full)
			}
		}
		if len(fits) == 1 {
			for _, one := range m.coarse.all() {
				fits[0].coarse.add(one)
			}
			m.coarse = pile[coarseSign]{}
		}
	}
}

// tellCoarse reports what Events and metrics show.
func (r *Reader) tellCoarse(c *caseOf) {
	out := c.LeaseReport
	for _, kind := range []Kind{Events, Metrics} {
		signs := c.m.signs(kind)
		if len(signs) == 0 {
			continue
		}
		within := signs[0].within
		about := fmt.Sprintf("the %s, exact to %s,", kind, time.Duration(within).Round(time.Millisecond))
		if len(c.terms) == 0 {
			out.Limits = []string{"Only " + about + " show the leaders. They do not show renewals, losses or causes."}
			out.Settings = nil
			r.tellSigns(out, signs)
			return
		}
		var places []Place
		var who []string
		for _, one := range signs {
			places = append(places, one.place)
			who = append(who, fmt.Sprintf("%s at %s", one.holder, clock(one.ns)))
		}
		says := "Coarsely, " + about + " agree: "
		if !agree(signs, c.terms) {
			says = "Coarsely, " + about + " differ: "
		}
		out.Evidence = append(out.Evidence, Finding{Says: says + strings.Join(who, ", then ") + ".",
			At: instantText(signs[0].ns), Lines: r.lines(places...)})
	}
}

// agree reports whether coarse signs show the same leaders as the terms, and from about the same times on. The first
// sign may come later than the first term.
func agree(signs []coarseSign, terms []term) bool {
	const delayNs = int64(5 * time.Second) // the recorder of Events sends them in its own time
	k := 0
	for i := range terms {
		if i > 0 && terms[i].holder == terms[i-1].holder {
			continue
		}
		if k == len(signs) || signs[k].holder != terms[i].holder ||
			k > 0 && max(signs[k].ns-terms[i].fromNs, terms[i].fromNs-signs[k].ns) > signs[k].within+delayNs {
			return false
		}
		k++
	}
	return k == len(signs)
}

// isCoarse reports whether only Events and metrics show the Lease.
func (l *LeaseReport) isCoarse() bool { return len(l.terms) == 0 && len(l.LeaderChanges) > 0 }

// tellSigns reports leader changes of which only coarse signs exist.
func (r *Reader) tellSigns(out *LeaseReport, signs []coarseSign) {
	before := ""
	for _, one := range signs {
		out.LeaderChanges = append(out.LeaderChanges, Change{At: instantText(one.ns), From: before, To: one.holder,
			Lines: r.lines(one.place)})
		before = one.holder
	}
	out.Cause, out.Confidence = "", 0
	out.FromTime, out.ToTime = instantText(signs[0].ns), instantText(signs[len(signs)-1].ns)
}
