package explore

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"slices"

	"github.com/leaselab/leaselab/core/digest"
	"github.com/leaselab/leaselab/sim/scenario"
	"github.com/leaselab/leaselab/sim/world"
)

// Format names the format of a kept search and its version: a line of JSON, and chunks. A chunk is a line of JSON and
// the bytes that it announces: 28 for each state, and in the last chunk of a write the frontier. What comes after the
// last frontier was cut off.
const Format = "leaselab.dev/exploration/v2"

// header is the first line of a kept search.
type header struct {
	Format string   `json:"format"`
	Engine int      `json:"engine"`
	Plan   keptPlan `json:"plan"`
}

// chunk is the line before the bytes of a chunk.
type chunk struct {
	States   int       `json:"states"`
	Bytes    int       `json:"bytes"` // of the states and of the frontier
	CRC      uint32    `json:"crc"`   // of those bytes
	Frontier *frontier `json:"frontier,omitempty"`
}

// frontier says how far the search is after a chunk. Its bytes are the steps of its paths, each a number of an earlier
// one and an option, and its frames, each the number of its path, the next option, and how many options there are.
type frontier struct {
	Counts Counts     `json:"counts"`
	Found  *keptFound `json:"found,omitempty"`
	Steps  int        `json:"steps"`
	Frames int        `json:"frames"`
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

type keptFound struct {
	Rule int     `json:"rule"`
	AtNs int64   `json:"atNs"`
	Path []int32 `json:"path"`
}

func (p *Plan) kept() keptPlan {
	k := keptPlan{
		Scenario: scenario.Encode(p.Scenario), Sets: append([]string{}, p.Sets...),
		Draws: append([]float64{}, p.Draws...), DelaysNs: append([]int64{}, p.DelaysNs...), Order: p.Order,
		FromNs: p.FromNs, ToNs: p.ToNs, UntilNs: p.UntilNs, Depth: p.Depth,
	}
	for _, rule := range p.Rules {
		k.Rules = append(k.Rules, rule.String())
	}
	return k
}

// entryBytes is the size of a state in a kept search: its name, and when and how deep the search has been there.
const entryBytes = 28

// mostEntries is how many states a chunk has at most.
const mostEntries = 1 << 16

// Save writes the search between two rounds, so that another process can go on with it.
func (x *Explorer) Save(to io.Writer) error {
	first, err := json.Marshal(header{Format: Format, Engine: world.Engine, Plan: x.plan.kept()})
	if err != nil {
		return err
	}
	if _, err := to.Write(append(first, '\n')); err != nil {
		return err
	}
	names := make([]digest.Name, 0, min(mostEntries, x.visited.count))
	for name := range x.visited.names() {
		if len(names) == mostEntries {
			if err := writeChunk(to, chunk{States: mostEntries}, x.entries(names)); err != nil {
				return err
			}
			names = names[:0]
		}
		names = append(names, name)
	}
	return x.write(to, names)
}

// Logs lets the search note what Append writes.
func (x *Explorer) Logs() { x.logs, x.fresh = true, nil }

// Append writes, behind what Save and Append have written before, what came since then and since Logs. After an error
// the search is as it was: the same may be written elsewhere.
func (x *Explorer) Append(to io.Writer) error {
	if err := x.write(to, x.fresh); err != nil {
		return err
	}
	x.fresh = x.fresh[:0]
	return nil
}

// write writes some states and the frontier.
func (x *Explorer) write(to io.Writer, names []digest.Name) error {
	for len(names) > mostEntries {
		if err := writeChunk(to, chunk{States: mostEntries}, x.entries(names[:mostEntries])); err != nil {
			return err
		}
		names = names[mostEntries:]
	}
	data, frames := x.entries(names), x.open()
	f := &frontier{Counts: x.counts, Frames: len(frames)}
	if x.found != nil {
		f.Found = &keptFound{x.found.rule, x.found.atNs, x.found.path}
	}
	steps := map[*path]int{nil: 0}
	for _, one := range frames {
		data = appendSteps(data, one.path, steps)
	}
	f.Steps = len(steps) - 1
	for _, one := range frames {
		for _, v := range []int{steps[one.path], int(one.next), int(one.count)} {
			data = binary.AppendUvarint(data, uint64(v))
		}
	}
	return writeChunk(to, chunk{States: len(names), Frontier: f}, data)
}

// appendSteps writes the steps of a path that are not written yet, and numbers them.
func appendSteps(data []byte, to *path, steps map[*path]int) []byte {
	var open []*path
	for _, known := steps[to]; !known; _, known = steps[to] {
		open = append(open, to)
		to = to.before
	}
	for _, p := range slices.Backward(open) {
		data = binary.AppendUvarint(data, uint64(steps[p.before]))
		data = binary.AppendUvarint(data, uint64(p.option))
		steps[p] = len(steps)
	}
	return data
}

// entries are states as bytes.
func (x *Explorer) entries(names []digest.Name) []byte {
	data := make([]byte, 0, len(names)*entryBytes)
	for _, name := range names {
		v, _ := x.visited.get(name)
		data = binary.LittleEndian.AppendUint64(data, name[0])
		data = binary.LittleEndian.AppendUint64(data, name[1])
		data = binary.LittleEndian.AppendUint64(data, uint64(v.atNs))
		data = binary.LittleEndian.AppendUint32(data, uint32(v.depth))
	}
	return data
}

// writeChunk writes a chunk in one go.
func writeChunk(to io.Writer, c chunk, data []byte) error {
	c.Bytes, c.CRC = len(data), crc32.ChecksumIEEE(data)
	line, err := json.Marshal(c)
	if err != nil {
		return err
	}
	_, err = to.Write(append(append(line, '\n'), data...))
	return err
}

// Resume goes on with a search that Save and Append have written. It returns how many bytes of it are whole: what comes
// after them was cut off, and Append goes on there. The plan must be the same but for its States.
func (x *Explorer) Resume(from io.Reader) (whole int64, err error) {
	in := bufio.NewReader(from)
	line, err := in.ReadBytes('\n')
	var h header
	if err != nil || json.Unmarshal(line, &h) != nil || h.Format != Format {
		return 0, errors.New("this is no search that explore has kept, or an older leaselab has kept it")
	}
	if h.Engine != world.Engine {
		return 0, fmt.Errorf("engine %d has made it, and this is engine %d: begin again", h.Engine, world.Engine)
	}
	mine, _ := json.Marshal(x.plan.kept())
	its, _ := json.Marshal(h.Plan)
	if !bytes.Equal(mine, its) {
		return 0, errors.New("another scenario, or other bounds: give those that it was begun with")
	}
	k := keptSearch{in: in, size: int64(len(line)), visited: newVisits(x.visited.depths)}
	for k.next() {
	}
	if k.last == nil {
		return 0, fmt.Errorf("it ends early, after %d states and without a frontier", len(k.entries)/entryBytes)
	}
	if err := x.goOn(&k); err != nil {
		return 0, err
	}
	return k.whole, nil
}

// keptSearch is a kept search that is read.
type keptSearch struct {
	in      *bufio.Reader
	size    int64 // of what is read
	entries []byte
	visited visits
	last    *frontier
	steps   []byte // and frames, of the last one
	whole   int64  // the size with the last one
}

// next reads a chunk. It reports false at the end, and where a chunk was cut off.
func (k *keptSearch) next() bool {
	line, err := k.in.ReadBytes('\n')
	var c chunk
	if err != nil || json.Unmarshal(line, &c) != nil || c.States < 0 || c.States > mostEntries ||
		c.Bytes < c.States*entryBytes {
		return false
	}
	var data bytes.Buffer // grows with what is there, whatever the line announces
	if n, err := io.CopyN(&data, k.in, int64(c.Bytes)); err != nil || n != int64(c.Bytes) ||
		crc32.ChecksumIEEE(data.Bytes()) != c.CRC {
		return false
	}
	k.size += int64(len(line) + c.Bytes)
	states := data.Bytes()[:c.States*entryBytes]
	k.entries = append(k.entries, states...)
	if c.Frontier == nil {
		return true
	}
	for all := k.entries; len(all) > 0; all = all[entryBytes:] {
		name := digest.Name{binary.LittleEndian.Uint64(all[0:]), binary.LittleEndian.Uint64(all[8:])}
		k.visited.put(name, visit{atNs: int64(binary.LittleEndian.Uint64(all[16:])),
			depth: int32(binary.LittleEndian.Uint32(all[24:]))})
	}
	k.entries = k.entries[:0]
	k.last, k.steps, k.whole = c.Frontier, data.Bytes()[len(states):], k.size
	return true
}

var errStale = errors.New("its schedules do not fit the scenario: begin again")

// goOn puts the search where a kept one was.
func (x *Explorer) goOn(k *keptSearch) error {
	at := 0
	number := func(below int) int {
		v, n := binary.Uvarint(k.steps[min(at, len(k.steps)):])
		if n <= 0 || v >= uint64(max(below, 0)) {
			at = len(k.steps) + 1
			return 0
		}
		at += n
		return int(v)
	}
	read := func() bool { return at <= len(k.steps) }
	tree := &turn{}
	turns := []*turn{tree}
	for range k.last.Steps {
		before := turns[number(len(turns))]
		to := &turn{path: before.path.then(int32(number(maxOptions)))}
		before.after, turns = append(before.after, to), append(turns, to)
		if !read() {
			return errStale
		}
	}
	x.frontier = nil
	for range k.last.Frames {
		to := turns[number(len(turns))]
		f := &frame{path: to.path, next: int32(number(maxOptions))}
		f.count = int32(number(maxOptions))
		if !read() || f.next >= f.count || to.frame != nil {
			return errStale
		}
		to.frame, x.frontier = f, append(x.frontier, f)
	}
	x.visited, x.counts, x.found = k.visited, k.last.Counts, nil
	if f := k.last.Found; f != nil && f.Rule >= 0 && f.Rule < len(x.plan.Rules) {
		x.found = &found{f.Rule, f.AtNs, f.Path}
	}
	return x.replay(tree)
}

// maxOptions bounds the options of a choice.
const maxOptions = 1 << 20

// turn is a place in the tree of the frontier's paths.
type turn struct {
	path  *path
	after []*turn
	frame *frame
}

// replay follows the schedules of the frontier again.
func (x *Explorer) replay(tree *turn) error {
	by := x.all[0]
	by.before = never
	roots := int32(len(x.roots))
	if f := tree.frame; f != nil && (roots > 1 || x.counts.Transitions == 0) {
		if f.count != roots {
			return errStale
		}
		f.choice = choice{kind: chooseRoot, node: -1, count: roots}
	}
	if roots == 1 {
		if x.counts.Transitions == 0 {
			return nil
		}
		return by.again(tree, by.begin(0))
	}
	for _, to := range tree.after {
		if to.path.option >= roots {
			return errStale
		}
		if err := by.again(to, by.begin(to.path.option)); err != nil {
			return err
		}
	}
	return nil
}

// again follows the schedules from a turn on, where the state is that after its path.
func (x *Follower) again(to *turn, s *state) error {
	if to.frame == nil && len(to.after) == 0 {
		x.release(s)
		return nil
	}
	c, due, broken := x.run(s, int(to.path.len()))
	if broken != none || c.count == 0 {
		return errStale
	}
	here := frame{choice: c, due: append([]world.Due(nil), due...)}
	if f := to.frame; f != nil {
		if f.count != c.count {
			return errStale
		}
		f.choice, f.due, f.atNs, f.before = c, here.due, s.world.Now(), x.take()
		s.copyTo(f.before)
	}
	for i, next := range to.after {
		if next.path.option >= c.count {
			return errStale
		}
		one := s
		if i < len(to.after)-1 {
			one = x.take()
			s.copyTo(one)
		}
		if x.apply(one, &here, next.path.option) != none {
			return errStale
		}
		if err := x.again(next, one); err != nil {
			return err
		}
	}
	if len(to.after) == 0 {
		x.release(s)
	}
	return nil
}
