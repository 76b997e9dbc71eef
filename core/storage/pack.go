package storage

import (
	"encoding/binary"

	"github.com/leaselab/leaselab/core/coordination"
)

// chunk is chunkSize packed versions. Each holds only its difference from the previous one, so a renewal takes about 7
// bytes.
type chunk struct {
	atNs            int64 // instant of the first version, for searches
	resourceVersion int64
	bytes           []byte
}

// chunkBytes is the approximate memory of a packed chunk, OpenBytes of an unpacked one.
const (
	chunkBytes = 8 * chunkSize
	OpenBytes  = chunkSize * versionBytes
	// These are the sizes of the types on 64-bit platforms. TestSizes checks them.
	versionBytes     = 120
	chunkHeaderBytes = 40
)

func (c *chunk) size() int64 { return chunkHeaderBytes + int64(cap(c.bytes)) + 8 }

// The three encodings of a version: a renewal with two new numbers, a renewal with three, or all numbers of the
// version.
const (
	asRenewal      = iota
	asRenewalApart // a renewal that follows writes to other objects
	asNumbers
)

// track holds the last version, which predicts the next one.
type track struct {
	last    Version
	stepNs  int64 // distance between the last two versions
	stepRev int64
}

// predict returns the prediction: the last version, renewed at an instant.
func (t *track) predict(atNs int64) Version {
	v := t.last
	v.AtNs = atNs
	v.Object.ResourceVersion += t.stepRev
	v.Object.Spec.RenewTime += coordination.MicroTime((atNs - t.last.AtNs) / 1000)
	v.Object.Managers[0].Seconds = int32(atNs / 1_000_000_000)
	return v
}

// renewal reports whether a version differs from the last one only in what a renewal changes, and by how much its
// resourceVersion and renewTime differ from the prediction. It compares field by field, because a comparison of whole
// structs would call a function for each struct inside.
func (t *track) renewal(v *Version) (rev, renew int64, is bool) {
	l, o, p := &t.last, &t.last.Object, &v.Object
	rev = p.ResourceVersion - o.ResourceVersion - t.stepRev
	renew = int64(p.Spec.RenewTime-o.Spec.RenewTime) - (v.AtNs-l.AtNs)/1000
	return rev, renew, l.By == v.By && l.Lease == v.Lease && l.Deleted == v.Deleted && o.UID == p.UID &&
		o.CreatedNs == p.CreatedNs &&
		o.Spec.Present == p.Spec.Present && o.Spec.Differing(&p.Spec)&^coordination.HasRenewTime == 0 &&
		p.Managers[0].Seconds == int32(v.AtNs/1_000_000_000) && o.Managers[0].Owned == p.Managers[0].Owned &&
		o.Managers[1].Seconds == p.Managers[1].Seconds && o.Managers[1].Owned == p.Managers[1].Owned &&
		o.Touches == p.Touches && o.Metadata == p.Metadata && o.Taken == p.Taken
}

// put sets what a renewal changes in the last version.
func (t *track) put(atNs, resourceVersion int64, renewTime coordination.MicroTime, seconds int32) {
	o := &t.last.Object
	t.last.AtNs, o.ResourceVersion, o.Spec.RenewTime, o.Managers[0].Seconds = atNs, resourceVersion, renewTime, seconds
}

// renew updates the last version after a renewal.
func (t *track) renew(v *Version) {
	t.stepNs, t.stepRev = v.AtNs-t.last.AtNs, v.Object.ResourceVersion-t.last.Object.ResourceVersion
	t.put(v.AtNs, v.Object.ResourceVersion, v.Object.Spec.RenewTime, v.Object.Managers[0].Seconds)
}

func (t *track) follow(v *Version) {
	t.stepNs, t.stepRev = v.AtNs-t.last.AtNs, v.Object.ResourceVersion-t.last.Object.ResourceVersion
	t.last = *v
}

