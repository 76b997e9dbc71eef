package explore

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/leaselab/leaselab/core/digest"
	"github.com/leaselab/leaselab/sim/scenario"
	"github.com/leaselab/leaselab/sim/world"
)

// Format names the format of a kept search and its version: a line of JSON, and 28 bytes for each state.
const Format = "leaselab.dev/exploration/v1"

// header is the first line of a kept search.
type header struct {
	Format string     `json:"format"`
	Engine int        `json:"engine"`
	Plan   keptPlan   `json:"plan"`
	Counts Counts     `json:"counts"`
	Stack  []keptStep `json:"stack"`
	Goes   bool       `json:"goes"` // the option of the last step has been chosen, and not followed yet
	Over   bool       `json:"over"`
	Found  *keptFound `json:"found,omitempty"`
	States int        `json:"states"` // that follow
}

// keptPlan is what the schedules depend on.
type keptPlan struct {
	Scenario json.RawMessage `json:"scenario"`
	Sets     []string        `json:"sets"`
	Draws    []float64       `json:"draws"`
	DelaysNs []int64         `json:"delaysNs"`
	Order    bool            `json:"order"`
	FromNs   int64           `json:"fromNs"`
	ToNs     int64           `json:"toNs"`
	UntilNs  int64           `json:"untilNs"`
	Rules    []string        `json:"rules"`
	Depth    int             `json:"depth"`
}

// keptStep is a choice of the schedule under way.
type keptStep struct {
	Count  int32 `json:"count"`
	Chosen int32 `json:"chosen"`
	Next   int32 `json:"next"`
}

type keptFound struct {
	Rule int     `json:"rule"`
	AtNs int64   `json:"atNs"`
	Path []int32 `json:"path"`
}

func (p *Plan) kept() keptPlan {
	k := keptPlan{
		Scenario: scenario.Encode(p.Scenario), Sets: append([]string{}, p.Sets...), Draws: append([]float64{}, p.Draws...), DelaysNs: append([]int64{}, p.DelaysNs...), Order: p.Order,
		FromNs: p.FromNs, ToNs: p.ToNs, UntilNs: p.UntilNs, Depth: p.Depth,
	}
	for _, rule := range p.Rules {
		k.Rules = append(k.Rules, rule.String())
	}
	return k
}

// entryBytes is the size of a state in a kept search: its name, and when and how deep the search has been there.
const entryBytes = 28

// Save writes the search, so that another process can go on with it.
func (x *Explorer) Save(to io.Writer) error {
	h := header{Format: Format, Engine: world.Engine, Plan: x.plan.kept(), Counts: x.counts, Goes: x.at != nil, Over: x.over, States: len(x.visited), Stack: []keptStep{}}
	for i := range x.stack {
		f := &x.stack[i]
		h.Stack = append(h.Stack, keptStep{f.count, f.chosen, f.next})
	}
	if x.found != nil {
		h.Found = &keptFound{x.found.rule, x.found.atNs, x.found.path}
	}
	out := bufio.NewWriter(to)
	if err := json.NewEncoder(out).Encode(h); err != nil {
		return err
	}
	names := make([]digest.Name, 0, len(x.visited))
	for name := range x.visited {
		names = append(names, name)
	}
	slices.SortFunc(names, func(a, b digest.Name) int { return slices.Compare(a[:], b[:]) })
	var entry [entryBytes]byte
	for _, name := range names {
		v := x.visited[name]
		binary.LittleEndian.PutUint64(entry[0:], name[0])
		binary.LittleEndian.PutUint64(entry[8:], name[1])
		binary.LittleEndian.PutUint64(entry[16:], uint64(v.atNs))
		binary.LittleEndian.PutUint32(entry[24:], uint32(v.depth))
		if _, err := out.Write(entry[:]); err != nil {
			return err
		}
	}
	return out.Flush()
}

// Resume goes on with a search that Save has written. The plan must be the same but for its States.
func (x *Explorer) Resume(from io.Reader) error {
	in := bufio.NewReader(from)
	line, err := in.ReadBytes('\n')
	if err != nil {
		return errors.New("this is no search that explore has kept")
	}
	var h header
	if err := json.Unmarshal(line, &h); err != nil || h.Format != Format {
		return errors.New("this is no search that explore has kept")
	}
	if h.Engine != world.Engine {
		return fmt.Errorf("engine %d has made it, and this is engine %d: begin again", h.Engine, world.Engine)
	}
	mine, _ := json.Marshal(x.plan.kept())
	its, _ := json.Marshal(h.Plan)
	if !bytes.Equal(mine, its) {
		return errors.New("another scenario, or other bounds: give those that it was begun with")
	}
	visited := make(map[digest.Name]visit, h.States)
	var entry [entryBytes]byte
	for range h.States {
		if _, err := io.ReadFull(in, entry[:]); err != nil {
			return fmt.Errorf("it ends early, after %d of %d states", len(visited), h.States)
		}
		name := digest.Name{binary.LittleEndian.Uint64(entry[0:]), binary.LittleEndian.Uint64(entry[8:])}
		visited[name] = visit{atNs: int64(binary.LittleEndian.Uint64(entry[16:])), depth: int32(binary.LittleEndian.Uint32(entry[24:]))}
	}
	if err := x.replay(h.Stack, h.Goes); err != nil {
		return err
	}
	x.visited, x.counts, x.over = visited, h.Counts, h.Over
	if h.Found != nil && h.Found.Rule >= 0 && h.Found.Rule < len(x.plan.Rules) {
		x.found = &found{h.Found.Rule, h.Found.AtNs, h.Found.Path}
	}
	return nil
}

// replay follows the schedule under way again.
func (x *Explorer) replay(steps []keptStep, goes bool) error {
	errStale := errors.New("its schedule does not fit the scenario: begin again")
	x.stack, x.found, x.at = nil, nil, nil
	s := x.begin(0)
	for i, step := range steps {
		f := frame{chosen: step.Chosen, next: step.Next}
		if i == 0 && len(x.roots) > 1 {
			f.choice = choice{kind: chooseRoot, count: int32(len(x.roots))}
		} else {
			c, due, broken := x.run(s)
			if broken != none {
				return errStale
			}
			f.choice, f.due = c, append([]world.Due(nil), due...)
		}
		if f.count != step.Count || f.count == 0 || f.chosen < 0 || f.chosen >= f.count || f.next < 0 || f.next > f.count {
			return errStale
		}
		if f.kind != chooseRoot && f.next < f.count {
			f.before = x.take()
			s.copyTo(f.before)
		}
		x.stack = append(x.stack, f)
		if i == len(steps)-1 && !goes {
			x.release(s)
			return nil
		}
		if f.kind == chooseRoot {
			s = x.begin(f.chosen)
		} else {
			x.apply(s, &f, f.chosen)
		}
	}
	if goes {
		x.at = s
	}
	return nil
}
