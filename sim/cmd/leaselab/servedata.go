package main

import (
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/benbjohnson/clock"

	"github.com/leaselab/leaselab/core/apiserver"
	"github.com/leaselab/leaselab/sim/serve"
	"github.com/leaselab/leaselab/sim/serve/data"
)

// seededRevision is the revision before the first write if the user gave --seed. It is a constant, so that the same
// requests get the same answers in every process.
const seededRevision = 1000

// firstRevision returns the revision before the first write. Without --seed it is the time in microseconds, so that a
// new server's revisions are higher than any revision that clients remember from the last server. The clients' watches
// end with 410, and the clients list again. With small revisions, a client that remembers revision 1,500 would wait
// silently until the new server reached it.
//
// Only a server with more than a million writes per second would get ahead of the clock.
func (f *serveFlags) firstRevision(now time.Time) int64 {
	if f.seed != 0 {
		return seededRevision
	}
	return now.UnixMicro()
}

// begin returns the handler of an API server with its first objects. The objects come from the file of --data if it has
// any, and otherwise from the namespaces and --fixture.
//
// A restored server continues at the file's revision, so watches never see a lower revision. Its seed depends on the
// revision, because with the same seed a new object would get the uid of a deleted one. The first objects must be on
// disk before the server answers: a client that has seen an object must find it again after a crash.
func (f *serveFlags) begin(config apiserver.Config, warnings io.Writer) (*serve.Handler, *apiserver.Server, error) {
	if f.data == "" {
		server := apiserver.New(config)
		h := serve.New(server, clock.New())
		return h, server, serve.Prepare(server, time.Now(), f.fixture)
	}
	file, err := data.Open(f.data)
	if err != nil {
		return nil, nil, err
	}
	f.file = file
	if !file.Empty() {
		config.FirstRevision = file.Revision()
		config.Seed += uint64(file.Revision()) * 0x9e3779b97f4a7c15 // never repeat a uid
	}
	server := apiserver.New(config)
	switch {
	case file.Empty():
		if err = serve.Prepare(server, time.Now(), f.fixture); err == nil {
			file.Add(server.Revision(), server.Changes(config.FirstRevision))
			err = file.Wait(server.Revision())
		}
	default:
		if f.fixture != "" {
			fmt.Fprintf(warnings, "--fixture %s is not loaded: --data %s already has objects\n", f.fixture, f.data)
		}
		err = file.Restore(server)
	}
	if err != nil {
		return nil, nil, errors.Join(err, file.Close())
	}
	h := serve.New(server, clock.New())
	h.Record(file, server)
	return h, server, nil
}

// dataFailure returns a channel that closes when leaselab can no longer write the file of --data. It returns nil
// without --data, and a nil channel never fires in a select. A server that can no longer save its writes must end
// rather than answer.
func (f *serveFlags) dataFailure() <-chan struct{} {
	if f.file == nil {
		return nil
	}
	return f.file.Failed()
}

// closeData closes the file of --data once no request runs. If it returns an error, the process exits 1.
func (f *serveFlags) closeData() error {
	if f.file == nil {
		return nil
	}
	return f.file.Close()
}
