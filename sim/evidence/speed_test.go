package evidence

import (
	"bytes"
	"testing"
)

// BenchmarkAudit reads an audit log of which each line is about a Lease, and one of which one line in a hundred is.
func BenchmarkAudit(b *testing.B) {
	lines := contents(b, "testdata/pause-1/audit.jsonl.gz")
	pod := []byte(`{"kind":"Event","apiVersion":"audit.k8s.io/v1","stage":"ResponseComplete","verb":"get","objectRef":{"resource":"pods","name":"` +
		string(bytes.Repeat([]byte("x"), 1000)) + "\"},\"responseStatus\":{\"code\":200}}\n")
	mixed := append(bytes.Repeat(pod, 9900), lines...)
	for _, c := range []struct {
		name string
		data []byte
	}{{"leases", bytes.Repeat(lines, 20)}, {"mixed", mixed}} {
		b.Run(c.name, func(b *testing.B) {
			b.SetBytes(int64(len(c.data)))
			for range b.N {
				r := NewReader(Options{})
				for rest := c.data; len(rest) > 0; {
					n := min(1<<20, len(rest))
					r.Feed("audit", rest[:n])
					rest = rest[n:]
				}
				r.End("audit")
			}
		})
	}
}
