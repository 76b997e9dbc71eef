package apiserver

import "github.com/leaselab/leaselab/core/wire"

// collectionPage is how many objects a deletion of a collection lists at a time.
// Source: apiserver v0.36 pkg/registry/generic/registry store.go deleteCollectionPageSize.
const collectionPage = 10000

// deleteCollection removes what a list would show, and answers with that list: the whole of it, or the page that was
// asked for. The first object that cannot be deleted ends it: those before it are gone, those after it stay.
// Source: apiserver v0.36 pkg/endpoints/handlers delete.go DeleteCollection, pkg/registry/generic/registry store.go.
func (c *call) deleteCollection() Response {
	list, f := c.listOptions()
	if f != nil {
		return c.failed(f)
	}
	o, f := c.deleteOptions()
	if f != nil {
		return c.failed(f)
	}
	limited := list.limit > 0
	if list.limit == 0 {
		list.limit = collectionPage
	}
	var items []stored
	var meta wire.Map // of the first page, whatever comes after it
	for {
		p, f := c.page(list)
		if f != nil {
			return c.failed(f)
		}
		if meta == nil {
			meta = p.meta()
		}
		items = append(items, p.items...)
		for i := range p.items {
			name := wire.Text(p.items[i].object, "metadata", "name")
			if _, f := c.deleteNamed(name, o); f != nil && f.reason != "NotFound" {
				return c.failed(f)
			}
		}
		if limited || p.token == "" {
			return c.writeList(200, items, meta)
		}
		list.token, list.revision, list.match = p.token, "", ""
	}
}
