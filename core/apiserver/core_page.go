//go:build page

package apiserver

func (*Server) offered(*resource) bool { return true }

func (*Server) coreDocuments() []string { return nil }

func (*call) offersV2() bool { return false }

func (*call) openAPIv2() Response { return Response{} }

func rename(o object, _, _ *version) object { return o }
