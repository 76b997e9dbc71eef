//go:build page

package wire

// HasOpenTypes is false in the page's engine, which has no kinds without a schema.
const HasOpenTypes = false
