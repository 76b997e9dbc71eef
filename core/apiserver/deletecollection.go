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
	if !c.config.InParts {
		return d.read().Finished()
	}
	return d.read()
}

// deletion is the state of a deleteCollection, which deletes page by page.
type deletion struct {
	*call
	list    *listOptions
	options *deleteOptions
	limited bool // the client set a limit

	first *page // with the items of all pages
	token string
	next  int // the first item that the deletion has not handled
}

// turnObjects is how many objects a deletion of a collection handles before other requests have a turn.
const turnObjects = 50

// read reads a page, which needs no lock on the server, and then begins to delete.
func (d *deletion) read() Response {
	p, f := d.call.page(d.list)
	if f != nil {
		return d.sendFailure(f)
	}
	return Response{Free: true, Resume: func() Response {
		p.collect()
		if d.token = p.token; d.first == nil {
			d.first = p
		} else {
			d.first.items, d.first.any = append(d.first.items, p.items...), d.first.any || p.any
		}
		return Response{Resume: d.turn}
	}}
}

// turn deletes some objects, and sends the answer after the last one.
func (d *deletion) turn() Response {
	for end := min(len(d.first.items), d.next+turnObjects); d.next < end; d.next++ {
		name := wire.Text(d.first.items[d.next].object, "metadata", "name")
		if _, f := d.deleteNamed(name, d.options); f != nil && f.reason != "NotFound" {
			return d.sendFailure(f)
		}
	}
	switch {
	case d.next < len(d.first.items):
	case d.limited || d.token == "":
		return Response{Free: true, Resume: func() Response { return d.writeList(d.first) }}
	default:
		d.list.token, d.list.revision, d.list.match = d.token, "", ""
		return d.read()
	}
	return Response{Resume: d.turn}
}
