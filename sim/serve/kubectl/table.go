package kubectl

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/leaselab/leaselab/core/wire"
)

// Widths of columns, as kubectl has them.
// Source: cli-runtime v0.36 pkg/printers tabwriter.go.
const (
	columnLeast = 6
	columnGap   = 3
)

// columns prints rows as columns. Widths only grow, so that later rows stand below the earlier ones.
func columns(rows [][]string, widths []int) (string, []int) {
	for _, row := range rows {
		for i, cell := range row[:max(0, len(row)-1)] {
			if i == len(widths) {
				widths = append(widths, columnLeast)
			}
			widths[i] = max(widths[i], utf8.RuneCountInString(cell)+columnGap)
		}
	}
	lines := make([]string, len(rows))
	for k, row := range rows {
		for i, cell := range row {
			if i < len(row)-1 {
				cell = pad(cell, widths[i])
			}
			lines[k] += cell
		}
	}
	return strings.Join(lines, "\n"), widths
}

func pad(text string, width int) string {
	return text + strings.Repeat(" ", max(0, width-utf8.RuneCountInString(text)))
}

// printer prints the server's tables, one after the other, under one head.
// Source: cli-runtime v0.36 pkg/printers tableprinter.go printTable.
type printer struct {
	wide, namespaces, headless bool
	names                      []string // of the columns that are shown
	shown                      []bool
	widths                     []int
	headed                     bool
	rows                       [][]string
}

// add takes the rows of tables, and reports whether there is anything to print.
func (p *printer) add(tables ...wire.Map) bool {
	for _, table := range tables {
		if definitions := objects(table, "columnDefinitions"); len(definitions) > 0 {
			p.define(definitions)
		}
		for _, row := range objects(table, "rows") {
			p.rows = append(p.rows, p.row(row))
		}
	}
	return len(p.rows) > 0
}

// flush prints the rows so far, under the head unless it was printed.
func (p *printer) flush() (text string) {
	if !p.headed && !p.headless {
		p.rows = append([][]string{p.names}, p.rows...)
	}
	p.headed = true
	text, p.widths = columns(p.rows, p.widths)
	p.rows = nil
	return text
}

func (p *printer) define(definitions []wire.Map) {
	p.names, p.shown = nil, nil
	if p.namespaces {
		p.names = append(p.names, "NAMESPACE")
	}
	for _, column := range definitions {
		first, _ := wire.Get(column, "priority").(int64)
		p.shown = append(p.shown, p.wide || first == 0)
		if p.wide || first == 0 {
			p.names = append(p.names, strings.ToUpper(wire.Text(column, "name")))
		}
	}
}

func (p *printer) row(row wire.Map) []string {
	var out []string
	if p.namespaces {
		out = append(out, wire.Text(row, "object", "metadata", "namespace"))
	}
	for i, cell := range wire.List(row, "cells") {
		if i >= len(p.shown) || p.shown[i] {
			text := plain(cell)
			if at := strings.IndexAny(text, "\f\n\r"); at >= 0 {
				text = text[:at] + "..."
			}
			out = append(out, text)
		}
	}
	return out
}

// plain is a value as text: a string as it is, nothing for null.
func plain(value any) string {
	switch v := value.(type) {
	case nil:
		return ""
	case string:
		return v
	}
	return string(wire.Encode(nil, value, nil))
}

// nameOf is an object as kubectl names it: lease.coordination.k8s.io/demo.
func nameOf(o wire.Map) string {
	group, _, grouped := strings.Cut(wire.Text(o, "apiVersion"), "/")
	name := strings.ToLower(wire.Text(o, "kind"))
	if grouped {
		name += "." + group
	}
	return name + "/" + wire.Text(o, "metadata", "name")
}

// Source: kubectl v0.36 pkg/describe describe.go smartLabelFor.
var acronyms = []string{"API", "URL", "UID", "OSB", "GUID"}

// heading is a field's name in words: "Lease Duration Seconds", "UID".
func heading(field string) string {
	if strings.ContainsAny(field, "./_") {
		return field
	}
	var words []string
	begin := 0
	for i := 1; i <= len(field); i++ {
		upper := func(k int) bool { return k < len(field) && field[k] >= 'A' && field[k] <= 'Z' }
		if i < len(field) && (!upper(i) || upper(i-1) && (upper(i+1) || i+1 == len(field))) {
			continue
		}
		word := field[begin:i]
		if slices.Contains(acronyms, strings.ToUpper(word)) {
			word = strings.ToUpper(word)
		} else if word != "" {
			word = strings.ToUpper(word[:1]) + word[1:]
		}
		words = append(words, word)
		begin = i
	}
	return strings.Join(words, " ")
}

// describe prints an object as kubectl describes a kind that it has no words for. The server keeps no events.
// Source: kubectl v0.36 pkg/describe describe.go genericDescriber.
func describe(o wire.Map) string {
	metadata, rest := wire.CopyMap(wire.Object(o, "metadata")), wire.CopyMap(o)
	rows := [][]string{{"Name:", wire.Text(metadata, "name")}, {"Namespace:", wire.Text(metadata, "namespace")}}
	rows = append(rows, pairs("Labels:", wire.Object(metadata, "labels"), "=")...)
	rows = append(rows, pairs("Annotations:", wire.Object(metadata, "annotations"), ": ")...)
	rows = append(rows, []string{"API Version:", wire.Text(o, "apiVersion")}, []string{"Kind:", wire.Text(o, "kind")})
	for _, name := range []string{"name", "namespace", "labels", "annotations", "managedFields"} {
		delete(metadata, name)
	}
	delete(rest, "apiVersion")
	delete(rest, "kind")
	rest["metadata"] = metadata
	rows = append(members(rows, rest, ""), []string{"Events:", "<none>"})
	var lines []string
	for len(rows) > 0 { // rows of two cells that follow each other are a table
		n, width := 0, 0
		for n < len(rows) && len(rows[n]) == 2 {
			width = max(width, len(rows[n][0])+2)
			n++
		}
		for _, row := range rows[:n] {
			lines = append(lines, strings.TrimRight(pad(row[0], width)+row[1], " "))
		}
		if rows = rows[n:]; len(rows) > 0 {
			lines, rows = append(lines, rows[0][0]), rows[1:]
		}
	}
	return strings.Join(lines, "\n")
}

func pairs(title string, m wire.Map, mark string) [][]string {
	if len(m) == 0 {
		return [][]string{{title, "<none>"}}
	}
	var rows [][]string
	for _, key := range wire.Keys(m) {
		rows = append(rows, []string{title, key + mark + plain(m[key])})
		title = ""
	}
	return rows
}

// members adds the fields of an object to rows.
func members(rows [][]string, o wire.Map, indent string) [][]string {
	for _, name := range wire.Keys(o) {
		title := indent + heading(name) + ":"
		switch v := o[name].(type) {
		case wire.Map:
			rows = members(append(rows, []string{title}), v, indent+"  ")
		case []any:
			rows = append(rows, []string{title})
			for _, item := range v {
				if m, is := item.(wire.Map); is {
					rows = members(rows, m, indent+"  ")
				} else {
					rows = append(rows, []string{indent + "  " + plain(item)})
				}
			}
		default:
			rows = append(rows, []string{title, plain(v)})
		}
	}
	return rows
}
