// Package link reads and writes the links of the page, for native programs: web/js/lib/share.js does it in the page. A
// link is a run in the fragment of an address: "#v1." + base64url(deflate(canonical JSON of protocol.Share)) +
// checksum, or the short form that people write by hand: "#a-leader-dies&t=40s&seed=7".
//
// Guarantee: Read(Write(x)) has what x has, and so has the page's reading of Write(x). A damaged link is an error,
// never another run. Non-guarantee: equal runs have equal links only if one program wrote both, because compressors
// differ.
package link

import (
	"bytes"
	"compress/flate"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/leaselab/leaselab/core/wire"
	"github.com/leaselab/leaselab/sim/protocol"
	"github.com/leaselab/leaselab/sim/scenario"
	"github.com/leaselab/leaselab/sim/timeline"
)

// MaxLength is the number of characters above which the page offers a file in place of a link.
const MaxLength = 8000

const prefix = "v1."

// Is reports whether a text is a link or the fragment of one, and not the name of a scenario or of a file.
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

// canonical is JSON with members in the order of their names.
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
	err = e.Encode(tree) // maps are written in the order of their keys
	return bytes.TrimSuffix(out.Bytes(), []byte("\n")), err
}

// checksum is FNV-1a to the base of 36: it tells a damaged link from a good one.
func checksum(text string) string {
	h := fnv.New32a()
	_, _ = h.Write([]byte(text)) // a hash takes everything
	return fmt.Sprintf("%07s", strconv.FormatUint(uint64(h.Sum32()), 36))
}

var (
	errDamaged    = errors.New("the link is damaged or cut short")
	errUnreadable = errors.New("the link cannot be read")
)

// Read reads an address with a link, or the link alone. The scenario of the result is the name of a shipped one or a
// json.RawMessage; Seed is nil where the link leaves it to the scenario.
func Read(text string) (*protocol.Share, *uint64, error) {
	if _, fragment, found := strings.Cut(text, "#"); found {
		text = fragment
	}
	body, packed := strings.CutPrefix(strings.TrimSpace(text), prefix)
	if !packed {
		return readShort(body)
	}
	if len(body) <= 7 || checksum(body[:len(body)-7]) != body[len(body)-7:] {
		return nil, nil, errDamaged
	}
	deflated, err := base64.RawURLEncoding.DecodeString(body[:len(body)-7])
	if err != nil {
		return nil, nil, errUnreadable
	}
	written, err := io.ReadAll(io.LimitReader(flate.NewReader(bytes.NewReader(deflated)), scenario.MaxBytes+1))
	if err != nil || len(written) > scenario.MaxBytes {
		return nil, nil, errUnreadable
	}
	return readShare(written)
}

func readShare(written []byte) (*protocol.Share, *uint64, error) {
	if _, at := wire.Depth(written, scenario.MaxDepth); at >= 0 {
		return nil, nil, errUnreadable
	}
	var read struct {
		protocol.Share
		Scenario json.RawMessage `json:"scenario"`
		Seed     *uint64         `json:"seed"`
	}
	if err := json.Unmarshal(scenario.CurrentMembers(written), &read); err != nil {
		return nil, nil, fmt.Errorf("%w: %s", errUnreadable, scenario.SayJSON(err))
	}
	share := read.Share
	var name string
	switch {
	case len(read.Scenario) > 0 && read.Scenario[0] == '{':
		share.Scenario = read.Scenario
	case json.Unmarshal(read.Scenario, &name) == nil && name != "":
		share.Scenario = name
	default:
		return nil, nil, fmt.Errorf("%w: its scenario must be the name of a scenario, or a scenario", errUnreadable)
	}
	if read.Seed != nil {
		share.Seed = *read.Seed
	}
	return &share, read.Seed, nil
}

var shortName = regexp.MustCompile(`^[a-z0-9-]+$`)

// readShort reads "a-leader-dies&t=40s&e=60s&seed=7".
func readShort(text string) (*protocol.Share, *uint64, error) {
	if first, _, _ := strings.Cut(text, "&"); !strings.Contains(first, "=") {
		text = "s=" + text
	}
	fields, err := url.ParseQuery(text)
	if err != nil || !shortName.MatchString(fields.Get("s")) {
		return nil, nil, errors.New("the link names no scenario")
	}
	share := &protocol.Share{Scenario: fields.Get("s")}
	for _, at := range []struct {
		name   string
		cursor *timeline.Cursor
	}{{"t", &share.Cursor}, {"e", &share.Live}} {
		*at.cursor = timeline.Cursor{T: share.Cursor.T, N: -1}
		if !fields.Has(at.name) {
			continue
		}
		d, err := time.ParseDuration(fields.Get(at.name))
		if seconds, e := strconv.ParseFloat(fields.Get(at.name), 64); e == nil {
			d, err = time.Duration(seconds*1e9), nil
		}
		if err != nil || d < 0 {
			return nil, nil, errors.New("the link has a time that cannot be read; write t=40s")
		}
		at.cursor.T = int64(d)
	}
	share.Live.T = max(share.Live.T, share.Cursor.T)
	if seed, err := strconv.ParseUint(fields.Get("seed"), 10, 53); err == nil {
		share.Seed = seed
		return share, &seed, nil
	}
	return share, nil, nil
}
