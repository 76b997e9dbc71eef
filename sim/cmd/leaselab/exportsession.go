package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"slices"
	"time"

	"github.com/spf13/cobra"

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
		Use:   "session SCENARIO…",
		Short: "Write a whole session as one file: a branch for each scenario, breakpoints, and the instant to open it at",
		Long: "The file is the one that the page saves as “the session”, and the page opens it. A saved session among the arguments brings its branches and its\n" +
			"breakpoints with it. leaselab run FILE runs the current branch, which --branch chooses by name.",
		Example: "  leaselab export session crash my-cure.yaml --break 'active = 2' --at 40s -o cure-session.json\n" +
			"  leaselab export session cure-session.json --branch my-cure | leaselab run -",
		Args: takes(1, 100, "a scenario"), ValidArgsFunction: completeScenarios(100),
		RunE: func(cmd *cobra.Command, args []string) error {
			s := &lab.Session{APIVersion: scenario.APIVersion, Kind: lab.SessionKind}
			for i, arg := range args {
				if err := addBranches(s, arg, int64(at), i == 0); err != nil {
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
	c.Flags().StringVar(&current, "branch", "", "the current branch, by `name` (default: the first, or that of the saved session)")
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

// addBranches adds a scenario as a branch, or the branches and breakpoints of a saved session.
func addBranches(s *lab.Session, arg string, atNs int64, first bool) error {
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
		if first {
			s.Branch = saved.Branch
		}
		return nil
	}
	one, err := load(arg)
	if err != nil {
		return err
	}
	if atNs < 0 || atNs > int64(one.Duration) {
		return fmt.Errorf("--at %s must lie between 0 and the duration of %s, %s", time.Duration(atNs), arg, one.Duration)
	}
	name := one.Name
	if name == "" {
		name = fmt.Sprintf("scenario %d", len(s.Branches)+1)
	}
	if runes := []rune(name); len(runes) > lab.MaxBranchName {
		name = string(runes[:lab.MaxBranchName])
	}
	here := timeline.Cursor{T: atNs, N: -1}
	s.Branches = append(s.Branches, lab.SessionBranch{Name: name, Parent: -1, Cursor: here, Live: here, Scenario: scenario.Encode(one)})
	return nil
}
