//go:build !page

package apiserver

// marksIdle reports whether a watch gets its bookmark although nothing was written.
func (s *Server) marksIdle() bool { return s.config.IdleBookmarks }
