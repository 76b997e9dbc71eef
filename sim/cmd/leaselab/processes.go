package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/leaselab/leaselab/sim/programs"
	"github.com/leaselab/leaselab/sim/programs/conduct"
	"github.com/leaselab/leaselab/sim/scenario"
	"github.com/leaselab/leaselab/sim/serve/incoming"
	"github.com/leaselab/leaselab/sim/words"
)

// processes runs one copy of a command for each candidate. It is the programs.Processes of a cluster.
//
// The methods of programs.Processes run during the cluster's turn and must not block. So they only queue a command,
// and one goroutine carries out the commands. The order of the queue is the order of the acts: a SIGSTOP before a
// SIGKILL at the same instant arrives first.
//
// Guarantee: each copy leads its own process group, and End kills every process in these groups, even a stopped one,
// and also if the copy itself has ended. On Linux, endCopies kills what has left its group, too, and if leaselab dies,
// the kernel kills the leader of each group. Non-guarantee: other systems don't find a child that has left its group,
// and no system finds the children of the leaders after a SIGKILL of leaselab.
type processes struct {
	program  *program
	names    []string  // of the candidates at the beginning
	url, api string    // of the server: for reports of work, and for kubeconfigs
	folder   string    // of the kubeconfigs
	shows    io.Writer // receives the lines that the copies print; may be nil
	begun    time.Time
	failed   func(error) // called if a copy cannot start

	orders chan func()
	ended  chan struct{} // the goroutine that takes orders has ended
	over   chan struct{} // End wants every process to end

	mu      sync.Mutex
	running map[*programs.Node]*copied
	last    map[string]*lastWords // by the candidate's name
	waits   sync.WaitGroup
}

// lastWords is what a candidate's copies printed last, and how the latest copy ended.
type lastWords struct {
	lines []string
	ended string // "" while it runs
}

// mostLastWords is how many lines a report shows of each copy.
const mostLastWords = 5

// copied is one running copy.
type copied struct {
	command *exec.Cmd
	killed  bool // by an act, or at the end
}

// newProcesses starts the goroutine that takes orders. The queue has room for a thousand, far more than the acts of one
// instant.
func newProcesses(program *program, s *scenario.Scenario) *processes {
	p := &processes{program: program, names: candidatesOf(s), orders: make(chan func(), 1000),
		ended: make(chan struct{}), over: make(chan struct{}), begun: time.Now(),
		running: map[*programs.Node]*copied{}, last: map[string]*lastWords{}}
	adoptOrphans()
	go p.carryOut()
	return p
}

// carryOut starts and signals the copies, all from one thread that lives as long as the copies. It needs a fixed
// thread, because Linux sends the signal of PR_SET_PDEATHSIG when the parent thread ends, not the parent process.
// Otherwise the copies could die when the Go runtime retires a thread. It never unlocks the thread, which takeHostname
// has changed, so the thread ends with the goroutine.
func (p *processes) carryOut() {
	runtime.LockOSThread()
	defer close(p.ended)
	for order := range p.orders {
		order()
	}
}

// The methods of programs.Processes.

func (p *processes) Start(n *programs.Node) { p.orders <- func() { p.start(n) } }
func (p *processes) Stop(n *programs.Node)  { p.orders <- func() { p.signal(n, sigTerm) } }
func (p *processes) Kill(n *programs.Node)  { p.orders <- func() { p.signal(n, sigKill) } }
func (p *processes) Pause(n *programs.Node) { p.orders <- func() { p.signal(n, sigStop) } }
func (p *processes) Resume(n *programs.Node) {
	p.orders <- func() { p.signal(n, sigContinue) }
}

