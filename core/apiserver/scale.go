//go:build !page

package apiserver

import (
	"strings"

	"github.com/leaselab/leaselab/core/wire"
)

// scale answers a request for an object's Scale, which shows and changes its number of replicas.
//
// Deviation: it accepts merge patches only. Pinned by TestScale.
// Source: apiextensions-apiserver v0.36 pkg/registry/customresource etcd.go ScaleREST; kubernetes v1.36
// pkg/registry/apps/deployment/storage storage.go ScaleREST.
func (c *call) scale() Response {
	if c.verb == "get" {
		return c.answerScale(c.get())
	}
	if c.verb == "patch" && mediaBeforeParams(c.r.Header["content-type"]) == applyPatchMedia {
		return c.sendFailure(badRequest("a Scale accepts merge patches only"))
	}
	data, f := c.readBody()
	if f != nil {
		return c.sendFailure(f)
	}
	manager, f := c.writeOptions(map[string]string{"update": "UpdateOptions", "patch": "PatchOptions"}[c.verb])
	if f != nil {
		return c.sendFailure(f)
	}
	n, err := wire.Parse(data)
	if err != nil {
		return c.sendFailure(badRequest("%s", err))
	}
	sent, _ := wire.Tree(n).(wire.Map)
	uid := wire.Text(sent, "metadata", "uid")
	return c.answerScale(c.change(uid, func(live *storedObject) (object, *failure) {
		if live == nil {
			return nil, c.res.notFound(c.name)
		}
		o := wire.CopyMap(live.object)
		if replicas, has := wire.Get(sent, "spec", "replicas").(int64); has || c.verb == "update" {
			wire.Set(o, replicas, c.res.scalePath("specReplicasPath", ".spec.replicas")...)
		}
		if revision := wire.Get(sent, "metadata", "resourceVersion"); revision != nil {
			wire.Set(o, revision, "metadata", "resourceVersion")
		}
		return c.writes(manager).Update(live.object, o), nil
	}))
}

// scalePath returns the path of a member that a Scale shows.
func (r *resource) scalePath(name, usual string) []string {
	path := usual
	if declared := wire.Text(r.scalePaths, name); declared != "" {
		path = declared
	} else if r.scalePaths != nil && name == "labelSelectorPath" {
		return []string{""}
	}
	return strings.Split(strings.TrimPrefix(path, "."), ".")
}

func (c *call) answerScale(a objectResult, f *failure) Response {
	if f != nil {
		return c.sendFailure(f)
	}
	meta := wire.Map{}
	for _, name := range []string{"name", "namespace", "uid", "creationTimestamp"} {
		wire.Set(meta, wire.Get(a.object, "metadata", name), name)
	}
	replicas := func(name, usual string) any {
		n, _ := wire.Get(a.object, c.res.scalePath(name, usual)...).(int64)
		return n
	}
	status := wire.Map{"replicas": replicas("statusReplicasPath", ".status.replicas")}
	switch selector := wire.Get(a.object, c.res.scalePath("labelSelectorPath", ".spec.selector")...).(type) {
	case string:
		status["selector"] = selector
	case wire.Map:
		var terms []string
		labels := selector
		if inner := wire.Object(selector, "matchLabels"); inner != nil {
			labels = inner
		}
		for _, name := range wire.Keys(labels) {
			terms = append(terms, name+"="+wire.Text(labels, name))
		}
		status["selector"] = strings.Join(terms, ",")
	}
	spec := wire.Map{"replicas": replicas("specReplicasPath", ".spec.replicas")}
	return c.write(200, wire.Encode(nil, wire.Map{"kind": "Scale", "apiVersion": "autoscaling/v1",
		"metadata": wire.Encoded(appendMeta(nil, meta, a.revision)), "spec": spec, "status": status}, scaleType))
}
