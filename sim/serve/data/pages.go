//go:build !js

package data

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"os"
)

// bbolt trusts the pages of its file: a damaged one makes it read beyond its memory, which ends the process, or go
// round in circles. checkPages finds such pages without bbolt.
//
// Source: go.etcd.io/bbolt v1.5 internal/common page.go, meta.go, inode.go, bucket.go.

// The layout of a page: a header of 16 bytes, and elements of 16 bytes that point at keys and values behind them.
const (
	headerBytes  = 16
	elementBytes = 16
	metaBytes    = 64
	branchPage   = 1
	leafPage     = 2
	isBucket     = 1
	boltMagic    = 0xED0CDAED
	noFreelist   = 1<<64 - 1
)

// pages reads the pages of a file that can be reached from a meta page.
type pages struct {
	file io.ReaderAt
	size int // of a page in bytes
	many uint64
	seen map[uint64]bool
}

// checkPages returns an error if a page that can be reached is not as bbolt writes it.
func checkPages(path string) error {
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return err
	}
	size, err := pageSize(file)
	if err != nil {
		return err
	}
	valid := false
	for k := range 2 {
		valid = meta(file, size, k).ok || valid
	}
	if !valid {
		return errors.New("neither of its two first pages is whole")
	}
	m := newest(meta(file, size, 0), meta(file, size, 1))
	if m.freelist != noFreelist {
		return errors.New("another program wrote it")
	}
	if m.pages > uint64(info.Size())/uint64(size) {
		return fmt.Errorf("it ends early: it should have at least %d pages of %d bytes and has %d bytes", m.pages, size,
			info.Size())
	}
	p := &pages{file: file, size: size, many: m.pages, seen: map[uint64]bool{0: true, 1: true}}
	return p.walk(m.root)
}

// pageSize returns the size of a page: meta page 0 names it, or page 1 at one of the sizes that systems have.
func pageSize(file io.ReaderAt) (int, error) {
	for size := 512; size <= 1<<16; size *= 2 {
		for k := range 2 {
			if m := meta(file, size, k); m.ok && m.pageSize == uint32(size) {
				return size, nil
			}
		}
	}
	return 0, errors.New("it does not begin as a file of go.etcd.io/bbolt does")
}

// metaPage is what a meta page says.
type metaPage struct {
	ok                              bool
	pageSize                        uint32
	root, freelist, pages, sequence uint64
}

// meta reads meta page k, 0 or 1.
func meta(file io.ReaderAt, size, k int) (m metaPage) {
	b := make([]byte, metaBytes)
	if _, err := file.ReadAt(b, int64(size*k+headerBytes)); err != nil {
		return m
	}
	sum := fnv.New64a()
	_, _ = sum.Write(b[:metaBytes-8]) // a hash does not fail
	m.ok = binary.LittleEndian.Uint32(b) == boltMagic && binary.LittleEndian.Uint32(b[4:]) == 2 &&
		sum.Sum64() == binary.LittleEndian.Uint64(b[56:])
	m.pageSize = binary.LittleEndian.Uint32(b[8:])
	m.root, m.freelist = binary.LittleEndian.Uint64(b[16:]), binary.LittleEndian.Uint64(b[32:])
	m.pages, m.sequence = binary.LittleEndian.Uint64(b[40:]), binary.LittleEndian.Uint64(b[48:])
	return m
}

// newest returns the valid meta page of the later transaction.
func newest(a, b metaPage) metaPage {
	if !b.ok || (a.ok && a.sequence > b.sequence) {
		return a
	}
	return b
}

// walk checks a page and those below it.
func (p *pages) walk(id uint64) error {
	if id >= p.many {
		return fmt.Errorf("page %d lies behind its end", id)
	}
	head := make([]byte, headerBytes)
	if _, err := p.file.ReadAt(head, int64(id)*int64(p.size)); err != nil {
		return err
	}
	more := uint64(binary.LittleEndian.Uint32(head[12:]))
	if id+more >= p.many {
		return fmt.Errorf("page %d lies behind its end", id)
	}
	for k := id; k <= id+more; k++ {
		if p.seen[k] {
			return fmt.Errorf("page %d belongs to two others", k)
		}
		p.seen[k] = true
	}
	page := make([]byte, (more+1)*uint64(p.size))
	if _, err := p.file.ReadAt(page, int64(id)*int64(p.size)); err != nil {
		return err
	}
	if binary.LittleEndian.Uint64(page) != id {
		return fmt.Errorf("page %d has another number", id)
	}
	return p.elements(page, id)
}

// elements checks the elements of a page, or of a small bucket that lies inside another's value.
func (p *pages) elements(page []byte, id uint64) error {
	broken := fmt.Errorf("page %d is broken", id)
	flags, count := binary.LittleEndian.Uint16(page[8:]), int(binary.LittleEndian.Uint16(page[10:]))
	if (flags != branchPage && flags != leafPage) || headerBytes+count*elementBytes > len(page) ||
		(flags == branchPage && count == 0) {
		return broken
	}
	for k := range count {
		at := headerBytes + k*elementBytes
		e := page[at : at+elementBytes]
		if flags == branchPage {
			from, keyBytes := uint64(binary.LittleEndian.Uint32(e)), uint64(binary.LittleEndian.Uint32(e[4:]))
			if uint64(at)+from+keyBytes > uint64(len(page)) {
				return broken
			}
			if err := p.walk(binary.LittleEndian.Uint64(e[8:])); err != nil {
				return err
			}
			continue
		}
		from := uint64(at) + uint64(binary.LittleEndian.Uint32(e[4:])) + uint64(binary.LittleEndian.Uint32(e[8:]))
		to := from + uint64(binary.LittleEndian.Uint32(e[12:]))
		if to > uint64(len(page)) {
			return broken
		}
		if binary.LittleEndian.Uint32(e)&isBucket != 0 {
			if err := p.bucket(page[from:to], id); err != nil {
				return err
			}
		}
	}
	return nil
}

// bucket checks the value that stands for a bucket: the number of its root page, or 0 and the page itself.
func (p *pages) bucket(value []byte, id uint64) error {
	const rootBytes = 16
	if len(value) < rootBytes {
		return fmt.Errorf("page %d is broken", id)
	}
	if root := binary.LittleEndian.Uint64(value); root != 0 {
		return p.walk(root)
	}
	if len(value) < rootBytes+headerBytes {
		return fmt.Errorf("page %d is broken", id)
	}
	return p.elements(value[rootBytes:], id)
}