// start starts the copy of a candidate, with its own kubeconfig file and environment. Apart from that, the copy
// inherits leaselab's environment, as a program in a terminal inherits the shell's.
//
// Both outputs of a copy go into one pipe that the method start makes itself. With a writer in command.Stdout, Wait
// would also wait for the copy's children that keep the pipe open, and a killed program with a child would seem to run
// on.
func (p *processes) start(n *programs.Node) {
	path := incoming.NodesPath + n.Name()
	config := filepath.Join(p.folder, n.Name()+".kubeconfig")
	if err := os.WriteFile(config, []byte(kubeconfig(p.api+path, n.Name(), n.Settings.Namespace)), 0o600); err != nil {
		p.failed(err)
		return
	}
	arguments, err := p.program.argumentsFor(n.Name(), slices.Index(p.names, n.Name()), config)
	if err != nil {
		p.failed(err)
		return
	}
	command := exec.Command(p.program.command[0], arguments...)
	command.Env = append(withoutCluster(os.Environ()),
		"KUBECONFIG="+config, "LEASELAB_NODE="+n.Name(), "LEASELAB_WORK="+p.url+path+n.WorkAddress(),
		"LEASELAB_IDENTITY="+n.Settings.Identity, "LEASELAB_NAMESPACE="+n.Settings.Namespace, "LEASELAB_LEASE="+
			n.Settings.Lease, "HOSTNAME="+n.Name(), "POD_NAME="+n.Name(), "POD_NAMESPACE="+n.Settings.Namespace)
	alone(command)
	out, in, err := os.Pipe()
	if err != nil {
		p.failed(err)
		return
	}
	command.Stdout, command.Stderr = in, in
	takeHostname(n.Name())
	err = command.Start()
	_ = in.Close() // the copy has its own descriptor
	if err != nil {
		_ = out.Close() // nobody reads from it yet
		p.failed(fmt.Errorf("cannot start the program of %s: %w", n.Name(), err))
		return
	}
	c := &copied{command: command}
	groups.Store(command.Process.Pid, nil)
	p.mu.Lock()
	p.running[n] = c
	p.wordsOf(n).ended = ""
	p.mu.Unlock()
	p.waits.Add(1)
	go p.follow(n, c, out)
}

// withoutCluster removes from an environment each variable that points to another cluster. Otherwise a program under
// test might find the KUBECONFIG of the user's shell, or the cluster around its pod, and elect itself in production.
func withoutCluster(environment []string) []string {
	var kept []string
	for _, one := range environment {
		if !strings.HasPrefix(one, "KUBECONFIG=") && !strings.HasPrefix(one, "KUBERNETES_SERVICE_") {
			kept = append(kept, one)
		}
	}
	return kept
}

// follow reads what a copy prints and waits for its end. If leaselab did not cause the end, follow reports it to the
// world: as a crash if a signal ended the copy, otherwise as an exit. After a kill by an act, the world already
// knows. The output gets a second to arrive, because a last line such as "lost the lease" may still be in the pipe
// when the process is gone.
func (p *processes) follow(n *programs.Node, c *copied, out *os.File) {
	defer p.waits.Done()
	defer p.untilEmpty(c.command.Process.Pid)
	read := make(chan struct{})
	go func() {
		defer close(read)
		defer out.Close()
		p.read(n, out)
	}()
	_ = c.command.Wait() // ProcessState says how the copy ended
	select {
	case <-read:
	case <-time.After(time.Second): // a child of the copy keeps the output open
	}
	p.mu.Lock()
	delete(p.running, n)
	killed := c.killed
	if !killed {
		p.wordsOf(n).ended = c.command.ProcessState.String()
		p.show(n, fmt.Sprintf("(its process has ended: %s)", c.command.ProcessState))
	}
	p.mu.Unlock()
	if killed {
		return
	}
	how := conduct.Exit{Code: c.command.ProcessState.ExitCode()}
	if how.Code < 0 {
		how.Signal = strings.TrimPrefix(c.command.ProcessState.String(), "signal: ")
	}
	n.NoteExit(how)
}

// groups has the id of each process group that may have a process. Other goroutines than the one that ends the copies
// read it, when the user is out of patience.
var groups sync.Map

// lastGrace is how long a killed process may take to end.
const lastGrace = 2 * time.Second

// untilEmpty waits until the process group of a copy that has ended is empty: its children may go on. As long as the
// group has a process, no other group can have its id. Once End has begun, it kills the rest.
func (p *processes) untilEmpty(group int) {
	over, wait, until := p.over, time.NewTicker(20*time.Millisecond), time.Time{}
	defer wait.Stop()
	for !isEmptyGroup(group) {
		select {
		case <-over:
			killGroup(group)
			over, until = nil, time.Now().Add(lastGrace)
		case <-wait.C:
		}
		if over == nil && time.Now().After(until) {
			return // a process that even SIGKILL does not end
		}
	}
	groups.Delete(group)
}

