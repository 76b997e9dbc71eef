// Package digest gives the states of a search 128-bit names. Add numbers to a Digest and ask for its Name.
//
// Guarantee: states that add the same numbers in the same order have the same name, on every platform and in every
// process. Non-guarantee: two different states may share a name; among ten million states the probability is about
// 1 in 10^24. The hash is not cryptographic.
package digest

import "math/bits"

// Name is the 128-bit name of a state.
type Name [2]uint64

// Digest collects the numbers of a state. The zero value has collected none.
type Digest struct{ first, second uint64 }

// Add adds a number to the digest.
func (d *Digest) Add(n uint64) {
	high, low := bits.Mul64(d.first^n^0x2d358dccaa6c78a5, 0x9e3779b97f4a7c15)
	d.first = high ^ low
	d.second = bits.RotateLeft64(d.second, 29)*0xd1342543de82ef95 + n ^ d.first
}

// AddInt adds a signed number.
func (d *Digest) AddInt(n int64) { d.Add(uint64(n)) }

// AddSince adds an instant as its distance from now. Never stays Never.
func (d *Digest) AddSince(now, at int64) {
	if at == never {
		d.Add(1 << 63)
		return
	}
	d.Add(uint64(at - now))
}

const never = 1<<63 - 1

// AddFlags adds up to 64 truth values.
func (d *Digest) AddFlags(flags ...bool) {
	word := uint64(0)
	for i, is := range flags {
		if is {
			word |= 1 << i
		}
	}
	d.Add(word)
}

// AddAll adds digests whose order does not matter, and adds how many there are.
func (d *Digest) AddAll(all *Unordered) {
	d.Add(all.first)
	d.Add(all.second)
	d.Add(all.count)
}

// Name returns the name of everything added so far.
func (d *Digest) Name() Name { return Name{mix(d.first), mix(d.second ^ d.first)} }

// mix is the last step of splitmix64.
func mix(z uint64) uint64 {
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// Unordered collects digests whose order does not matter. The zero value has collected none.
type Unordered struct{ first, second, count uint64 }

// Add adds a digest.
func (u *Unordered) Add(d *Digest) {
	name := d.Name()
	u.first += name[0]
	u.second += name[1]
	u.count++
}