// pack seals a full chunk.
func pack(versions []Version) *chunk {
	first := &versions[0]
	var room [chunkSize * 24]byte
	out := room[:0]
	var t track
	for i := range versions {
		v := &versions[i]
		rev, renew, renewal := t.renewal(v)
		if !renewal {
			out = append(out, asNumbers)
			last, all := numbers(&t.last), numbers(v)
			for k := range all {
				out = appendNumber(out, all[k]-last[k])
			}
			t.follow(v)
			continue
		}
		kind := byte(asRenewal)
		if rev != 0 {
			kind = asRenewalApart
		}
		out = append(out, kind)
		out = appendNumber(out, v.AtNs-t.last.AtNs-t.stepNs)
		out = appendNumber(out, renew)
		if rev != 0 {
			out = appendNumber(out, rev)
		}
		t.renew(v)
	}
	return &chunk{atNs: first.AtNs, resourceVersion: first.Object.ResourceVersion,
		bytes: append(make([]byte, 0, len(out)), out...)}
}

// appendNumber appends a number as binary.AppendVarint does, but calls that function only if the number needs more than
// one byte.
func appendNumber(out []byte, n int64) []byte {
	if zigzag := uint64(n)<<1 ^ uint64(n>>63); zigzag < 0x80 {
		return append(out, byte(zigzag))
	}
	return binary.AppendVarint(out, n)
}

// unpack returns the versions of a chunk.
func (c *chunk) unpack() []Version {
	versions := make([]Version, 0, chunkSize)
	in := c.bytes
	number := func() int64 {
		n, size := binary.Varint(in)
		in = in[size:]
		return n
	}
	var t track
	for len(in) > 0 {
		kind := in[0]
		in = in[1:]
		var v Version
		if kind != asNumbers {
			v = t.predict(t.last.AtNs + t.stepNs + number())
			v.Object.Spec.RenewTime += coordination.MicroTime(number())
			if kind == asRenewalApart {
				v.Object.ResourceVersion += number()
			}
		} else {
			all := numbers(&t.last)
			for k := range all {
				all[k] += number()
			}
			v = version(&all)
		}
		t.follow(&v)
		versions = append(versions, v)
	}
	return versions
}

// numberCount is the number of numbers in a version.
const numberCount = 22

// numbers returns all numbers of a version.
func numbers(v *Version) [numberCount]int64 {
	deleted := int64(0)
	if v.Deleted {
		deleted = 1
	}
	o, s := &v.Object, &v.Object.Spec
	return [numberCount]int64{
		v.AtNs, int64(v.By), int64(v.Lease), deleted,
		o.ResourceVersion, int64(o.UID), o.CreatedNs,
		int64(s.AcquireTime), int64(s.RenewTime), int64(s.HolderIdentity), int64(s.Strategy), int64(s.PreferredHolder),
		int64(s.LeaseDurationSeconds), int64(s.LeaseTransitions), int64(s.Present),
		int64(o.Managers[0].Seconds), int64(o.Managers[0].Owned), int64(o.Managers[1].Seconds),
		int64(o.Managers[1].Owned),
		int64(o.Touches), int64(o.Metadata), int64(o.Taken),
	}
}

// version returns the version with these numbers.
func version(n *[numberCount]int64) Version {
	return Version{
		AtNs: n[0], By: int32(n[1]), Lease: int32(n[2]), Deleted: n[3] != 0,
		Object: Object{
			ResourceVersion: n[4], UID: uint64(n[5]), CreatedNs: n[6],
			Spec: coordination.Record{
				AcquireTime: coordination.MicroTime(n[7]), RenewTime: coordination.MicroTime(n[8]),
				HolderIdentity: coordination.Symbol(n[9]), Strategy: coordination.Symbol(n[10]),
				PreferredHolder:      coordination.Symbol(n[11]),
				LeaseDurationSeconds: int32(n[12]), LeaseTransitions: int32(n[13]), Present: coordination.Fields(n[14]),
			},
			Managers: [2]Manager{
				{Seconds: int32(n[15]), Owned: coordination.Fields(n[16])},
				{Seconds: int32(n[17]), Owned: coordination.Fields(n[18])},
			},
			Touches: int32(n[19]), Metadata: int32(n[20]), Taken: coordination.Fields(n[21]),
		},
	}
}
