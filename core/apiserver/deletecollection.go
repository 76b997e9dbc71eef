package apiserver

import "github.com/leaselab/leaselab/core/wire"

// collectionPage is how many objects a deletion of a collection lists at a time.
// Source: apiserver v0.36 pkg/registry/generic/registry store.go deleteCollectionPageSize.
const collectionPage = 10000

// deleteCollection deletes the objects of a list and answers with that list, or with the requested page of it. It
// stops at the first object that it cannot delete. Objects before it are gone; objects after it stay. Source:
// apiserver v0.36 pkg/endpoints/handlers delete.go DeleteCollection, pkg/registry/generic/registry store.go.
func (c *call) deleteCollection() Response {
	list, f := c.listOptions()
	if f != nil {
		return c.sendFailure(f)
	}
	o, f := c.deleteOptions()
	if f != nil {
		return c.sendFailure(f)
	}
	d := &deletion{call: c, list: list, options: o, limited: list.limit > 0}
	if !d.limited {
		list.limit = collectionPage
	}
	r := d.page()
	for r.Resume != nil && !c.config.InParts {
		r = r.Resume()
	}
	return r
}

// deletion is the state of a deleteCollection, which deletes page by page.
type deletion struct {
	*call
	list    *listOptions
	options *deleteOptions
	limited bool // the client set a limit

	items []storedObject
	meta  wire.Map // the first page's list metadata
}

// page deletes one page, and sends the answer after the last page.
func (d *deletion) page() Response {
	p, f := d.call.page(d.list)
	if f != nil {
		return d.sendFailure(f)
	}
	if d.meta == nil {
		d.meta = p.meta()
	}
	d.items = append(d.items, p.items...)
	for i := range p.items {
		name := wire.Text(p.items[i].object, "metadata", "name")
		if _, f := d.deleteNamed(name, d.options); f != nil && f.reason != "NotFound" {
			return d.sendFailure(f)
		}
	}
	if d.limited || p.token == "" {
		return d.writeList(200, d.items, d.meta)
	}
	d.list.token, d.list.revision, d.list.match = p.token, "", ""
	return Response{Resume: d.page}
}
