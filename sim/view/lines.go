package view

import (
	"bytes"
	"encoding/json"
	"strings"

	"github.com/leaselab/leaselab/core/wire/yaml"
	"github.com/leaselab/leaselab/sim/protocol"
)

// show fills in an object's bytes, and marks what changed since those before, nil if there were none.
func show(o *protocol.ObjectView, now, before []byte) error {
	var indented bytes.Buffer
	if err := json.Indent(&indented, now, "", "  "); err != nil {
		return err
	}
	o.Raw, o.JSON, o.Text = string(now), indented.String(), string(yaml.Print(now))
	o.YAML = changed(before, now)
	return nil
}

// showDeleted says that the version is a deletion.
func showDeleted(o *protocol.ObjectView) {
	o.Text = "# deleted\n"
	o.YAML = append(o.YAML, protocol.YamlLine{Text: "# deleted", Mark: "new"})
}

// managedFields is folded: nobody reads it, and it is most of a Lease.
const managedFields = "metadata.managedFields"

// block is the lines of one field, without those of the fields below it.
type block struct {
	path  string
	lines []string
}

func (b *block) text() string { return strings.Join(b.lines, "\n") }

// blocks are the fields of a document, in the order of its YAML.
func blocks(document []byte) []block {
	var all []block
	for _, l := range yaml.Lines(document) {
		switch {
		case l.Path == managedFields:
			l.Text = "  managedFields: # folded; JSON and copy show them"
		case strings.HasPrefix(l.Path, managedFields):
			continue
		}
		if n := len(all); n > 0 && all[n-1].path == l.Path {
			all[n-1].lines = append(all[n-1].lines, l.Text)
		} else {
			all = append(all, block{l.Path, []string{l.Text}})
		}
	}
	return all
}

// changed are the lines of a document: the old ones of a field that has changed stand before the new ones, and what is not
// there any more comes last. Without a document before it nothing is marked.
func changed(before, now []byte) []protocol.YamlLine {
	out := []protocol.YamlLine{}
	add := func(b *block, mark string) {
		for _, text := range b.lines {
			out = append(out, protocol.YamlLine{Text: text, Mark: mark, Field: b.path})
		}
	}
	var old []block
	if before != nil {
		old = blocks(before)
	}
	was := map[string]*block{}
	for k := range old {
		was[old[k].path] = &old[k]
	}
	for _, b := range blocks(now) {
		a, had := was[b.path]
		delete(was, b.path)
		switch {
		case before == nil, had && a.text() == b.text():
			add(&b, "")
		case had:
			add(a, "old")
			add(&b, "new")
		default:
			add(&b, "new")
		}
	}
	for k := range old {
		if was[old[k].path] != nil {
			add(&old[k], "old")
		}
	}
	return out
}
