package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/leaselab/leaselab/sim/evidence/rebuild"
	"github.com/leaselab/leaselab/sim/lab"
	"github.com/leaselab/leaselab/sim/protocol"
	"github.com/leaselab/leaselab/sim/scenario"
	"github.com/leaselab/leaselab/sim/timeline"
)

// sessionCommand is leaselab export session.
func sessionCommand() *cobra.Command {
	var breaks []string
	var file, current string
	var at time.Duration
	c := &cobra.Command{
		Use: "session SCENARIO…",
		Short: "Write a whole session as one file: a branch for each scenario, breakpoints, and the instant to open " +
			"it at",
		Long: "The file is the one that the page saves as “the session”, and the page opens it. A saved session " +
			"among the arguments brings its branches and its\n" +
			"breakpoints with it. leaselab run FILE runs the current branch, which --branch chooses by name. Of a " +
			"record of real programs, and of a file of\n" +
			"evidence, the branch is the scenario that leaselab import -o scenario makes of it.",
		Example: "  leaselab export session crash my-cure.yaml --break 'active = 2' --at 40s -o cure-session.json\n" +
			"  leaselab export session cure-session.json --branch my-cure | leaselab run -",
		Args: takes(1, 100, "a scenario"), ValidArgsFunction: completeScenarios(100),
		RunE: func(cmd *cobra.Command, args []string) error {
			s := &lab.Session{APIVersion: scenario.APIVersion, Kind: lab.SessionKind}
			for _, arg := range args {
				if err := addBranches(cmd.Context(), s, arg, int64(at)); err != nil {
					return err
				}
			}
			for _, text := range breaks {
				s.Breakpoints = append(s.Breakpoints, protocol.Breakpoint{Text: text})
			}
			if current != "" {
				named := slices.IndexFunc(s.Branches, func(b lab.SessionBranch) bool { return b.Name == current })
				if named < 0 {
					return fmt.Errorf("--branch %q: the session has no such branch; it has %s", current, branchNames(s))
				}
				s.Branch = named
			}
			if err := newLab().OpenSession(s); err != nil {
				return err
			}
			return toFile(file, cmd.OutOrStdout(), func(out io.Writer) error {
				e := json.NewEncoder(out)
				e.SetEscapeHTML(false)
				return e.Encode(s)
			})
		},
	}
	c.Flags().StringArrayVar(&breaks, "break", nil, "a breakpoint: a `condition`, such as \"active = 2\"; repeatable")
	c.Flags().DurationVar(&at, "at", 0, "the instant at which each new branch opens")
	c.Flags().StringVar(&current, "branch", "",
		"the current branch, by `name` (default: the first, or that of the saved session)")
	c.Flags().StringVarP(&file, "output", "o", "", "write to this `file` instead of standard output")
	completeWords(c, "break", "active = 2", "leaderless >= 10s", "holder = ")
	completeBy(c, "output", func(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
		return nil, cobra.ShellCompDirectiveDefault // files
	})
	return c
}

func branchNames(s *lab.Session) (all []string) {
	for i := range s.Branches {
		all = append(all, s.Branches[i].Name)
	}
	return all
}

// seenIn is the scenario of what a record of real programs or a file of evidence shows, if the argument is one.
func seenIn(ctx context.Context, arg string) (s scenario.Scenario, is bool, err error) {
	if _, missing := os.Stat(arg); missing != nil {
		return s, false, nil
	}
	if isRecord(arg) {
		r, err := replayed(arg, nil)
		if err != nil {
			return s, true, err
		}
		return r.Seen(), true, nil
	}
	report, err := (&importFlags{within: 10 * time.Minute}).read(ctx, nil, []string{arg})
	if err != nil || nothingFound(report) != nil {
		return s, false, nil // it is no evidence: what load said of it is told
	}
	l, err := onlyLease(report)
	if err != nil {
		return s, true, fmt.Errorf("%s: %w, with `leaselab import -o scenario`", arg, err)
	}
	s, _, err = rebuild.Scenario(l)
	return s, true, err
}

// addBranches adds a scenario as a branch, what a record or evidence shows as one, or the branches and breakpoints of a
// saved session.
func addBranches(ctx context.Context, s *lab.Session, arg string, atNs int64) error {
	if data, err := os.ReadFile(arg); err == nil && lab.IsSession(bytes.TrimSpace(data)) {
		saved, err := lab.ReadSession(data)
		if err != nil {
			return fmt.Errorf("%s: %w", arg, err)
		}
		shift := len(s.Branches)
		for _, b := range saved.Branches {
			if b.Parent >= 0 {
				b.Parent += shift
			}
			s.Branches = append(s.Branches, b)
		}
		s.Breakpoints = append(s.Breakpoints, saved.Breakpoints...)
		if shift == 0 { // the first one
			s.Branch = saved.Branch
		}
		return nil
	}
	one, err := load(arg)
	if err != nil {
		seen, is, problem := seenIn(ctx, arg)
		switch {
		case problem != nil:
			return problem
		case !is:
			return err
		}
		one = seen
	}
	if atNs < 0 || atNs > int64(one.Duration) {
		return fmt.Errorf("--at %s must lie between 0 and the duration of %s, %s", time.Duration(atNs), arg,
			one.Duration)
	}
	name := one.Name
	if name == "" {
		name = fmt.Sprintf("scenario %d", len(s.Branches)+1)
	}
	if runes := []rune(name); len(runes) > lab.MaxBranchName {
		name = string(runes[:lab.MaxBranchName])
	}
	here := timeline.Cursor{T: atNs, N: -1}
	s.Branches = append(s.Branches, lab.SessionBranch{Name: name, Parent: -1, Cursor: here, Live: here,
		Scenario: scenario.Encode(one)})
	return nil
}
