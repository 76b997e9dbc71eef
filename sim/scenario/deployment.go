package scenario

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/leaselab/leaselab/core/rollout"
	"github.com/leaselab/leaselab/core/wire"
)

// manifest is a Deployment under conversion. It remembers which fields it has used, so that the summary can list the
// rest.
type manifest struct {
	root   *node
	others []string // objects in the same file
	used   []string // paths
}

// Imported turns a Deployment in JSON into a scenario: its pods run for 20 s, and then a rolling update replaces them.
// Of a List, it reads the first Deployment. The summary of the scenario says what Imported has assumed and lists the
// other objects and the fields of spec that it has not read. It returns any other document unchanged.
func Imported(document []byte) []byte {
	if len(document) > MaxBytes || !bytes.Contains(document, []byte(`"Deployment"`)) {
		return document
	}
	root, err := readTree(document)
	if err != nil || root.Kind != wire.ObjectKind {
		return document
	}
	items := []*node{root}
	if list := root.field("items"); root.at("kind").Text == "List" && list != nil {
		items = items[:0]
		for i := range list.Items {
			items = append(items, list.item(i))
		}
	}
	at := slices.IndexFunc(items, func(n *node) bool { return n.at("kind").Text == "Deployment" })
	if at < 0 {
		return document
	}
	m := manifest{root: items[at]}
	for _, n := range slices.Delete(items, at, at+1) {
		m.others = append(m.others, n.at("kind").Text+" "+n.at("metadata").at("name").Text)
	}
	return Encode(m.scenario())
}

// updateAt is when the rolling update begins. By then, a pod leads.
const updateAt = Duration(20 * time.Second)

func (m *manifest) scenario() Scenario {
	name := "deployment"
	if given := m.find("metadata.name"); given != nil && given.Text != "" {
		name = given.Text
	}
	replicas := m.whole("spec.replicas", 1)
	a := Action{At: updateAt, Act: ActRollingUpdate,
		Grace: m.seconds("spec.template.spec.terminationGracePeriodSeconds")}
	notes := m.strategy(&a, replicas)
	s := Scenario{APIVersion: APIVersion, Kind: Kind, Seed: DefaultSeed, Name: name, Title: "Rolling update of " + name,
		Candidates: []Candidate{{Name: name, Replicas: replicas}}}
	flags := false
	if list := m.find("spec.template.spec.containers"); list != nil {
		for i := range list.Items {
			flags = m.container(index("spec.template.spec.containers", i), &a, &s.Elector) || flags
		}
	}
	a.Every += m.seconds("spec.minReadySeconds")
	s.Actions = []Action{a}
	fillRollingUpdate(&a)
	s.Duration = updateAt + Duration(replicas)*a.Every + a.PreStop + a.Grace + Duration(time.Minute)
	if a.Readiness == ReadinessLeader {
		notes += " Only the leader counts as ready, because of the path of the readiness probe."
	}
	if !flags {
		notes += " No flag sets the election. So client-go's defaults apply."
		notes += " A stopped leader does not release the Lease."
	}
	if unread := m.unread(m.others, "spec", m.root.field("spec")); len(unread) > 0 {
		notes += " Not read: " + strings.Join(unread, ", ") + "."
	}
	s.Summary = notes
	return s
}

// strategy reads how many pods an update may add, and how many may be missing. Kubernetes' default for both is 25%.
func (m *manifest) strategy(a *Action, replicas int) (notes string) {
	pods := func(field string, up bool) int {
		if n := m.find("spec.strategy.rollingUpdate." + field); n != nil {
			if pods, ok := rollout.Scale(n.Text, replicas, up); ok {
				m.use("spec.strategy.rollingUpdate." + field)
				return pods
			}
		}
		pods, _ := rollout.Scale("25%", replicas, up)
		return pods
	}
	s := rollout.Strategy{Replicas: replicas, Surge: pods("maxSurge", true),
		Unavailable: pods("maxUnavailable", false)}
	if kind := m.find("spec.strategy.type"); kind != nil && kind.Text == "RollingUpdate" {
		m.use("spec.strategy.type")
	} else if kind != nil {
		s.Surge, s.Unavailable = 0, replicas
		notes = "The strategy is not RollingUpdate: the run stops all pods at once, but the new ones do not wait " +
			"until the old ones have ended. "
	}
	s = s.Resolve()
	a.MaxSurge, a.MaxUnavailable = &s.Surge, &s.Unavailable
	return fmt.Sprintf("%smaxSurge is %d and maxUnavailable %d of %d.", notes, s.Surge, s.Unavailable, replicas)
}

