//go:build page

package apiserver

func (*Server) offers(*resource) bool { return true }

func (*call) openAPI(string) Response { return Response{Status: 404} }

func (*call) offersV2() bool { return false }

func (*call) openAPIv2() Response { return Response{} }

func rename(o object, _, _ *version) object { return o }
