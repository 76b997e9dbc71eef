//go:build page

package apiserver

func (*Server) marksIdle() bool { return false }
