package evidence

import (
	"bufio"
	"bytes"
	"cmp"
	"compress/bzip2"
	"compress/flate"
	"compress/gzip"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"iter"
	"path"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// Unpacker unpacks a file that arrives in chunks: gzip, bzip2, tar and zip, with all their members, and
// text in UTF-16. It recognizes them by their first bytes, because names often have the wrong ending. Archives may
// contain packed files, and a gzip file may have several parts, like rotated logs joined by cat.
//
// The readers of the standard library pull their input, but a browser pushes its chunks whenever they arrive. With
// iter.Pull, the loop that pulls can stop at the end of a chunk and continue with the next chunk, without a
// concurrent goroutine. For the same reason, it reads a zip archive from its beginning, without the directory at the
// end.
//
//	u := evidence.NewUnpacker("logs.tar.gz", "logs.tar.gz/node-a.log")
//	defer u.Close()
//	for chunk := range chunks { // the last one is empty
//		for data := u.Next(chunk); len(data) > 0; data = u.More() {
//			... // the next bytes of node-a.log
//		}
//	}
type Unpacker struct {
	name string
	want string // the only member to return
	rest []byte // rest of the chunk
	over bool   // no chunk follows
	next func() (unpackStep, bool)
	stop func()
}

// unpackStep is the result of a step: bytes of a member, its end, or why the rest of it is unreadable. A step without
// a name asks for the next chunk.
type unpackStep struct {
	name   string
	data   []byte
	broken string
	other  bool // broken: the file is something else than a log
	log    bool // broken: it may be a log, in a form that leaselab does not unpack
	ended  bool
}

// packedDepth is how deep archives may nest. A must-gather is a tar.gz with gzip files in it: three.
const packedDepth = 5

// membersMost limits the members of an archive.
const membersMost = 20_000

// NewUnpacker returns an Unpacker for the file called name. Next and More return only the bytes of one member: an
// archive's member has the name archive/path, and any other file is its own member. Close the Unpacker after use.
func NewUnpacker(name, member string) *Unpacker {
	u := &Unpacker{name: name, want: member}
	u.next, u.stop = iter.Pull(u.steps)
	return u
}

func (u *Unpacker) steps(yield func(unpackStep) bool) {
	in := chunks(func(into []byte) (int, error) {
		for len(u.rest) == 0 {
			if u.over {
				return 0, io.EOF
			}
			if !yield(unpackStep{}) {
				return 0, io.ErrClosedPipe
			}
		}
		n := copy(into, u.rest)
		u.rest = u.rest[n:]
		return n, nil
	})
	x := unpacking{u: u, yield: yield, buffer: make([]byte, 64<<10)}
	x.file(in, u.name, packedDepth)
}

type chunks func(into []byte) (int, error)

func (c chunks) Read(into []byte) (int, error) { return c(into) }

// unpacking is the state of a run through a file.
type unpacking struct {
	u       *Unpacker
	yield   func(unpackStep) bool
	buffer  []byte
	members int
}

const (
	gzipData   = "gzip data"
	bzip2Data  = "bzip2 data"
	zipArchive = "zip archive"
	tarArchive = "tar archive"
)

// packings lists how packed and binary data begins, and what a reader can do about the kinds that leaselab does not
// unpack.
var packings = []struct {
	at           int
	magic        string
	what, advice string // without advice, leaselab unpacks it
	log          bool   // it may be a packed log
}{
	{0, "\x1f\x8b", gzipData, "", false},
	{0, "PK\x03\x04", zipArchive, "", false},
	{0, "PK\x05\x06", "an empty zip archive", "pack the files again", false},
	{257, "ustar", tarArchive, "", false},
	{0, "BZh", bzip2Data, "", false},
	{0, "\xff\xfe", "UTF-16", "", false},
	{0, "\xfe\xff", "UTF-16", "", false},
	{0, "\xfd7zXZ\x00", "xz data", "unpack it first, with xz -d", true},
	{0, "\x28\xb5\x2f\xfd", "zstd data", "unpack it first, with zstd -d", true},
	{0, "7z\xbc\xaf\x27\x1c", "a 7z archive", "unpack it first, with 7z x", true},
	{0, "\x04\x22\x4d\x18", "lz4 data", "unpack it first, with lz4 -d", true},
	{0, "Rar!", "a rar archive", "unpack it first, with unrar x", true},
	{0, "SQLite format 3\x00", "a database of SQLite", "export the rows as JSON lines instead", false},
	{0, "PAR1", "a Parquet file", "export JSON lines instead", false},
	{0, "LPKSHHRH", "a journal of systemd", "write it as text first, with journalctl --file FILE", true},
	{0, "\x7fELF", "a program", "give its log instead", false},
	{0, "%PDF", "a PDF", "export the raw lines instead", false},
	{0, "\x89PNG", "a picture", "export the raw lines instead", false},
	{0, "\xff\xd8\xff", "a picture", "export the raw lines instead", false},
	{0, "GIF8", "a picture", "export the raw lines instead", false},
	{8, "WEBP", "a picture", "export the raw lines instead", false},
	{0, "\xd4\xc3\xb2\xa1", "a packet capture", "give the logs of the same minutes instead", false},
}

// file unpacks one file or member. It returns false if the caller wants no more.
func (x *unpacking) file(from io.Reader, name string, depth int) bool {
	in := bufio.NewReaderSize(from, 64<<10)
	head := start(in)
	for _, p := range packings {
		if len(head) < p.at || !bytes.HasPrefix(head[p.at:], []byte(p.magic)) {
			continue
		}
		if p.advice != "" || depth == 0 {
			return x.yield(unpackStep{name: name, other: true, log: p.log || depth == 0,
				broken: fmt.Sprintf("it is %s: %s", p.what, cmp.Or(p.advice, "unpack it first"))})
		}
		err := x.open(p.what, in, name, depth-1)
		if err == nil || errors.Is(err, io.ErrClosedPipe) {
			return err == nil
		}
		return x.yield(unpackStep{name: name, broken: "the " + p.what + " is damaged, or cut off"})
	}
	switch {
	case len(head) > 1 && (head[0] == 0) != (head[1] == 0) && (len(head) < 4 || (head[0] == 0) == (head[2] == 0)):
		return x.utf16(in, name) == nil
	case bytes.IndexByte(head, 0) >= 0:
		return x.yield(unpackStep{name: name, other: true,
			broken: "it is binary data: give the log as text"})
	}
	// Files with CR alone come from old terminals and some exports.
	returns := bytes.IndexByte(head, '\n') < 0 && bytes.IndexByte(head, '\r') >= 0
	if depth == packedDepth && !returns {
		return x.whole(in, name)
	}
	return x.plain(in, name, returns) == nil
}

func (x *unpacking) open(what string, in *bufio.Reader, name string, depth int) error {
	switch what {
	case gzipData:
		z, err := gzip.NewReader(in)
		if err != nil {
			return err
		}
		return x.inside(z, name, depth)
	case bzip2Data:
		return x.inside(bzip2.NewReader(in), name, depth)
	case zipArchive:
		return x.zip(in, name, depth)
	case tarArchive:
		return x.tar(in, name, depth)
	}
	return x.utf16(in, name)
}

// start returns the first bytes of a file, however the chunks divide it: the first line, if no byte 0 comes before its
// end, because then the file is text. Otherwise it returns enough to recognize packed data.
func start(in *bufio.Reader) []byte {
	const most, enough = 4096, 512
	for n := 1; ; n = min(in.Buffered()+1, most) {
		_, err := in.Peek(n)
		head, _ := in.Peek(min(in.Buffered(), most))
		line, zero := bytes.IndexByte(head, '\n'), bytes.IndexByte(head, 0)
		switch {
		case line >= 0 && (zero < 0 || line < zero):
			return head[:line+1]
		case zero >= 0 && len(head) >= enough:
			return head[:max(enough, zero+1)]
		case err != nil || len(head) == most:
			return head
		}
	}
}

// whole passes on the chunks of a file that needs no unpacking, without copying them.
func (x *unpacking) whole(in *bufio.Reader, name string) bool {
	for data, _ := in.Peek(in.Buffered()); ; data, x.u.rest = x.u.rest, nil {
		if len(data) > 0 && !x.yield(unpackStep{name: name, data: data}) {
			return false
		}
		for len(x.u.rest) == 0 {
			if x.u.over {
				return x.yield(unpackStep{name: name, ended: true})
			}
			if !x.yield(unpackStep{}) {
				return false
			}
		}
	}
}

// plain passes on bytes that need no unpacking.
func (x *unpacking) plain(in io.Reader, name string, returns bool) error {
	for {
		n, err := in.Read(x.buffer)
		if returns {
			for i, c := range x.buffer[:n] {
				if c == '\r' {
					x.buffer[i] = '\n'
				}
			}
		}
		if n > 0 && !x.yield(unpackStep{name: name, data: x.buffer[:n]}) {
			return io.ErrClosedPipe
		}
		if err == io.EOF {
			if !x.yield(unpackStep{name: name, ended: true}) {
				return io.ErrClosedPipe
			}
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// inside unpacks what a compressed stream contains. An error of the stream reaches the caller, and not the file in it,
// because only the stream knows why its data ended.
func (x *unpacking) inside(in io.Reader, name string, depth int) error {
	r := &remembering{in: in}
	if !x.file(r, name, depth) && r.err == nil {
		return io.ErrClosedPipe
	}
	return r.err
}

// remembering keeps the error of a reader, and ends the file in it early. What came before the error is evidence.
type remembering struct {
	in  io.Reader
	err error
}

func (r *remembering) Read(into []byte) (int, error) {
	n, err := r.in.Read(into)
	if err != nil && err != io.EOF {
		r.err, err = err, io.EOF
	}
	return n, err
}

// tar reads an archive: a header of 512 bytes precedes each member, and its data fill whole blocks of 512 bytes. A
// member of type L or x has the long name of the next one. (archive/tar would take 40 KiB of the page.)
func (x *unpacking) tar(in *bufio.Reader, name string, depth int) error {
	const block, typeAt, prefixAt, longMost = 512, 156, 345, 64 << 10
	field := func(b []byte) string { return string(bytes.TrimRight(bytes.SplitN(b, []byte{0}, 2)[0], " ")) }
	long := ""
	for head := make([]byte, block); ; {
		if _, err := io.ReadFull(in, head); err == io.EOF || err == nil && head[0] == 0 {
			_, err = io.Copy(io.Discard, in)
			return err
		} else if err != nil {
			return err
		}
		size, err := strconv.ParseInt(strings.TrimSpace(field(head[124:136])), 8, 64)
		if head[124] == 0x80 { // more than 8 GiB: binary
			size, err = int64(binary.BigEndian.Uint64(head[128:])), nil
		}
		if err != nil || size < 0 {
			return io.ErrUnexpectedEOF
		}
		data := &io.LimitedReader{R: in, N: size}
		switch member := field(head[:100]); head[typeAt] {
		case 'L', 'x':
			text, _ := io.ReadAll(io.LimitReader(data, longMost))
			if long = field(text); head[typeAt] == 'x' { // records such as "27 path=…"
				_, long, _ = strings.Cut(long, " path=")
				long, _, _ = strings.Cut(long, "\n")
			}
		case '0', 0:
			if prefix := field(head[prefixAt:]); prefix != "" && head[262] == 0 {
				member = prefix + "/" + member
			}
			if err := x.member(data, name, cmp.Or(long, member), depth); err != nil {
				return err
			}
			long = ""
		}
		if _, err = io.Copy(io.Discard, data); err != nil {
			return err
		}
		if data.N > 0 {
			return io.ErrUnexpectedEOF
		}
		if _, err = in.Discard(int(-size & (block - 1))); err != nil {
			return err
		}
	}
}

// member unpacks one member of an archive. A folder has none.
func (x *unpacking) member(in io.Reader, archive, name string, depth int) error {
	if x.members++; x.members > membersMost {
		x.yield(unpackStep{name: archive, broken: fmt.Sprintf(
			"the archive has more than %d members: pack only the logs and the Leases", membersMost)})
		return io.ErrClosedPipe
	}
	return x.inside(in, path.Join(archive, name), depth)
}

// zip reads an archive from its beginning: a local header of 30 bytes precedes each member, and its name and extra
// data follow that header. Bit 3 of the flags says that the sizes come after the data. The data then ends by itself.
func (x *unpacking) zip(in *bufio.Reader, name string, depth int) error {
	const local, descriptor = "PK\x03\x04", "PK\x07\x08"
	for {
		head, _ := in.Peek(30)
		if !bytes.HasPrefix(head, []byte(local)) {
			if bytes.HasPrefix(head, []byte("PK")) { // the directory
				_, err := io.Copy(io.Discard, in)
				return err
			}
			return io.ErrUnexpectedEOF
		}
		if len(head) < 30 {
			return io.ErrUnexpectedEOF
		}
		flags, method := binary.LittleEndian.Uint16(head[6:]), binary.LittleEndian.Uint16(head[8:])
		size := int64(binary.LittleEndian.Uint32(head[18:]))
		names, extra := int(binary.LittleEndian.Uint16(head[26:])), int(binary.LittleEndian.Uint16(head[28:]))
		about := make([]byte, 30+names+extra)
		if _, err := io.ReadFull(in, about); err != nil {
			return err
		}
		member := string(about[30 : 30+names])
		var data io.Reader
		packed := io.LimitReader(in, size)
		switch {
		case flags&1 != 0, method != 0 && method != 8, method == 0 && flags&8 != 0:
			return x.refuse(path.Join(name, member), "the zip archive encrypts it, or packs it in a rare way: unpack "+
				"the archive first, and give the folder")
		case method == 8 && flags&8 != 0:
			data = flate.NewReader(in)
		case method == 8:
			data = flate.NewReader(bufio.NewReader(packed))
		default:
			data = packed
		}
		if err := x.member(data, name, member, depth); err != nil {
			return err
		}
		if _, err := io.Copy(io.Discard, data); err != nil {
			return err
		}
		if flags&8 == 0 {
			io.Copy(io.Discard, packed)
		} else {
			if head, _ = in.Peek(4); string(head) == descriptor {
				in.Discard(4)
			}
			in.Discard(12)
		}
	}
}

// refuse says why a member is unreadable, and ends the archive, because nobody knows where the next member begins.
func (x *unpacking) refuse(name, why string) error {
	x.yield(unpackStep{name: name, other: true, log: true, broken: why})
	return io.ErrClosedPipe
}

// utf16 decodes UTF-16, with or without a mark of its byte order. PowerShell's > writes it.
func (x *unpacking) utf16(in *bufio.Reader, name string) error {
	head, _ := in.Peek(2)
	var order binary.ByteOrder = binary.LittleEndian
	if head[0] == 0 || head[0] == 0xfe {
		order = binary.BigEndian
	}
	out := make([]byte, 0, 4)
	return x.plain(chunks(func(into []byte) (int, error) {
		n := 0
		for n+utf8.UTFMax <= len(into) {
			var unit [4]byte
			if _, err := io.ReadFull(in, unit[:2]); err != nil {
				return n, io.EOF
			}
			r := rune(order.Uint16(unit[:]))
			if utf16.IsSurrogate(r) {
				if _, err := io.ReadFull(in, unit[2:]); err != nil {
					return n, io.EOF
				}
				r = utf16.DecodeRune(r, rune(order.Uint16(unit[2:])))
			}
			if r != '\ufeff' {
				out = utf8.AppendRune(out[:0], r)
				n += copy(into[n:], out)
			}
			if r == '\n' && in.Buffered() == 0 {
				break // show what is there before asking for more
			}
		}
		return n, nil
	}), name, false)
}

// unpackedMost limits how many bytes to return at once, because a chunk may unpack to a thousand times its size.
const unpackedMost = 1 << 20

// Next returns the first bytes of a chunk. An empty chunk ends the file.
func (u *Unpacker) Next(chunk []byte) []byte {
	u.rest, u.over = chunk, len(chunk) == 0
	return u.More()
}

// More returns the next bytes. It returns none when it needs the next chunk or the file has ended.
func (u *Unpacker) More() []byte {
	var out bytes.Buffer
	for out.Len() < unpackedMost {
		step, more := u.next()
		if !more || step.name == "" {
			break
		}
		if step.name == u.want {
			out.Write(step.data)
		}
	}
	return out.Bytes()
}

// Close frees the Unpacker.
func (u *Unpacker) Close() { u.stop() }
