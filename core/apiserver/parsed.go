//go:build !page

package apiserver

import "github.com/leaselab/leaselab/core/wire"

// parsedBody returns the object of an update whose caller has parsed the body, nil if the body has to be decoded. It
// takes the tree away from the request: the object owns it.
//
// The page gets no parsed bodies and builds without it (parsed_page.go).
func (c *call) parsedBody(media string) object {
	o := c.r.Parsed
	c.r.Parsed = nil
	if o == nil || media != jsonMedia || c.verb != "update" || c.res == namespaces ||
		wire.Text(o, "kind") != c.res.kind || wire.Text(o, "apiVersion") != c.res.groupVersion(c.version) ||
		!wire.Settle(o, c.version.kind) {
		return nil
	}
	delete(o, "kind")
	delete(o, "apiVersion")
	return o
}
