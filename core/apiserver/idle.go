//go:build !page

package apiserver

// marksIdle reports whether a watch gets its bookmark even though nobody wrote anything.
func (s *Server) marksIdle() bool { return s.config.IdleBookmarks }
