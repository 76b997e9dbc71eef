package lab

// Memory is what the current branch keeps so that one can look anywhere in it.
type Memory struct {
	Checkpoints     int
	CheckpointBytes int64 // about
	Every           int64 // requests between two of them
}

// Memory tells what the current branch keeps.
func (l *Lab) Memory() Memory {
	r := l.run()
	m := Memory{Checkpoints: len(r.segments), Every: r.spacing}
	for _, s := range r.segments {
		m.CheckpointBytes += s.start.bytes()
	}
	return m
}