// endCopies kills everything that copies have started and that still runs.
func endCopies() {
	groups.Range(func(group, _ any) bool {
		killGroup(group.(int))
		return true
	})
	endOrphans(time.Now().Add(lastGrace))
}

// untilInterrupted returns a context that the first Ctrl-C or SIGTERM ends. The second one ends the process at once,
// with everything that it has started.
func untilInterrupted(ctx context.Context) (context.Context, context.CancelFunc) {
	if ctx == nil {
		ctx = context.Background()
	}
	ctx, cancel := context.WithCancel(ctx)
	signals, over := make(chan os.Signal, 2), make(chan struct{})
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	go func() {
		for times := 0; ; times++ {
			select {
			case <-over:
				return
			case <-signals:
			}
			if cancel(); times > 0 {
				endCopies()
				os.Exit(exitCancelled)
			}
		}
	}()
	return ctx, func() {
		signal.Stop(signals)
		close(over)
		cancel()
	}
}

// read reads the lines of a copy, and tells the node which of them say that work begins or ends. The method reads even
// if nobody needs the lines, because a full pipe would block the program.
func (p *processes) read(n *programs.Node, out io.Reader) {
	lines := bufio.NewReaderSize(out, 1<<16)
	for {
		line, _, err := lines.ReadLine() // a longer line arrives in parts
		if err != nil {
			return
		}
		p.program.takeLine(n, line)
		n.NotePrint(string(line))
		p.say(n, string(line))
	}
}

// say keeps a line of a copy, and shows it with the real time since the start and the candidate's name. The lock keeps
// the lines of different copies from mixing.
func (p *processes) say(n *programs.Node, line string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	w := p.wordsOf(n)
	if w.lines = append(w.lines, line); len(w.lines) > mostLastWords {
		w.lines = w.lines[1:]
	}
	p.show(n, line)
}

func (p *processes) show(n *programs.Node, line string) {
	if p.shows != nil {
		fmt.Fprintf(p.shows, "%s  %s | %s\n", words.Instant(int64(time.Since(p.begun))), n.Name(), line)
	}
}

// wordsOf returns a candidate's last words. The caller holds the lock.
func (p *processes) wordsOf(n *programs.Node) *lastWords {
	w := p.last[n.Name()]
	if w == nil {
		w = &lastWords{}
		p.last[n.Name()] = w
	}
	return w
}

// writeLastWords writes how each copy ended and what it printed last.
func (p *processes) writeLastWords(out io.Writer) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, name := range slices.Sorted(maps.Keys(p.last)) {
		w := p.last[name]
		ended := "it still ran at the end"
		if w.ended != "" {
			ended = "its process ended: " + w.ended
		}
		if len(w.lines) == 0 {
			fmt.Fprintf(out, "  %s printed nothing; %s\n", name, ended)
			continue
		}
		fmt.Fprintf(out, "  %s; %s; its last lines:\n", name, ended)
		for _, line := range w.lines {
			fmt.Fprintf(out, "    %s\n", line)
		}
	}
}

// signal signals the group of a candidate's copy, if it runs. It sets the field "killed" before it sends the signal, so
// that follow cannot see the death first and report a crash.
func (p *processes) signal(n *programs.Node, s processSignal) {
	p.mu.Lock()
	c := p.running[n]
	if c != nil && s == sigKill {
		c.killed = true
	}
	p.mu.Unlock()
	if c != nil {
		sendSignal(c.command, s)
	}
}

// End kills every running copy, and everything in the groups of all copies, and waits until all have ended. SIGKILL
// also ends a stopped process.
// End's command waits in the queue behind all earlier commands, so it also reaches copies that were about to start.
// Call End only once; queueing anything after End panics.
func (p *processes) End() {
	p.orders <- func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		for _, c := range p.running {
			c.killed = true
			sendSignal(c.command, sigKill)
		}
	}
	close(p.orders)
	<-p.ended
	close(p.over)
	p.waits.Wait()
}
