package apiserver

import (
	"bytes"
	"fmt"
	"strconv"
	"time"

	"github.com/leaselab/leaselab/core/apiserver/validate"
	"github.com/leaselab/leaselab/core/wire"
)

// send sends one stored object in the negotiated form.
// Source: apiserver v0.36 pkg/endpoints/handlers response.go transformResponseObject.
func (c *call) send(code int, o storedObject) Response {
	switch c.form.as {
	case "Table":
		if f := c.r.includes(); f != nil {
			return c.sendFailure(f)
		}
	case "PartialObjectMetadataList":
		return c.sendFailure(fail(406, "NotAcceptable",
			"you requested PartialObjectMetadataList, but the requested object is not a list (*%s)", c.res.goKind))
	}
	c.today = c.todayIs()
	if c.config.InParts && wire.Bytes(o.object) > partBytes {
		r := c.respond(code, c.form.media(), nil)
		r.Parts = func(yield func([]byte) bool) { yield(c.form.print(c.encode(o))) }
		return r
	}
	return c.write(code, c.encode(o))
}

// listable returns a failure if a list has no such form.
func (c *call) listable() *failure {
	switch c.form.as {
	case "Table":
		return c.r.includes()
	case "PartialObjectMetadata":
		return fail(406, "NotAcceptable",
			"you requested PartialObjectMetadata, but the requested object is a list (*%sList)", c.res.goKind)
	}
	return nil
}

// encode returns one object in the negotiated form, with kind and apiVersion.
func (c *call) encode(o storedObject) []byte {
	switch c.form.as {
	case "Table":
		meta := wire.Map{}
		if o.revision != 0 {
			meta["resourceVersion"] = strconv.FormatInt(o.revision, 10)
		}
		head := bytes.TrimSuffix(c.tableHead(meta), []byte("]}"))
		return append(c.appendRow(head, o), "]}"...)
	case "PartialObjectMetadata":
		return c.form.partial(o)
	}
	return c.appendNamed(make([]byte, 0, 1<<10), o)
}

// frameObject returns one object of a watch in the negotiated form. It returns nil, which ends the watch, if the
// object has no such form. Only the first frame of a Table names the columns. Source: apiserver v0.36
// pkg/endpoints/handlers response.go watchEmbeddedEncoder.
func (c *call) frameObject(o storedObject) []byte {
	if c.form.as == "PartialObjectMetadataList" {
		return nil
	}
	data := c.encode(o)
	c.form.headed = true
	return data
}

// metaVersion returns the apiVersion of Tables and partial objects.
func (f *form) metaVersion() string { return metaGroup + "/" + f.asVersion }

// includes returns a failure for an invalid includeObject.
// Source: apimachinery v0.36 pkg/apis/meta/v1/validation validation.go ValidateTableOptions.
func (r *Request) includes() *failure {
	switch value := r.param("includeObject"); value {
	case "", "Metadata", "Object", "None":
		return nil
	default:
		fault := validate.Invalid("includeObject", string(wire.Quote(nil, value)),
			"must be 'Metadata', 'Object', 'None', or empty")
		return badRequest("Unable to convert to Table as requested: %s: %s", fault.Field, fault.Message)
	}
}

// tableHead returns the JSON of a metav1.Table without rows.
//
// Deviation: columns have no description, which clients do not show. Pinned by TestTables.
// Source: kubernetes v1.36 pkg/printers tablegenerator.go, pkg/printers/internalversion printers.go.
func (c *call) tableHead(meta wire.Map) []byte {
	var columns any
	if !c.form.headed {
		list := []any{}
		for i, name := range c.res.columns {
			format := ""
			if i == 0 {
				format = "name"
			}
			list = append(list, wire.Map{"name": name, "type": "string", "format": format, "priority": int64(0)})
		}
		columns = list
	}
	return wire.Encode(nil, wire.Map{
		"kind": "Table", "apiVersion": c.form.metaVersion(), "metadata": meta, "columnDefinitions": columns,
		"rows": []any{},
	}, tableType)
}

// appendRow appends an object's row.
func (c *call) appendRow(out []byte, o storedObject) []byte {
	var shown any
	switch c.r.param("includeObject") {
	case "", "Metadata":
		shown = wire.Encoded(c.form.partial(o))
	case "Object":
		shown = wire.Encoded(c.appendNamed(nil, o))
	}
	return wire.Encode(out, wire.Map{"cells": c.res.cellsOf(o.object, c.today), "object": shown}, rowType)
}

// todayIs returns the time from which tables compute ages.
func (c *call) todayIs() time.Time {
	if c.config.Today != nil {
		return c.config.Today()
	}
	return c.now
}

// cellsOf returns an object's row: its name, the resource's columns, its age.
func (r *resource) cellsOf(o object, now time.Time) []any {
	if r.row != nil {
		return r.row(o, now)
	}
	cells := []any{wire.Text(o, "metadata", "name")}
	for _, path := range r.cells {
		cells = append(cells, wire.Text(o, path...))
	}
	return append(cells, age(wire.Text(o, "metadata", "creationTimestamp"), now))
}

// The method partial returns an object's kind and metadata.
func (f *form) partial(o storedObject) []byte {
	out := append(wire.Quote([]byte(`{"kind":"PartialObjectMetadata","apiVersion":`), f.metaVersion()),
		`,"metadata":`...)
	return append(appendMeta(out, wire.Object(o.object, "metadata"), o.revision), '}')
}

// age returns the time since an instant as kubectl prints it.
func age(instant string, now time.Time) string {
	at, err := time.Parse(wire.TimeLayout, instant)
	if err != nil {
		return "<unknown>"
	}
	return humanDuration(now.Sub(at))
}

// humanDuration prints a duration with at most two units, and prints the second one only if the first has a small
// value. Source: apimachinery v0.36 pkg/util/duration duration.go HumanDuration.
func humanDuration(d time.Duration) string {
	seconds, minutes, hours := int(d/time.Second), int(d/time.Minute), int(d/time.Hour)
	days, years := hours/24, hours/24/365
	two := func(first int, unit string, second int, less string) string {
		if second == 0 {
			return fmt.Sprintf("%d%s", first, unit)
		}
		return fmt.Sprintf("%d%s%d%s", first, unit, second, less)
	}
	switch {
	case seconds < -1:
		return "<invalid>"
	case seconds < 0:
		return "0s"
	case seconds < 2*60:
		return fmt.Sprintf("%ds", seconds)
	case minutes < 10:
		return two(minutes, "m", seconds%60, "s")
	case minutes < 3*60:
		return fmt.Sprintf("%dm", minutes)
	case hours < 8:
		return two(hours, "h", minutes%60, "m")
	case hours < 48:
		return fmt.Sprintf("%dh", hours)
	case days < 8:
		return two(days, "d", hours%24, "h")
	case days < 2*365:
		return fmt.Sprintf("%dd", days)
	case days < 8*365:
		return two(years, "y", days%365, "d")
	}
	return fmt.Sprintf("%dy", years)
}