// container reads a container's hook, its readiness probe and its flags, and reports whether a flag sets the election.
// The longest hook delays the whole pod.
func (m *manifest) container(at string, a *Action, e *Elector) (flags bool) {
	a.PreStop = max(a.PreStop, m.seconds(at+".lifecycle.preStop.sleep.seconds"))
	if n := m.find(at + ".lifecycle.preStop.exec.command"); n != nil {
		_, length, _ := strings.Cut(n.words(), "sleep ")
		if d, err := time.ParseDuration(strings.TrimSuffix(length, "s") + "s"); err == nil && d > 0 {
			a.PreStop = max(a.PreStop, Duration(d))
			m.use(at + ".lifecycle.preStop.exec.command")
		}
	}
	a.Every = max(a.Every, m.seconds(at+".readinessProbe.initialDelaySeconds"))
	probe := at + ".readinessProbe.httpGet.path"
	if n := m.find(probe); n != nil && strings.Contains(n.Text, "leader") {
		a.Readiness = ReadinessLeader
		m.use(probe)
	}
	for _, list := range []string{at + ".args", at + ".command"} {
		if n := m.find(list); n != nil && readFlags(n.words(), e) {
			flags = true
			m.use(list)
		}
	}
	return flags
}

// readFlags reads the flags of the election from a command line, and reports whether it found one.
func readFlags(line string, e *Elector) (found bool) {
	words := strings.FieldsFunc(line, func(r rune) bool { return r == ' ' || r == '=' || r == '\n' })
	for k, word := range words[:max(0, len(words)-1)] {
		flag := strings.TrimLeft(word, "-")
		if flag == word || !strings.HasPrefix(flag, "leader-elect") {
			continue
		}
		d, err := time.ParseDuration(words[k+1])
		for suffix, field := range map[string]**Duration{"lease-duration": &e.LeaseDuration,
			"renew-deadline": &e.RenewDeadline, "retry-period": &e.RetryPeriod} {
			if strings.HasSuffix(flag, suffix) && err == nil {
				*field, found = new(Duration(d)), true
			}
		}
		if strings.HasSuffix(flag, "release-on-cancel") && words[k+1] == "true" {
			e.ReleaseOnCancel, found = new(true), true
		}
	}
	return found
}

// words joins the texts of a list.
func (n *node) words() string {
	var all []string
	for _, item := range n.Items {
		all = append(all, item.Text)
	}
	return strings.Join(all, " ")
}

// find returns the value at a path, or nil.
func (m *manifest) find(path string) *node {
	n := m.root
	for _, step := range splitPath(path) {
		next := n.at(step)
		if next == n {
			return nil
		}
		n = next
	}
	return n
}

// whole reads a number of at least 0, or returns the default.
func (m *manifest) whole(path string, usual int) int {
	if n := m.find(path); n != nil && n.Kind == wire.Number {
		if value, err := strconv.ParseUint(n.Text, 10, 22); err == nil {
			m.use(path)
			return int(value)
		}
	}
	return usual
}

func (m *manifest) seconds(path string) Duration {
	return Duration(m.whole(path, 0)) * Duration(time.Second)
}

func (m *manifest) use(path string) { m.used = append(m.used, path) }

// unread lists the fields under a path that no part of the scenario comes from. A group without any use is
// one entry.
func (m *manifest) unread(all []string, path string, n *node) []string {
	if n == nil || slices.Contains(m.used, path) {
		return all
	}
	inside := func(used string) bool { return strings.HasPrefix(used, path+".") || strings.HasPrefix(used, path+"[") }
	if path != "spec" && !slices.ContainsFunc(m.used, inside) {
		return append(all, path)
	}
	for i := range n.Items {
		if n.Kind == wire.Array {
			all = m.unread(all, index(path, i), n.item(i))
		} else {
			all = m.unread(all, join(path, n.Names[i]), n.item(i))
		}
	}
	return all
}
