// Command conform replays a recording of real Kubernetes components and prints the simulated run in the same format.
//
//	go run ./sim/testsupport/recorded/conform elector FILE          a schedule or a trace of client-go's LeaderElector
//	go run ./sim/testsupport/recorded/conform leasecandidate FILE   traces of client-go's LeaseCandidate client
//	go run ./sim/testsupport/recorded/conform requests FILE         recordings of the requests of client-go's elector
//	go run ./sim/testsupport/recorded/conform cle [--explain] FILE  timelines of coordinated leader election
//
// FILE is JSON or gzip; - is standard input. Guarantee: if the engine follows a recording, the output is identical to
// the recording. Non-guarantee: the command does not compare the two; the tests of the recordings' packages do.
package main

import (
	"flag"
	"fmt"
	"io"
	"os"

	"github.com/leaselab/leaselab/sim/testsupport/recorded"
	"github.com/leaselab/leaselab/sim/testsupport/recorded/coordinated"
	"github.com/leaselab/leaselab/sim/testsupport/recorded/elector"
	"github.com/leaselab/leaselab/sim/testsupport/recorded/leasecandidate"
	"github.com/leaselab/leaselab/sim/testsupport/recorded/requests"
)

func main() {
	if err := conform(os.Args[1:], os.Stdout, os.Stderr); err != nil {
		fmt.Fprintln(os.Stderr, "conform:", err)
		os.Exit(1)
	}
}

// conform replays the recording that args name and writes the run to out.
func conform(args []string, out, notes io.Writer) error {
	if len(args) == 0 {
		return fmt.Errorf("name the kind of the recording: elector, leasecandidate, requests or cle")
	}
	flags := flag.NewFlagSet(args[0], flag.ContinueOnError)
	flags.SetOutput(notes)
	explain := flags.Bool("explain", false, "cle: print the controller's decisions and writes as text instead of JSON")
	if err := flags.Parse(args[1:]); err != nil {
		return err
	}
	if flags.NArg() != 1 {
		return fmt.Errorf("%s: name one recording (a file, or - for standard input)", args[0])
	}
	data, err := recorded.Read(flags.Arg(0))
	if err != nil {
		return err
	}
	var text []byte
	switch args[0] {
	case "elector":
		text, err = electorRun(data)
	case "leasecandidate":
		text, err = candidateRuns(data)
	case "requests":
		text, err = requestRuns(data)
	case "cle":
		fmt.Fprintf(notes, "assumed for every timeline: controller latency %s one way, overhead %s per cycle\n",
			coordinated.Measured.Latency, coordinated.Measured.Overhead)
		if *explain {
			err = explainTimelines(data, out)
		} else {
			text, err = timelineRuns(data)
		}
	default:
		err = fmt.Errorf("%q must be elector, leasecandidate, requests or cle", args[0])
	}
	if err != nil {
		return fmt.Errorf("%s: %w", flags.Arg(0), err)
	}
	_, err = out.Write(text)
	return err
}

func electorRun(data []byte) ([]byte, error) {
	trace, err := elector.Run(data)
	if err != nil {
		return nil, err
	}
	return trace.JSON(), nil
}

func candidateRuns(data []byte) ([]byte, error) {
	traces, array, err := leasecandidate.Parse(data)
	if err != nil {
		return nil, err
	}
	runs := make([]leasecandidate.Trace, len(traces))
	for i := range traces {
		runs[i] = traces[i].Run()
	}
	return leasecandidate.JSON(runs, array), nil
}

func requestRuns(data []byte) ([]byte, error) {
	recordings, array, err := requests.Parse(data)
	if err != nil {
		return nil, err
	}
	runs := make([]requests.Recording, len(recordings))
	for i := range recordings {
		runs[i] = requests.Run(&recordings[i])
	}
	return requests.JSON(runs, array), nil
}

func timelineRuns(data []byte) ([]byte, error) {
	timelines, err := coordinated.Parse(data)
	if err != nil {
		return nil, err
	}
	runs := make([]coordinated.Run, len(timelines))
	for i := range timelines {
		if runs[i], err = timelines[i].Run(coordinated.Measured); err != nil {
			return nil, err
		}
	}
	return coordinated.JSON(runs), nil
}

func explainTimelines(data []byte, out io.Writer) error {
	timelines, err := coordinated.Parse(data)
	if err != nil {
		return err
	}
	for i := range timelines {
		if err := coordinated.WriteTranscript(out, &timelines[i], coordinated.Measured); err != nil {
			return err
		}
	}
	return nil
}
