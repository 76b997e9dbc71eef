package apiserver

import (
	"fmt"
	"strings"
	"time"

	"github.com/leaselab/leaselab/core/apiserver/fieldmanager"
	"github.com/leaselab/leaselab/core/wire"
)

// The field managers of loaded objects and namespaces without managedFields. Upstream creates the namespaces that every
// cluster has as apiServer.
const (
	loader    = "leaselab-fixture"
	apiServer = "kube-apiserver"
)

// Load stores the object of a JSON document without validation and feature gates, as if it had existed before. It adds
// uid, creationTimestamp and managedFields if they are missing. It returns an error if the document does not decode
// strictly, the server does not know its kind, the name is missing or the namespace does not exist.
func (s *Server) Load(now time.Time, data []byte) error {
	n, err := wire.Parse(data)
	if err != nil {
		return err
	}
	kinds, _, err := wire.Decode(n, typeMeta)
	if err != nil {
		return err
	}
	c, err := s.loading(now, wire.Text(kinds, "kind"), wire.Text(kinds, "apiVersion"))
	if err != nil {
		return err
	}
	o, strict, err := wire.Decode(n, c.version.kind)
	if err == nil && len(strict) > 0 {
		err = fmt.Errorf("%s", strings.Join(strict, ", "))
	}
	if err != nil {
		return err
	}
	delete(o, "kind")
	delete(o, "apiVersion")
	o = convert(o, c.version, c.res.storageVersion())
	meta := wire.Object(o, "metadata")
	name := wire.Text(meta, "name")
	if name == "" {
		return fmt.Errorf("%s: metadata.name is missing", c.res.kind)
	}
	if c.namespace = wire.Text(meta, "namespace"); c.namespace == "" && c.res.namespaced {
		c.namespace = "default"
		meta["namespace"] = c.namespace
	}
	if f := c.admitCreate(name); f != nil {
		return f
	}
	manager := loader
	if c.res == namespaces {
		labelNamespace(o)
		manager = apiServer
	}
	if wire.List(meta, "managedFields") == nil {
		o = c.writes(manager).Update(nil, o)
		meta = wire.Object(o, "metadata")
	}
	fieldmanager.Settle(o)
	if c.res == namespaces {
		prepareNamespaceCreate(c, o)
	}
	key := c.res.key(c.namespace, name)
	delete(meta, "resourceVersion")
	if wire.Text(meta, "uid") == "" {
		meta["uid"] = s.uidFor(key)
	}
	if wire.Text(meta, "creationTimestamp") == "" {
		meta["creationTimestamp"] = c.instant()
	}
	if _, has := s.store.Get(key); has {
		return fmt.Errorf("%s %q appears twice", c.res.kind, name)
	}
	s.store.Put(key, &objectVersion{tree: o})
	return nil
}

// loading returns the call that Load uses to decode an object. It accepts even versions that the server does
// not serve.
func (s *Server) loading(now time.Time, kind, apiVersion string) (*call, error) {
	for _, r := range s.served() {
		for i := range r.versions {
			if r.kind == kind && r.groupVersion(&r.versions[i]) == apiVersion {
				return &call{Server: s, r: &Request{}, now: now, res: r, version: &r.versions[i]}, nil
			}
		}
	}
	return nil, fmt.Errorf("unknown kind %q in %q", kind, apiVersion)
}
