package view

import (
	"bytes"
	"encoding/json"
	"strings"

	"github.com/leaselab/leaselab/core/wire/yaml"
	"github.com/leaselab/leaselab/sim/protocol"
)

// This file marks what changed between two versions of an object. A plain line diff would pair the wrong lines,
// because a Lease has several similar times, and an "f:renewTime" in managedFields. So the code compares the fields
// by their paths, and shows an old value right above the new one.

// `show` fills in an object's JSON and YAML. The arguments are two versions as JSON, as the API server would send them;
// there may be no earlier one. `show` marks the lines that differ between the two. The field Raw has the newer version
// byte for byte, for copying.
func show(o *protocol.ObjectView, now, before []byte) error {
	var indented bytes.Buffer
	if err := json.Indent(&indented, now, "", "  "); err != nil {
		return err
	}
	lines := yaml.Lines(now)
	o.Raw, o.JSON, o.Text = string(now), indented.String(), document(lines)
	var old []block
	if before != nil {
		old = blocks(yaml.Lines(before))
	}
	o.YAML = changedLines(old, blocks(lines))
	return nil
}

// document joins lines to a document, as yaml.Print does.
func document(lines []yaml.Line) string {
	var text strings.Builder
	for _, l := range lines {
		text.WriteString(l.Text)
		text.WriteByte('\n')
	}
	return text.String()
}

// showDeleted fills in a deletion.
func showDeleted(o *protocol.ObjectView) {
	o.Text = "# deleted\n"
	o.YAML = append(o.YAML, protocol.YamlLine{Text: "# deleted", Mark: "new"})
}

// managedFields is the field that the page folds. It is longer than the rest of a Lease, and few people read it.
const managedFields = "metadata.managedFields"

// block contains the lines of one field, without the lines of nested fields.
type block struct {
	path  string
	lines []string
}

func (b *block) text() string { return strings.Join(b.lines, "\n") }

// `blocks` groups the lines of a document by field. The line with the key of a nested object is a block, and each child
// of that object has its own block. Folding keeps one line for managedFields and drops everything below it.
func blocks(lines []yaml.Line) []block {
	var all []block
	for _, l := range lines {
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

// changedLines returns the lines of a document. A changed field has its old lines before its new lines; removed
// fields come last. Without an earlier version (old is nil), changedLines marks nothing, because
// marking every line would not help.
func changedLines(old, now []block) []protocol.YamlLine {
	out := []protocol.YamlLine{}
	add := func(b *block, mark string) {
		for _, text := range b.lines {
			out = append(out, protocol.YamlLine{Text: text, Mark: mark, Field: b.path})
		}
	}
	was := map[string]*block{}
	for k := range old {
		was[old[k].path] = &old[k]
	}
	for _, b := range now {
		a, had := was[b.path]
		delete(was, b.path)
		switch {
		case old == nil, had && a.text() == b.text():
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
