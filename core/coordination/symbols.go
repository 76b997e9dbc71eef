package coordination

import (
	"hash/fnv"
	"maps"
	"slices"
)

// Symbol stands for a string inside the engine: records hold symbols, so they are small and comparable and have
// no pointers. Symbol 0 is the empty string.
type Symbol int32

// Symbols is the append-only table behind symbols. Clones of a world share one table: a symbol never changes its
// meaning, and no hash and no output depends on its number.
type Symbols struct {
	texts  []string
	hashes []uint64
	index  map[string]Symbol // look-up only, never iterated
	bytes  int64
}

// NewSymbols returns a table that knows the empty string.
func NewSymbols() *Symbols {
	s := &Symbols{index: map[string]Symbol{}}
	s.Intern("")
	return s
}

// Intern returns the symbol of a string.
func (s *Symbols) Intern(text string) Symbol {
	if symbol, ok := s.index[text]; ok {
		return symbol
	}
	symbol := Symbol(len(s.texts))
	s.texts = append(s.texts, text)
	s.hashes = append(s.hashes, Hash64(text))
	s.index[text] = symbol
	s.bytes += int64(len(text)) + 80 // the two headers and the entry in the index
	return symbol
}

// Clone returns an independent table with the same symbols.
func (s *Symbols) Clone() *Symbols {
	return &Symbols{texts: slices.Clone(s.texts), hashes: slices.Clone(s.hashes), index: maps.Clone(s.index),
		bytes: s.bytes}
}

// Bytes returns the approximate memory of the table.
func (s *Symbols) Bytes() int64 { return s.bytes }

// Text returns the string a symbol stands for.
func (s *Symbols) Text(symbol Symbol) string { return s.texts[symbol] }

// Hash returns a number that depends only on the symbol's text.
func (s *Symbols) Hash(symbol Symbol) uint64 { return s.hashes[symbol] }

// Hash64 returns the FNV-1a hash of a string's bytes.
func Hash64(text string) uint64 {
	h := fnv.New64a()
	h.Write([]byte(text))
	return h.Sum64()
}
