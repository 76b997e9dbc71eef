package sliced

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/leaselab/leaselab/sim/study/advise"
	"github.com/leaselab/leaselab/sim/study/grid"
	"github.com/leaselab/leaselab/sim/study/hunt"
)

// Shared is a study that other workers can help with. One worker owns the study, hands out parts and collects the
// results. The others have a study with the same specification and compute parts.
//
//	owner                              helpers
//	Parts(8) -> part 1, 2, ...  ---->  Make(work) -> result
//	Put(1, result)              <----
//
// Workers exchange parts and results as JSON, because the workers of a page share no memory. Results may come in any
// order. The owner's outcome is the same as without helpers.
type Shared interface {
	Study
	// Parts hands out at most `most` parts. If it returns none, the study waits for results or is over.
	Parts(most int) (parts []Part, over bool, err error)
	// Make computes a part that another study with the same specification handed out.
	Make(work json.RawMessage) (result json.RawMessage, err error)
	// Put stores the result of a part. It returns an error if that part is not in progress.
	Put(number int, result json.RawMessage) error
}

// Part is a piece of a study's work.
type Part struct {
	Number int             `json:"part"`
	Work   json.RawMessage `json:"work"`
}

// Timed is a study that a time limit may end.
type Timed interface {
	// Spent returns how long the study has taken, not counting pauses.
	Spent(time.Duration)
}

// `under` contains the parts in progress, by number.
type under[T any] struct {
	next  int
	parts map[int]T
}

func (u *under[T]) hand(what T, task any) (Part, error) {
	work, err := json.Marshal(task)
	if err != nil {
		return Part{}, err
	}
	if u.parts == nil {
		u.parts = map[int]T{}
	}
	u.next++
	u.parts[u.next] = what
	return Part{Number: u.next, Work: work}, nil
}

func (u *under[T]) back(number int) (T, error) {
	what, is := u.parts[number]
	if !is {
		return what, fmt.Errorf("part %d is not under way", number)
	}
	delete(u.parts, number)
	return what, nil
}

// mostTrials limits the runs in a part of a hunt, so that other workers can begin while this one draws the next
// parts.
const mostTrials = 4

// Parts implements Shared. A part consists of trials of the current round. Each shrink is a separate part, because
// shrinks take long.
func (h *hunting) Parts(most int) (parts []Part, over bool, err error) {
	if len(h.shared.parts) == 0 && h.next == len(h.trials) {
		h.nextRound()
	}
	for len(parts) < most && h.next < len(h.trials) {
		var tasks []hunt.Task
		first := h.next
		for h.next < len(h.trials) && len(tasks) < mostTrials {
			t := h.trials[h.next]
			if t.Shrinks() && len(tasks) > 0 {
				break
			}
			tasks, h.next = append(tasks, t.Task()), h.next+1
			if t.Shrinks() {
				break
			}
		}
		part, err := h.shared.hand(h.trials[first:h.next], tasks)
		if err != nil {
			return nil, false, err
		}
		parts = append(parts, part)
	}
	return parts, h.over, nil
}

// Make implements Shared.
func (h *hunting) Make(work json.RawMessage) (json.RawMessage, error) {
	var tasks []hunt.Task
	if err := json.Unmarshal(work, &tasks); err != nil {
		return nil, err
	}
	var records []hunt.Record
	for _, task := range tasks {
		t, err := h.hunt.Trial(task)
		if err != nil {
			return nil, err
		}
		for !t.Go(sliceRequests) {
		}
		records = append(records, t.Record())
	}
	return json.Marshal(records)
}

// Put implements Shared.
func (h *hunting) Put(number int, result json.RawMessage) error {
	trials, err := h.shared.back(number)
	if err != nil {
		return err
	}
	var records []hunt.Record
	if err := json.Unmarshal(result, &records); err != nil {
		return err
	}
	if len(records) != len(trials) {
		return fmt.Errorf("part %d has %d results, not %d", number, len(records), len(trials))
	}
	for i, t := range trials {
		t.Put(records[i])
	}
	return nil
}

// partRuns limits the number of runs in a part of an adviser's work.
const partRuns = 48

// Parts implements Shared. A part consists of runs of one setting.
func (a *advising) Parts(most int) (parts []Part, over bool, err error) {
	if a.runs != nil && a.runs.Done() == a.runs.Of() {
		a.made, a.runs = a.made+a.runs.Of(), nil
	}
	if over, err := a.begin(); over || err != nil {
		return nil, over, err
	}
	for len(parts) < most {
		number, more := a.runs.Next()
		if !more {
			break
		}
		task := a.adviser.Task(number, partRuns)
		numbers := []int{number}
		for len(numbers) < task.Runs {
			number, _ = a.runs.Next()
			numbers = append(numbers, number)
		}
		part, err := a.shared.hand(numbers, task)
		if err != nil {
			return nil, false, err
		}
		parts = append(parts, part)
	}
	return parts, false, nil
}

// Make implements Shared.
func (a *advising) Make(work json.RawMessage) (json.RawMessage, error) {
	var task advise.Task
	if err := json.Unmarshal(work, &task); err != nil {
		return nil, err
	}
	runs, err := a.adviser.Make(task)
	if err != nil {
		return nil, err
	}
	return json.Marshal(runs)
}

// Put implements Shared.
func (a *advising) Put(number int, result json.RawMessage) error {
	numbers, err := a.shared.back(number)
	if err != nil {
		return err
	}
	var runs []grid.Run
	if err := json.Unmarshal(result, &runs); err != nil {
		return err
	}
	if len(runs) != len(numbers) {
		return fmt.Errorf("part %d has %d results, not %d", number, len(runs), len(numbers))
	}
	for i, one := range runs {
		a.runs.Put(numbers[i], one)
	}
	a.take()
	return nil
}

// Spent implements Timed.
func (h *hunting) Spent(took time.Duration) { h.spent = max(h.spent, took) }
