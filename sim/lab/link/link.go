// Package link reads and writes the page's links for native programs. In the page, web/js/lib/share.js does the same.
// A link is a run in the fragment of an address: "#v1." + base64url(deflate(canonical JSON of protocol.Share)) +
// checksum, or the short form that people write by hand: "#a-leader-dies&t=40s&seed=7". Read and Write are the
// functions to know.
//
// Guarantee: Read(Write(x)) equals x, and the page reads the same from Write(x). A damaged link gives an error, never
// another run. Non-guarantee: identical runs have identical links only if the same program wrote both, because
// compressors differ.
package link

import (
	"bytes"
	"cmp"
	"compress/flate"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"maps"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/leaselab/leaselab/core/wire"
	"github.com/leaselab/leaselab/sim/protocol"
	"github.com/leaselab/leaselab/sim/scenario"
	"github.com/leaselab/leaselab/sim/timeline"
)

// MaxLength is the maximum length of a link in characters. For a longer one the page offers a file instead.
const MaxLength = 8000

const prefix = "v1."

// Is reports whether a text is a link or its fragment, rather than the name of a scenario or of a file. A path that
// begins with / or . is a file, even with a "#" in it.
func Is(text string) bool {
	return strings.Contains(text, "#") && !strings.HasPrefix(text, "/") && !strings.HasPrefix(text, ".") ||
		strings.HasPrefix(text, prefix)
}

// Write returns the fragment of a link, without "#".
func Write(share *protocol.Share) (string, error) {
	text, err := canonical(share)
	if err != nil {
		return "", err
	}
	var packed bytes.Buffer
	w, err := flate.NewWriter(&packed, flate.BestCompression)
	if err == nil {
		_, err = w.Write(text)
	}
	if err == nil {
		err = w.Close()
	}
	body := base64.RawURLEncoding.EncodeToString(packed.Bytes())
	return prefix + body + checksum(body), err
}

// canonical returns JSON with its members sorted by name. The page writes links in the same way, so that both programs
// produce the same text for the same run before they compress it. Numbers keep their digits, since a float64 rounds
// beyond 2^53.
func canonical(share *protocol.Share) ([]byte, error) {
	written, err := json.Marshal(share)
	if err != nil {
		return nil, err
	}
	d := json.NewDecoder(bytes.NewReader(written))
	d.UseNumber()
	var tree any
	if err := d.Decode(&tree); err != nil {
		return nil, err
	}
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	err = e.Encode(tree) // Encode sorts the keys of maps
	return bytes.TrimSuffix(out.Bytes(), []byte("\n")), err
}

// checksum is FNV-1a in base 36. It detects a damaged link.
func checksum(text string) string {
	h := fnv.New32a()
	_, _ = h.Write([]byte(text)) // a hash never fails
	return fmt.Sprintf("%07s", strconv.FormatUint(uint64(h.Sum32()), 36))
}

var (
	errDamaged    = errors.New("the link is damaged or cut short")
	errUnreadable = errors.New("the link is unreadable")
)

// Linked is a run in a link. Its scenario is the name of a shipped scenario or a json.RawMessage.
type Linked struct {
	protocol.Share
	Seed    *uint64  // nil if the link leaves the seed to the scenario
	Dropped []string // parts of the link that leaselab does not know, such as parts of an earlier version
}

// known lists the parts of a link; the parts that only the page uses come last. `short` lists the parts of a short
// link.
var (
	known = []string{"scenario", "patch", "actions", "seed", "engine", "hash", "cursor", "live", "breakpoints",
		"compare", "selection", "predict", "lesson", "museum", "study"}
	short = []string{"s", "t", "e", "seed", "lesson", "step", "bet", "museum"}
)

