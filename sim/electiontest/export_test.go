package electiontest

import (
	"fmt"
	"strings"
)

// Reports takes what a Run reports, for tests of tests that fail.
type Reports struct{ Text strings.Builder }

func (r *Reports) Helper()      {}
func (r *Reports) Name() string { return "TestProgram/in the bubble" }
func (r *Reports) Failed() bool { return r.Text.Len() > 0 }

func (r *Reports) Errorf(format string, args ...any) { fmt.Fprintf(&r.Text, format+"\n", args...) }

func (r *Reports) Logf(format string, args ...any) { fmt.Fprintf(&r.Text, format+"\n", args...) }

// ReportTo sends what a Run reports elsewhere.
func ReportTo(r *Reports) Option { return func(o *options) { o.report = r } }
