//go:build page

package apiserver

import "github.com/leaselab/leaselab/core/wire"

// Kinds lists no kinds in the page.
type Kinds []*resource

func (s *Server) served() []*resource { return s.resources }

func (*resource) describe(entry wire.Map) wire.Map { return entry }

func (*resource) describeWhole(entry wire.Map) wire.Map { return entry }

func (*resource) listBelow() []any { return nil }

func (*call) isSubresource(string) bool { return false }

func (*call) confine(o, _ object) object { return o }

func (*call) confineApplied(wire.Map) {}

func (*resource) bodyFactor() int { return 1 }

func (*Server) placeDefinitions() {}

func (*call) scale() Response { return Response{} }
