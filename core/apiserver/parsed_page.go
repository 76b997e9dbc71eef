//go:build page

package apiserver

func (c *call) parsedBody(string) object { return nil }