// Read reads an address with a link, or just the link.
func Read(text string) (*Linked, error) {
	if _, fragment, found := strings.Cut(text, "#"); found {
		text = fragment
	}
	body, packed := strings.CutPrefix(strings.TrimSpace(text), prefix)
	if !packed {
		return readShort(body)
	}
	if len(body) <= 7 || checksum(body[:len(body)-7]) != body[len(body)-7:] {
		return nil, errDamaged
	}
	deflated, err := base64.RawURLEncoding.DecodeString(body[:len(body)-7])
	if err != nil {
		return nil, errUnreadable
	}
	written, err := io.ReadAll(io.LimitReader(flate.NewReader(bytes.NewReader(deflated)), scenario.MaxBytes+1))
	if err != nil || len(written) > scenario.MaxBytes {
		return nil, errUnreadable
	}
	return readShare(written)
}

func readShare(written []byte) (*Linked, error) {
	if _, at := wire.Depth(written, scenario.MaxDepth); at >= 0 {
		return nil, errUnreadable
	}
	var read struct {
		protocol.Share
		Scenario json.RawMessage `json:"scenario"`
		Seed     *uint64         `json:"seed"`
	}
	var parts map[string]json.RawMessage
	written = scenario.CurrentMembers(written)
	if err := cmp.Or(json.Unmarshal(written, &read), json.Unmarshal(written, &parts)); err != nil {
		return nil, fmt.Errorf("%w: %s", errUnreadable, scenario.SayJSON(err))
	}
	linked := &Linked{Share: read.Share, Seed: read.Seed}
	var name string
	switch {
	case len(read.Scenario) > 0 && read.Scenario[0] == '{':
		linked.Scenario = read.Scenario
	case json.Unmarshal(read.Scenario, &name) == nil && name != "":
		linked.Scenario = name
	default:
		return nil, fmt.Errorf("%w: its scenario must be a shipped scenario's name or a whole scenario", errUnreadable)
	}
	if read.Seed != nil {
		linked.Share.Seed = *read.Seed
	}
	for _, part := range slices.Sorted(maps.Keys(parts)) {
		if !slices.Contains(known, part) {
			linked.Dropped = append(linked.Dropped, part)
		}
	}
	return linked, nil
}

var shortName = regexp.MustCompile(`^[a-z0-9-]+$`)

// readShort reads "a-leader-dies&t=40s&e=60s&seed=7".
func readShort(text string) (*Linked, error) {
	if first, _, _ := strings.Cut(text, "&"); !strings.Contains(first, "=") {
		text = "s=" + text
	}
	fields, err := url.ParseQuery(text)
	if err != nil || !shortName.MatchString(fields.Get("s")) {
		return nil, errors.New("the link names no scenario")
	}
	linked := &Linked{Share: protocol.Share{Scenario: fields.Get("s")}}
	for _, at := range []struct {
		name   string
		cursor *timeline.Cursor
	}{{"t", &linked.Cursor}, {"e", &linked.Live}} {
		*at.cursor = timeline.Cursor{T: linked.Cursor.T, N: -1}
		if !fields.Has(at.name) {
			continue
		}
		d, err := time.ParseDuration(fields.Get(at.name))
		if seconds, e := strconv.ParseFloat(fields.Get(at.name), 64); e == nil {
			d, err = time.Duration(seconds*1e9), nil
		}
		if err != nil || d < 0 {
			return nil, errors.New("the link has an unreadable time; write t=40s")
		}
		at.cursor.T = int64(d)
	}
	linked.Live.T = max(linked.Live.T, linked.Cursor.T)
	if fields.Has("seed") {
		seed, err := strconv.ParseUint(strings.TrimSpace(fields.Get("seed")), 10, 53)
		if err != nil {
			return nil, fmt.Errorf("the link has the seed %q, which must be a whole number from 0 to %d",
				fields.Get("seed"), uint64(scenario.MaxSeed))
		}
		linked.Seed, linked.Share.Seed = &seed, seed
	}
	for _, field := range slices.Sorted(maps.Keys(fields)) {
		if !slices.Contains(short, field) {
			linked.Dropped = append(linked.Dropped, field+"="+fields.Get(field))
		}
	}
	return linked, nil
}
