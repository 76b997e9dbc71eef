package check

// StaleWrites counts the writes to the resource of workers who were no longer the newest legitimate holder. What was
// neither accepted nor refused was lost on the way.
func (c *Checks) StaleWrites() (attempted, accepted, refused int64) {
	return c.stale.staleAttempted, c.stale.staleAccepted, c.stale.refused - c.stale.denied
}
