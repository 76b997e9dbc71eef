package evidence

import (
	"archive/tar"
	"archive/zip"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A file that leaselab cannot read gives one sentence: the file, the line, what it looks like, and what to do. What
// other files say is not lost.
func TestUnreadableFiles(t *testing.T) {
	for name, c := range map[string]struct{ data, says string }{
		"xz":                {"\xfd7zXZ\x00\x00\x04", "x:1: it is xz data: unpack it first, with xz -d"},
		"bzip2":             {"BZh91AY&SY", "x:1: the bzip2 data is damaged, or cut off"},
		"zstd":              {"\x28\xb5\x2f\xfd\x04", "x:1: it is zstd data: unpack it first, with zstd -d"},
		"Parquet":           {"PAR1\x15\x04", "x:1: it is a Parquet file: export JSON lines instead"},
		"a picture":         {"\x89PNG\r\n\x1a\n\x00\x00", "x:1: it is a picture: export the raw lines instead"},
		"a journal":         {"LPKSHHRH\x00\x00", "x:1: it is a journal of systemd: write it as text first, with journalctl --file FILE"},
		"binary data":       {"abc\x00\x01\x02\x00\x00", "x:1: it is binary data: give the log as text"},
		"a legacy audit":    {`2026-11-20T19:16:37.963815Z AUDIT: id="7" stage="ResponseComplete" user="u"` + "\n", "line 1 is an audit log in the legacy text format, which names no holder: set --audit-log-format=json"},
		"a table":           {"LAST SEEN   TYPE     REASON   OBJECT   MESSAGE\n2m Normal x y z\n", "line 1 is a table of kubectl: write the Events with -o json"},
		"a table of Leases": {"NAME   HOLDER   AGE\ndemo   node-a   3d\n", "line 1 is a table of kubectl: write the Leases with -o json"},
		"one instant":       {"\n# HELP leader_election_master_status x\nleader_election_master_status{name=\"demo\"} 1\n", "line 2 is Prometheus's text, which shows one instant: export the history, with /api/v1/query_range"},
		"a web page":        {"<html><body>Sign in</body></html>\n", "line 1 is HTML or XML: export the raw lines"},
		"prose":             {"hello\n", "line 1 is text (\"hello\"), which leaselab does not know: give the log as kubectl logs shows it, or what leaselab import --help lists"},
		"another JSON":      {`{"a":1}` + "\n", "line 1 is JSON of another kind, which leaselab does not know"},
		"another kind":      {"apiVersion: apps/v1\nkind: Deployment\n", "line 1 is of kind Deployment: give the Lease, its watch, the audit log or the electors' logs"},
		"an answer":         {`{"kind":"Status","apiVersion":"v1","message":"leases \"x\" not found"}` + "\n", `line 1 is an answer of the API server: leases "x" not found`},
		"kubectl's error":   {"Error from server (NotFound): leases \"x\" not found\n", "line 1 is an error of kubectl: repair the command, and save its output again"},
		"an access log":     {"10.0.0.1 - - [20/Nov/2026:19:16:38 +0000] \"GET / HTTP/1.1\" 200 612\n", `line 1 is text ("10.0.0.1 - - [20/Nov/2026:19:16:38 +0000"), which`},
		"a database":        {"SQLite format 3\x00\x10\x00", "x:1: it is a database of SQLite: export the rows as JSON lines instead"},
		"lz4":               {"\x04\x22\x4d\x18\x64\x40", "x:1: it is lz4 data: unpack it first, with lz4 -d"},
		"an empty zip":      {"PK\x05\x06" + strings.Repeat("\x00", 18), "x:1: it is an empty zip archive: pack the files again"},
		"WebAssembly":       {"\x00asm\x01\x00\x00\x00", "x:1: it is binary data: give the log as text"},
		"late binary data":  {"\n\r\r\n\x1c\x00\x00", "line 3 is binary data: give the log as text"},
		"blank lines":       {" \n\n", "x: 2 lines; the file has only blank lines."},
		"an empty file":     {"", "x: 0 lines; the file is empty."},
		"a cut list":        {"[\n" + audited + ",\n" + audited[:300], "x:3: the JSON object that begins here is not complete: the file is cut"},
		"a cut line":        {"{\"log\":" + text(audited[:300]) + "}\n", "x:1: the JSON object in this line is not complete: what collected it has cut it"},
		"a cut gzip":        {string(gzipped([]byte(audited + "\n"))[:60]), "x:1: the gzip data is damaged, or cut off"},
		"a cut CSV":         {"@timestamp,@message\n2026-11-20 19:15:29.2,\"{\"\"kind\"\"", "x:2: the record that begins here is not complete: the file is cut"},
	} {
		t.Run(name, func(t *testing.T) {
			report := readFiles(map[string]string{"audit": audited, "x": c.data}, 1<<20)
			var story strings.Builder
			WriteStory(&story, &report)
			assert.Contains(t, story.String(), c.says)
			assert.LessOrEqual(t, len(report.Problems), 1)
			require.Len(t, report.Leases, 1, "the other file is read")
			for _, chunk := range []int{1, 3} {
				assert.Equal(t, report, readFiles(map[string]string{"audit": audited, "x": c.data}, chunk))
			}
		})
	}
}

// If no file shows a Lease, the report says of each file what it lacks.
func TestFilesWithoutALease(t *testing.T) {
	klog := "I1120 19:16:38.465675   17779 server.go:12] \"Started\"\n"
	elector := "I1120 19:16:38.465675   17779 leaderelection.go:258] \"Attempting to acquire leader lease...\" lock=\"ns-b/other\"\n"
	audit := `{"kind":"Event","apiVersion":"audit.k8s.io/v1","stage":"ResponseComplete","objectRef":{"resource":"pods"}}` + "\n"
	for data, says := range map[string]string{
		klog:  "it is a log without a line about an election: give the log of a replica that runs with leader election, and kubectl logs --previous, if it restarted",
		audit: "it is an audit log without a write of a Lease: its policy needs level Request for leases",
	} {
		r := NewReader(Options{})
		r.Feed("x", []byte(data))
		r.End("x")
		assert.Equal(t, says, r.Report().Files[0].Says)
		assert.Empty(t, readFiles(map[string]string{"audit": audited, "x": data}, 1<<20).Files[1].Says, "another file shows the Lease")
	}
	assert.Equal(t, "nothing in it is about the Lease and the time that you named", readFiles(map[string]string{"x": elector}, 1<<20).Files[0].Says)
}

// An archive with a password hides what it has: the report names the member, and says what to do.
func TestAnArchiveWithAPassword(t *testing.T) {
	data := zipOf(t, members(t), zip.Store, false)
	data[6] |= 1 // the flag of encryption
	report := readFiles(map[string]string{"x": string(data)}, 1<<20)
	require.Len(t, report.Problems, 1)
	assert.Contains(t, report.Problems[0].Says, "the zip archive encrypts it, or packs it in a rare way: unpack the archive first")
}

// The Reader reads the members of a damaged archive up to the damage. A check of it does not pass.
func TestDamagedArchives(t *testing.T) {
	whole := map[string]string{"tar": string(tarOf(t, members(t), tar.FormatPAX)), "zip": string(zipOf(t, members(t), zip.Store, false))}
	for kind, data := range whole {
		report := readFiles(map[string]string{"x": data[:strings.Index(data, "node-b")-50]}, 1<<20)
		require.Len(t, report.Leases, 1)
		assert.Len(t, report.Leases[0].LeaderChanges, 2)
		require.Len(t, report.Problems, 1)
		assert.Equal(t, Problem{File: "x", Line: 1, Says: "the " + kind + " archive is damaged, or cut off"}, report.Problems[0])
		assert.NotEmpty(t, report.Files[0].Broken)
	}
}

// A tar archive that ends exactly after a block of its last member is damaged, too.
func TestATarThatEndsBetweenBlocks(t *testing.T) {
	data := tarOf(t, map[string][]byte{"a": []byte(strings.Repeat(" ", 1023) + "\n")}, tar.FormatUSTAR)
	report := readFiles(map[string]string{"x": string(data[:1024])}, 1<<20)
	require.Len(t, report.Problems, 1)
	assert.Equal(t, "the tar archive is damaged, or cut off", report.Problems[0].Says)
	assert.Empty(t, readFiles(map[string]string{"x": string(data[:1536])}, 1<<20).Problems, "some programs write no end")
}

// A list may be longer than memory, in one line or in many: its elements are read one by one. A record that breaks off
// inside a string does not swallow the next line.
func TestLongLists(t *testing.T) {
	pod := strings.Repeat(`{"kind":"Pod","metadata":{"name":"x"},"spec":{"text":"`+strings.Repeat("y", 1000)+`"}},`, 20_000)
	for _, text := range []string{
		`{"kind":"List","items":[` + pod + someLease + `]}`,
		`[` + pod + someLease + `]`,
		`{"data":{"result":[` + pod + someLease + `]},"more":{"a":[]}}`,
		`{"results":[[` + strings.ReplaceAll(strings.TrimSuffix(pod, ","), "},{", "}],[{") + `],[` + someLease + `]]}`,
	} {
		for _, data := range []string{text, strings.ReplaceAll(text, "},{", "},\n {")} {
			report := readFiles(map[string]string{"x": data}, 1<<20)
			assert.Empty(t, report.Problems)
			assert.Len(t, report.Leases, 1, data[:30])
		}
	}
	report := readFiles(map[string]string{"x": `{"message":"abc` + "\na manager " + someLease + "\n"}, 1<<20)
	require.Len(t, report.Problems, 1)
	assert.Contains(t, report.Problems[0].Says, "is not complete")
	assert.Len(t, report.Leases, 1)
}

// The report counts the members of an archive that say nothing about a Lease, and does not list them: a must-gather has
// thousands.
func TestSilentMembers(t *testing.T) {
	report := readFiles(map[string]string{"x": string(tarOf(t, members(t), tar.FormatPAX))}, 1<<20)
	assert.Len(t, report.Files, 5)
	assert.True(t, strings.HasSuffix(report.Files[2].Name, longName+"/logs/current.log"), report.Files[2].Name)
	assert.Equal(t, "it has 6 files; 2 of them say nothing about a Lease", report.Files[0].Says)
	report = readFiles(map[string]string{"x": string(tarOf(t, map[string][]byte{"a": []byte("hello\n")}, tar.FormatPAX))}, 1<<20)
	assert.Equal(t, "it has 1 file without a word about a Lease: give the audit log, the Lease or the electors' logs", report.Files[0].Says)
	packed := members(t)
	packed["cluster/old.xz"] = []byte("\xfd7zXZ\x00\x00\x04")
	report = readFiles(map[string]string{"x": string(tarOf(t, packed, tar.FormatPAX))}, 1<<20)
	require.Len(t, report.Problems, 1, "a packed log may say something")
	assert.Equal(t, "x/cluster/old.xz", report.Problems[0].File)
}

// Nothing that a log, a name or a member says can control the terminal or forge a line.
func TestNoControlCharacters(t *testing.T) {
	const evil = "\x1b[31m\x07\u202e\x9b\r\nLease ns/forged"
	evilJSON, _ := strconv.Unquote(`"` + strings.ReplaceAll(`\u001b[31m\u0007\u202e\r\nLease forged`, `\`, `\\`) + `"`)
	lease := strings.NewReplacer(`"holderIdentity":"a"`, `"holderIdentity":"a`+evilJSON+`"`, `"demo"`, `"demo`+evilJSON+`"`).Replace(someLease)
	event := strings.Replace(audited, someLease, lease, 1)
	event = strings.Replace(event, `"user":`, `"userAgent":"agent`+evilJSON+`","user":`, 1)
	files := map[string]string{
		"audit" + evil: event + "\n" + strings.Replace(event, `"code":200`, `"code":500`, 1),
		"log":          `{"ts":"2026-11-20T19:15:29Z","msg":"Failed to update lease","lock":"ns-a/demo` + evilJSON + `","err":"x` + evilJSON + `"}`,
		"other":        `{"kind":"Pod` + evilJSON + `"}`,
		"klog":         "I1399 19:15:29.\a\a\a\a\a\a   17684 leaderelection.go:272] successfully acquired lease\n",
		"yaml":         "kind: Lease\n\tx: " + evil + "\n",
		"x.tar":        string(tarOf(t, map[string][]byte{"a" + evil: []byte(event)}, tar.FormatPAX)),
	}
	report := readFiles(files, 1<<20)
	r := NewReader(Options{})
	for name, data := range files {
		r.Feed(name, []byte(data))
		r.End(name)
	}
	for _, one := range []Report{report, r.Report()} {
		var story strings.Builder
		WriteStory(&story, &one)
		for _, c := range story.String() {
			assert.True(t, c == '\n' || strconv.IsPrint(c), "%q", c)
		}
		assert.NotContains(t, story.String(), "\nLease forged")
		assert.NotContains(t, story.String(), "\nLease ns/forged")
	}
	assert.Contains(t, changesOf(ptr(r.Report()))[0], `a\x1b[31m`)
}

func ptr[T any](v T) *T { return &v }

// The Unpacker reads bzip2, too, with several parts in a file.
func TestBzip2(t *testing.T) {
	packed, err := os.ReadFile("testdata/node-a.klog.bz2")
	require.NoError(t, err)
	plain, err := os.ReadFile("testdata/pause-1/node-a.klog")
	require.NoError(t, err)
	u := NewUnpacker("a.log.bz2", "a.log.bz2")
	defer u.Close()
	out := append(u.Next(packed[:100]), u.Next(packed[100:])...)
	assert.Equal(t, string(plain), string(append(out, u.Next(nil)...)))
}
