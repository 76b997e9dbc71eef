package main

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/leaselab/leaselab/sim/lab"
	"github.com/leaselab/leaselab/sim/lab/link"
	"github.com/leaselab/leaselab/sim/protocol"
	"github.com/leaselab/leaselab/sim/scenario"
	"github.com/leaselab/leaselab/sim/scenario/shipped"
	"github.com/leaselab/leaselab/sim/scenario/yaml"
	"github.com/leaselab/leaselab/sim/timeline"
	"github.com/leaselab/leaselab/sim/words"
)

// exportScenarioCommand is `leaselab export scenario`: it prints a scenario as a file. For a link to the page, the file
// includes the user's acts. Then standard error says which instant the link shows, what leaselab ignores, and whether
// this engine reproduces the run.
//
// It exits 0 even if the run differs, since the scenario is still readable, and 1 for a damaged link.
func exportScenarioCommand() *cobra.Command {
	var output string
	c := &cobra.Command{
		Use:  "scenario LINK|SCENARIO",
		Args: takes(1, 1, "a link or a scenario"), ValidArgsFunction: completeScenarios(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if link.Is(args[0]) {
				return openLink(cmd.OutOrStdout(), cmd.ErrOrStderr(), args[0], output)
			}
			s, err := load(args[0])
			if err != nil {
				return err
			}
			_, err = cmd.OutOrStdout().Write(encoded(s, output))
			return err
		},
	}
	formatFlag(c, &output, "yaml", "json")
	return c
}

// encoded returns a scenario in the form of a file.
func encoded(s scenario.Scenario, output string) []byte {
	if output == "json" {
		return scenario.EncodeIndent(s)
	}
	return yaml.Encode(s)
}

// openLink prints the scenario of a link. Opening the link computes the run up to its instant, so the trace hash of the
// link can tell whether the sender saw the same.
func openLink(out, told io.Writer, text, output string) error {
	l, share, err := labOfLink(text, told)
	if err != nil {
		return err
	}
	if _, err := out.Write(encoded(l.Scenario(), output)); err != nil {
		return err
	}
	fmt.Fprintf(told, "leaselab: the link shows the run at %s, computed up to %s\n", words.Instant(share.Cursor.T),
		words.Instant(share.Live.T))
	switch toast := l.Session().Toast; {
	case toast != "":
		fmt.Fprintln(told, "leaselab:", toast)
	case share.Hash != "":
		fmt.Fprintf(told, "leaselab: this engine reproduces the same run: trace hash %s\n", share.Hash)
	}
	return nil
}

// labOfLink opens a link as the page does, and says what it ignores. A link has one of three forms: a packed run
// (#v1.…), a short form that people write (#crash&t=40s), or a place in a lesson or the museum.
//
// labOfLink passes Cursor and Live on to the session, because the acts in a link happened at the sender's live cursor.
// With the engine number and the hash, the session can tell whether the sender saw the same run.
func labOfLink(text string, told io.Writer) (*lab.Lab, *link.Linked, error) {
	if s, live, isPlace, err := lessonOrIncident(text); isPlace {
		return openedAt(s, live, err)
	}
	share, err := link.Read(text)
	if err != nil {
		return nil, nil, err
	}
	if len(share.Dropped) > 0 {
		fmt.Fprintf(told, "leaselab: the link contains %q, which leaselab does not know and ignores\n",
			strings.Join(share.Dropped, " and "))
	}
	o := lab.Opening{Patch: share.Patch, Seed: share.Seed, Cursor: &share.Cursor, Live: &share.Live,
		Engine: share.Engine,
		Hash:   share.Hash, Breakpoints: share.Breakpoints}
	if o.Actions, err = scenario.DecodeActions(share.Actions); err != nil {
		return nil, nil, fmt.Errorf("the link cannot be read: %w", err)
	}
	switch of := share.Scenario.(type) {
	case string:
		o.Name = of
	case json.RawMessage:
		whole, err := scenario.Decode(of)
		if err != nil {
			return nil, nil, fmt.Errorf("the link cannot be read: %w", err)
		}
		o.Whole = &whole
	}
	l := newLab()
	if err := l.Open(o); err != nil {
		return nil, nil, fmt.Errorf("the link cannot be opened: %w", err)
	}
	return l, share, nil
}

// openedAt opens a scenario at an instant, unless the scenario failed to load. It wraps errors from loading and errors
// from opening in the same way, so that the user always learns that the link is at fault.
func openedAt(s scenario.Scenario, live timeline.Cursor, err error) (*lab.Lab, *link.Linked, error) {
	l := newLab()
	if err == nil {
		err = l.Open(lab.Opening{Whole: &s, Cursor: &live, Live: &live})
	}
	if err != nil {
		return nil, nil, fmt.Errorf("the link cannot be opened: %w", err)
	}
	return l, &link.Linked{Share: protocol.Share{Cursor: live, Live: live}}, nil
}

// newLab returns a lab that decodes a shipped scenario only when it needs it. Most commands need at most one, so
// decoding all shipped scenarios would be a waste.
func newLab() *lab.Lab {
	l := lab.New(nil)
	l.FindBy(func(name string) (scenario.Scenario, bool, error) {
		s, known := shipped.ByName(name)
		return s, known, nil
	})
	return l
}

// linkCommand is `leaselab export link`: it prints a link that opens a scenario in the page. It exits 1 for a scenario
// that is too long for a link. The scenario is in the fragment, after the #, which browsers do not send to any server.
func linkCommand() *cobra.Command {
	var at time.Duration
	var seed, page string
	c := &cobra.Command{
		Use:               "link SCENARIO",
		Args:              aScenario,
		ValidArgsFunction: completeScenarios(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			text, err := linkTo(args[0], seed, at, page)
			if err == nil {
				fmt.Fprintln(cmd.OutOrStdout(), text)
			}
			return err
		},
	}
	c.Flags().DurationVar(&at, "at", 0, "")
	c.Flags().StringVar(&seed, "seed", "", "")
	c.Flags().StringVar(&page, "page", "http://127.0.0.1:8765/", "")
	return c
}

func linkTo(arg, seed string, at time.Duration, page string) (string, error) {
	s, err := loadWith(arg, seed)
	if err != nil {
		return "", err
	}
	if at < 0 || at > time.Duration(s.Duration) {
		return "", fmt.Errorf("--at %s must lie between 0 and the scenario's duration, %s", at, s.Duration)
	}
	return linkOf(s, arg, at, page)
}

// linkOf returns a link to a scenario that came from the argument arg. If arg names a shipped scenario, the link
// contains only the name and the seed: a few dozen characters instead of thousands. Callers without a name pass "" and
// get a link with the whole scenario.
func linkOf(s scenario.Scenario, arg string, at time.Duration, page string) (string, error) {
	o := lab.Opening{Whole: &s, Cursor: &timeline.Cursor{T: int64(at), N: -1}}
	if one, isShipped := shipped.ByName(arg); isShipped { // then the link needs only the name
		o.Name, o.Whole = one.Name, nil
		o.Seed = &s.Seed
	}
	l := newLab()
	if err := l.Open(o); err != nil {
		return "", err
	}
	fragment, err := link.Write(l.Share(false))
	if err != nil {
		return "", err
	}
	if len(fragment) > link.MaxLength {
		return "",
			fmt.Errorf(
				"the link would have %d characters, but many programs cut links after %d; open the file "+
					"instead", len(fragment), link.MaxLength)
	}
	address, _, _ := strings.Cut(page, "#")
	return address + "#" + fragment, nil
}
