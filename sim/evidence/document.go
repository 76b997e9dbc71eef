package evidence

import (
	"bytes"
	"errors"
)

var errLong = errors.New("the document is too long")

// document collects a JSON text that spans several lines, or one line over the limit. If the text is a list, or an
// object around a list, such as gcloud's [{…}, {…}] or kubectl's {"items": […]}, each element of the list becomes a
// part. So a list may be longer than memory, and the report can name the line of each element.
type document struct {
	line            int    // where the part begins
	buf             []byte // bytes of the part
	open            []byte // the containers that are open: { or [
	list            int    // depth of the list; 0 outside of it
	mayList         int    // depth of a list with a known key, before its first element
	listed          bool   // the text has a list; the document drops everything around it
	key             []byte // the last string
	quoted, escaped bool
	long            bool // the part is over the limit
}

// listKeys are the keys of the lists in the answers of APIs: Kubernetes and Azure (items, value), CloudWatch (events),
// Datadog (data), Event Hubs (records), Elastic (hits), Loki and Prometheus (result), Insights (results).
var listKeys = map[string]bool{"items": true, "value": true, "events": true, "records": true, "hits": true,
	"result": true, "results": true, "entries": true, "Records": true, "resourceLogs": true, "logEvents": true,
	"data": true}

// isJSON reports whether text begins like a JSON object or list, unlike {pod="a"} or [pod/a] in front of a log line.
func isJSON(b []byte) bool {
	if len(b) == 0 || b[0] != '{' && b[0] != '[' {
		return false
	}
	rest := bytes.TrimLeft(b[1:], " \t\r\n")
	return len(rest) == 0 || bytes.IndexByte([]byte(`"}]`), rest[0]) >= 0 || b[0] == '[' && (rest[0] == '{' ||
		rest[0] == '[')
}

// breaksAt reports whether a line begins another record, because the document cannot continue with it.
func (d *document) breaksAt(line []byte) bool {
	return d.quoted || len(line) > 0 && line[0] == '{' && d.open[len(d.open)-1] == '{'
}

// add takes bytes until the document ends, and calls the function part with each part. It returns how many bytes it
// took.
func (d *document) add(b []byte, line int, part func([]byte, int)) (int, error) {
	for i, c := range b {
		between := d.list > 0 && len(d.open) == d.list
		if !d.quoted && (c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == ',' && between) {
			if !between && !d.take(c) {
				return i + 1, errLong
			}
			continue
		}
		if !d.quoted && (between && c != ']' || len(d.open) == 0 ||
			d.list == 0 && len(d.open) == d.mayList && (c == '{' || c == '[' && string(d.key) == "results")) {
			if d.mayList > 0 && len(d.open) == d.mayList {
				d.list = d.mayList
			}
			d.buf, d.line, d.long = d.buf[:0], line, false
		}
		fits := d.take(c)
		if err := d.step(c); err != nil {
			return i + 1, err
		}
		if ends := !d.quoted && (c == '}' || c == ']' || c == '"'); ends && !d.long &&
			(len(d.open) == d.list && (d.list > 0 || !d.listed)) {
			part(d.buf, d.line)
		}
		if !fits {
			return i + 1, errLong
		}
		if len(d.open) == 0 {
			return i + 1, nil
		}
	}
	return len(b), nil
}

// take keeps a byte of the part. It returns false at the first byte over the limit.
func (d *document) take(c byte) bool {
	switch {
	case d.long || d.listed && d.list == 0:
		return true
	case len(d.buf) == MaxDocumentBytes:
		d.long = true
		return false
	}
	d.buf = append(d.buf, c)
	return true
}

// step follows the structure of the text.
func (d *document) step(c byte) error {
	const keyMost = 16
	switch {
	case d.escaped:
		d.escaped = false
	case d.quoted && c == '\\':
		d.escaped = true
	case c == '"':
		if d.quoted = !d.quoted; d.quoted {
			d.key = d.key[:0]
		}
	case d.quoted:
		if len(d.key) < keyMost {
			d.key = append(d.key, c)
		}
	case c == '{' || c == '[':
		if len(d.open) == depthMax {
			return errDeep
		}
		if c == '[' && d.list == 0 {
			if len(d.open) == 0 {
				d.list = 1
			} else if bytes.IndexByte(d.open, '[') < 0 && listKeys[string(d.key)] {
				d.mayList = len(d.open) + 1
			}
		}
		d.open = append(d.open, c)
	case c == '}' || c == ']':
		last := len(d.open) - 1
		if last < 0 || c-d.open[last] != 2 { // the codes of { and }, and of [ and ], differ by 2
			return errSyntax
		}
		d.open = d.open[:last]
		if last < d.list {
			d.list, d.listed = 0, true
		}
		if last < d.mayList {
			d.mayList = 0
		}
	}
	return nil
}
