/**
 * The seam between the page and the engine, as the page sees it.
 * The same protocol stands in Go in wasm/bridge/protocol.go; wasm/bridge/protocol_test.go keeps the two equal.
 *
 * One global, one function: leaselab(requestJSON: string) => replyJSON: string. It lives in a dedicated Worker.
 * Every request carries an id and an op, and the reply carries the same id. A panic becomes an error reply.
 *
 * Times are integers: nanoseconds of virtual time since the scenario's epoch (2000-01-01T00:00:00Z), all below 2^53.
 * Optional members are absent when they do not apply. Arrays, never maps: order is meaning.
 * Nothing that lies after the live instant is ever sent, except in Opening (which the page clips itself).
 */

export type Nanos = number;

/** A place in a run: the instant, and how many records of that instant are already behind it. n = -1: after all of them. */
export interface Cursor {
  t: Nanos;
  n: number;
}

export interface Request {
  id: number;
  op: Op;
  params?: object;
}

export interface Reply {
  id: number;
  ok: boolean;
  result?: object;
  error?: ErrorReply;
}

/** message is a whole sentence: what, where, the rule, the way out. path names a field of the scenario ("elector.renewDeadline"). */
export interface ErrorReply {
  code: "input" | "limit" | "unknown" | "panic" | "state";
  message: string;
  path?: string;
  value?: string;
  rule?: string;
  line?: number;
  stack?: string;
}

/**
 * Every operation: what it takes and what it answers, as in the table of wasm/bridge/bridge.go. Where the answer is a View or
 * a Comparison, Progress may come before it; the engine's side of the page goes on by itself, so that nobody else sees it.
 */
export interface Ops {
  /** Gives the engine the shipped scenarios, and asks for versions, knobs, acts and field help. */
  hello: { params: HelloParams; result: Greeting };
  /** Opens a scenario (by name or whole) with recorded acts at a cursor and live instant, or a session. */
  open: { params: OpenParams; result: View };
  /** What is wrong with a scenario that "open" refuses: all of it. */
  errors: { params: ErrorsParams; result: ScenarioErrors };

  /** Starts pacing: the worker then calls tick. */
  play: { params: PlayParams; result: View };
  pause: { params: None; result: View };
  /** Moves the cursor, never beyond the live instant. */
  seek: { params: SeekParams; result: View };
  /** One event or landmark back or forth. Forward at the live instant it moves the live instant. */
  step: { params: StepParams; result: View };
  /** Runs silently to the next leader change, violation or breakpoint, to an instant or to the end, and moves the live instant. */
  runTo: { params: RunToParams; result: View };

  /** Something done to the world at the cursor: appended at the live instant, a branch before it. */
  act: { params: ActParams; result: View };
  /** Acts after the live instant, those of another run that this one follows; what is shown stays, and there is nothing to undo. */
  extend: { params: ExtendParams; result: View };
  /** Changes settings of the scenario. */
  edit: { params: EditParams; result: View };
  undo: { params: None; result: View };
  redo: { params: None; result: View };
  /** Switches to another branch, renames or deletes one, or forks at the cursor. */
  branch: { params: BranchParams; result: View };
  /** The session has these breakpoints from now on. */
  breakpoints: { params: BreakpointsParams; result: View };
  /** Makes a branch of one of the runs of whatIf. */
  try: { params: TryParams; result: View };

  /** Everything drawn between two instants. */
  timeline: { params: TimelineParams; result: Timeline };
  /** A window of the event list. */
  events: { params: EventsParams; result: Events };
  /** One version of an object as YAML and JSON, with what changed. */
  object: { params: ObjectParams; result: ObjectView };
  /** A look of a controller at the candidates, step by step. */
  decision: { params: DecisionParams; result: DecisionView };
  /** What every checker says at the cursor. */
  checks: { params: None; result: ChecksView };
  /** What every node takes for true at the cursor. */
  beliefs: { params: None; result: Beliefs };
  /** The sum behind a leader change. */
  why: { params: WhyParams; result: Why };
  /** The whole chain behind a leader change or a violation. */
  cause: { params: CauseParams; result: Cause };
  /** How it would have gone with one thing changed; asked the same again it goes on. */
  whatIf: { params: CauseParams; result: WhatIf };
  /** Futures with fresh randomness; asked the same again it goes on. */
  reroll: { params: RerollParams; result: Rerolled };
  /** One slice of a sweep over seeds; asked the same again it goes on. */
  sweep: { params: SweepParams; result: Swept };
  /** Two runs on one time axis, and where they differ. A View: it was stopped. */
  compare: { params: CompareParams; result: Comparison | View };
  /** Runs a scenario to its end, beside the one that is open, and checks its expectations. */
  expect: { params: ExpectParams; result: Expected };
  /** Checks a lesson that has its sentences, and runs it. Only the second engine has this, as the operations below. */
  lesson: { params: LessonParams; result: LessonChecked };
  /** The predictions that a scenario can answer after an instant. */
  offers: { params: OffersParams; result: Offered };
  /** The changes that give nodes other names. */

  /** A scenario as a test in Go of client-go's elector. */
  goTest: { params: GoTestParams; result: GoTest };
  /** What happened within a span, for other tools. */
  history: { params: HistoryParams; result: Historied };
  /** Fields for the axes of a heat map. */
  heatFields: { params: HeatFieldsParams; result: HeatFields };
  /** What a map has, before any run. */
  heatPlan: { params: HeatParams; result: HeatPlan };
  /** Makes some runs of some cells. */
  heatCells: { params: HeatCellsParams; result: HeatCells };
  /** The runs of a cell, the worst first. */
  heatRuns: { params: HeatRunsParams; result: Detail };
  /** One of them, and where to look at it. */
  heatOpen: { params: HeatOpenParams; result: StudiedRun };
  /** The fields of an adviser, a hunt, a shrink or a search of every schedule. */
  studyForm: { params: StudyFormParams; result: Form };
  /** The next slice of one of them; asked the same again it goes on. */
  studyGo: { params: StudyGoParams; result: StudyAnswer };
  /** A part of a study that another worker has. */
  studyMake: { params: StudyMakeParams; result: PartResult };
  /** A piece of the file of the study that the last request was about. */
  studyKeep: { params: StudyKeepParams; result: StudyPiece };
  /** The next piece of a file that a study goes on from. */
  studyLoad: { params: StudyLoadParams; result: None };
  /** Forgets what was read, and reads other files from now on; their bytes are no request. The tools have these, too. */
  evidenceBegin: { params: EvidenceBeginParams; result: None };
  /** A file is over. */
  evidenceEnd: { params: EvidenceEndParams; result: None };
  /** What the files say. */
  evidenceReport: { params: None; result: EvidenceFound };
  /** The report as `leaselab import` prints it. */
  evidenceText: { params: EvidenceTextParams; result: Historied };
  /** A window of a Lease's timeline. */
  evidenceChart: { params: EvidenceChartParams; result: Chart };
  /** A scenario of what happened to a Lease. */
  evidenceAgain: { params: EvidenceAgainParams; result: EvidenceAgain };
  /** What happened to a Lease, for other tools. */
  evidenceHistory: { params: EvidenceHistoryParams; result: Historied };
  /** Reads another record of real programs from now on. The tools have these three. */
  recordBegin: { params: None; result: None };
  /** The next text of it. Its errors are in the answer. */
  recordFeed: { params: RecordFeedParams; result: RecordKnown };
  /** Opens the record as far as it is known. */
  recordShow: { params: None; result: View };

  /** Every setting: as written, as in force, and its default. */
  settings: { params: None; result: Settings };
  /** Validates one setting's value, several changes or an act, and applies nothing. */
  check: { params: CheckParams; result: Checked };
  /** The canonical content of a link. */
  share: { params: ShareParams; result: Share };
  /** The running scenario, acts included. */
  save: { params: None; result: Saved };
  /** A span of the run as a report or a diagram, up to the live instant. */
  export: { params: ExportParams; result: Exported };
  /** The whole tree of branches with names, breakpoints and cursors; open takes it as a scenario. */
  saveSession: { params: None; result: Saved };
  /** The session with its hidden branches, undo and redo: another engine goes on from it, by open. */
  snapshot: { params: None; result: Snapshot };

  /** A request to the API server of the run; a write that stores something is an act. */
  rest: { params: RestParams; result: RestAnswer };
  /** The request that an event belongs to, as it went over the wire. */
  exchange: { params: ExchangeParams; result: Exchange };
  /** The frames of a watch since the last time. */
  restPoll: { params: RestWatchParams; result: RestFrames };
  /** Closes the client of a watch. */
  restClose: { params: RestWatchParams; result: None };

  /** JSON as kubectl prints YAML. */
  yaml: { params: YAMLParams; result: YAMLText };

  /** The next share of what answered with Progress; every other change ends it. */
  goOn: { params: None; result: View | Comparison };
  /** Advances by the wall time passed. None: nothing that is drawn changed. */
  tick: { params: None; result: View | None };
}
export type Op = keyof Ops;
/** Nothing to say. */
export type None = Record<string, never>;
/** What an operation takes after its name: nothing, where all of it may be missing. */
export type Given<O extends Op> = {} extends Ops[O]["params"] ? [params?: Ops[O]["params"]] : [params: Ops[O]["params"]];
/** How a source of the run is asked. */
export type Ask = <O extends Op>(op: O, ...given: Given<O>) => Promise<Ops[O]["result"]>;
/** The operations that leave the page with another View. */
export type Change = { [O in Op]: Ops[O]["result"] extends View ? O : never }[Op];

export interface Greeting {
  hello: Hello;
  ops: OpInfo[];
}
/**
 * What an operation does: starts and drives belong to the engine and its owner; opens a run, moves the cursor, changes the
 * run, mayChange it (the answer says so), asks, or names a watch that ends with its worker.
 */
export interface OpInfo {
  name: Op;
  kind: "starts" | "opens" | "moves" | "changes" | "mayChange" | "asks" | "watches" | "drives";
}
export interface Hello {
  engine: number;
  protocol: number;
  scenarios: ScenarioInfo[];
  knobs: Knob[];
  acts: ActInfo[];
  fieldHelp: FieldHelp[];
}
export interface ScenarioInfo {
  name: string;
  title: string;
  summary: string;
}
/** A field of the scenario with a control in the page. path as in ErrorReply.path. */
export interface Knob {
  path: string;
  label: string; // "leaseDuration"
  kind: "duration" | "bool" | "int";
  takes: "now" | "restart"; // it acts at once, or at the next start
  help: string; // two lines, with what people get wrong
}
/** What can be done to a node. */
export interface ActInfo {
  act: string; // "crash"
  label: string; // "Crash"
  key: string; // "K"
  help: string;
  section: string; // under which it is listed: "Process"
  inverse: string; // the act that ends it; ""
  told: string; // after its target's name, when it happens: "crashes"
  promise: string; // and before: "will crash"
}
export interface FieldHelp {
  kind: "Lease" | "LeaseCandidate";
  field: string; // "spec.renewTime"
  help: string;
}

export interface HelloParams {
  scenarios?: object[]; // scenarios.json of the site
}
export interface OpenParams {
  scenario: string | object; // a shipped scenario's name, or a whole scenario
  actions?: object[]; // recorded live acts, appended to the scenario's
  seed?: number;
  patch?: PatchEntry[]; // knobs changed against the base scenario
  cursor?: Cursor;
  live?: Cursor;
  engine?: number; // that the link was made with: another one gets a warning
  hash?: string; // that the link was made at, likewise
  breakpoints?: Breakpoint[];
}
export interface PatchEntry {
  path: string;
  value: string;
}
export interface PlayParams {
  speed: number; // virtual seconds per second, 0.01…1000; 0 means story speed
  until?: Nanos; // pause there (the opening story pauses at 36 s)
}
export interface SeekParams {
  cursor: Cursor;
}
export interface StepParams {
  direction: number; // 1 or -1
  unit: "event" | "landmark";
}
export interface RunToParams {
  what: "leaderChange" | "violation" | "breakpoint" | "time" | "end";
  t?: Nanos; // with "time"; past the run's end it is the end
}
export interface ActParams {
  act: string;
  node?: string;
  /** act-specific: cut {direction:"both"|"up"|"down"}, clock {offset:"1h", ratePpm:1000000}, add {name?} */
  options?: object;
  /** In place of the others: any act of the format, as a document has it. */
  action?: object;
  now?: boolean; // whatever its at says: right after the cursor's instant
}
export interface ExtendParams {
  actions: object[]; // in order of time
}
/** Run again from 0, restart the node with it, or at once (network and clocks; duration: the same run lasts longer). */
export type EditMode = "rerun" | "restart" | "now" | "";
export interface EditParams {
  path: string;
  value: string;
  mode: EditMode;
  node?: string;
  changes?: PatchEntry[]; // in place of path and value: several together
}
export interface BranchParams {
  branch: number;
  do?: "rename" | "delete" | "fork"; // fork: at the cursor of the current branch; absent: switch to it
  name?: string;
}
export interface BreakpointsParams {
  breakpoints: Breakpoint[];
}
/** A condition at which the run stops, in words: "active = 2", "holder = b and leaderless >= 10s". */
export interface Breakpoint {
  text: string;
  off?: boolean; // kept, not watched
}
export interface CompareParams {
  a: Side;
  b: Side;
}
/** One of two runs to compare: a branch of the session up to its live instant, or a scenario, a shipped one by name or a whole one, up to until or its end. A seed runs either with another one. */
export interface Side {
  branch?: number;
  scenario?: string | object;
  patch?: PatchEntry[];
  actions?: object[];
  seed?: number;
  until?: Nanos;
  title?: string;
}
/** Two runs on one time axis, and where they differ. */
export interface Comparison {
  a: Compared;
  b: Compared;
  to: Nanos; // end of the common axis
  same: boolean; // nothing differs as far as both go
  differences: Difference[];
  changes: ChangePair[];
  totals: ComparedTotal[];
  settings: SettingPair[]; // fields of the scenarios that differ
}
/** A field of two scenarios; "" stands for a value that is not given. */
export interface SettingPair {
  path: string;
  label: string; // the path in words where it is that of an act
  a: string;
  b: string;
}
/** One of the two runs: everything drawn of it, and the side by which a link finds it again. */
export interface Compared {
  title: string;
  scenario: string;
  seed: number;
  hash: string; // at until
  until: Nanos; // so far it is compared
  side: Side;
  branch: number; // of the session, -1
  view: View; // at until
  timeline: Timeline;
}
/** One place where two runs differ. */
export interface Difference {
  t: Nanos;
  kind: "first" | "change" | "violation"; // first: the first event that is not the same
  in: "a" | "b" | "both";
  text: string;
  textA?: string; // first: what happens in a
  textB?: string;
  cursorA?: Cursor;
  cursorB?: Cursor;
}
/** The leader changes of two runs, matched in order. */
export interface ChangePair {
  a?: ChangeRef;
  b?: ChangeRef;
  atNs?: Nanos; // b's instant minus a's
  gapNs?: Nanos; // b's gap minus a's
  differ: boolean;
}
/** A figure of both runs, ready to print. */
export interface ComparedTotal {
  label: string;
  a: string;
  b: string;
  delta: string; // "" if they are equal
  better?: "a" | "b"; // which is the better one, where that has a meaning
}
export interface TimelineParams {
  from: Nanos;
  to: Nanos;
  widthPx: number; // 0: without requests and countdowns
}
export interface EventsParams {
  around?: Cursor; // default: the cursor
  from?: number; // index of the first row wanted, of the filtered list
  count: number;
  filter?: string; // case-insensitive text
  node?: string;
}
export interface ObjectParams {
  version?: number; // 1-based; 0 or absent: the one at the cursor
  kind?: "Lease" | "LeaseCandidate"; // absent: the Lease
  name?: string;
}
export interface DecisionParams {
  number?: number; // 1-based; 0 or absent: the last at the cursor
}
export interface WhyParams {
  change: number; // index into Timeline.changes / View.change.index
}
export interface ShareParams {
  whole?: boolean; // with the acts later than the live instant, which a link leaves out
}
export interface ExportParams {
  format: "markdown" | "mermaid";
  from: Nanos;
  to: Nanos;
  link?: string; // opens the run in the page
}
export interface Exported {
  text: string;
}
/** Everything of a session that cannot be computed. Scenarios, acts and specs are tables that the rest points into. */
export interface Snapshot {
  apiVersion: string;
  kind: string;
  record?: boolean; // of real programs: it is not in the snapshot
  scenarios: object[];
  acts?: object[];
  specs: SnapshotSpec[];
  branches: SnapshotBranch[];
  branch: number;
  undo?: SnapshotPast[];
  redo?: SnapshotPast[];
  breakpoints?: Breakpoint[];
}
export interface SnapshotSpec {
  base?: string;
  patch?: PatchEntry[];
  scenario: number;
  acts?: SnapshotActs[];
}
/** Acts that follow each other in the table of acts. */
export interface SnapshotActs {
  from: number;
  to: number; // the first that is not one of them
}
export interface SnapshotBranch {
  name: string;
  parent: number; // -1: none
  forkAt: Nanos;
  hidden?: boolean;
  spec: number;
  cursor: Cursor;
  live: Cursor;
}
export interface SnapshotPast {
  label: string;
  branch: number;
  spec: number;
  cursor: Cursor;
  live: Cursor;
  branches: number; // so many there were
  other?: SnapshotView[];
}
/** What was different about a branch. */
export interface SnapshotView {
  branch: number;
  name: string;
  hidden?: boolean;
}
export interface SweepParams {
  patch: PatchEntry[]; // the knobs changed; each seed is run with and without
  after: Nanos; // measured is the gap before the first change of leader after this instant
  first: number; // first seed
  count: number;
}
export interface RestParams {
  method: string;
  target: string; // path and query
  headers?: string[]; // "Name: value"
  body?: string;
  atCursor?: boolean; // a read of the past
}
export interface RestAnswer {
  status: number;
  headers: string[]; // "name: value"
  body: string;
  watch?: number; // a watch was opened: poll its frames
  changed?: boolean; // the write is an act of the scenario now
  view?: View; // after a change
}
export interface ErrorsParams {
  scenario: object;
}
/** whole: there are no more. */
export interface ScenarioErrors {
  errors: ScenarioError[];
  whole: boolean;
}
export interface ScenarioError {
  path: string; // as in ErrorReply.path
  message: string;
}
export interface YAMLParams {
  json: string;
}
export interface YAMLText {
  text: string;
}
export interface RestWatchParams {
  watch: number;
}
export interface RestFrames {
  frames: string[]; // each a line of JSON with its line break
  ended: boolean;
}
export interface ExchangeParams {
  cursor: Cursor;
}
/** A candidate's request as it went over the wire. */
export interface Exchange {
  node: string;
  index: number;
  method: string;
  target: string;
  headers: string[];
  body: string;
  sent: number;
  served?: number;
  ended?: number;
  status?: number; // absent: no answer was made
  answer: string; // as much of the body as the client got
  outcome?: string; // as the client saw it
  answerHeaders?: string[];
}
export interface CheckParams {
  path: string;
  value: string;
  /** In place of both: what edit or act would be asked. */
  changes?: PatchEntry[];
  mode?: EditMode;
  node?: string;
  action?: object;
  now?: boolean;
}
export interface Settings {
  scenario: object; // what the run began as, without live acts
  inForce: object; // the same with every default, and what is inherited, written out
  usual: object; // a scenario that says nothing, likewise
  nodes: string[]; // possible targets
}
export interface Checked {
  error?: ErrorReply;
}

/** Everything the page needs to draw an instant. Values are valid from cursor.t until nextT: countdowns are given as the instant at which they reach zero. */
export interface View {
  run: number; // changes whenever the past changed: cached timelines of other runs are stale
  scenario: string; // name
  title: string;
  seed: number;
  hash: string; // trace hash at the cursor, 16 hex digits
  cursor: Cursor;
  /** number of records at this instant: n of cursor counts within it */
  inInstant: number;
  nextT: Nanos; // no drawn state changes before this (cut at live); equals cursor.t at the live instant
  live: Cursor;
  end: Nanos; // the scenario's duration
  playing: boolean;
  speed: number; // 0: story
  storySpeed: number; // the factor in force now
  nodes: NodeView[]; // at most 100; nodesTotal says how many there are
  nodesTotal: number;
  lease: LeaseView;
  flights: Flight[];
  headline: Headline;
  change?: ChangeRef; // the leader change the headline is about
  totals: Totals;
  branches: BranchView[];
  branch: number;
  undo?: string; // "crash a at 00:20.000"
  redo?: string;
  knobs: KnobValue[];
  marginNs: Nanos; // L − R − P − d, shown as the safety margin
  toast?: string; // "New branch. The original run is kept."
  acts: ActState[]; // for the target node: what is possible now, or why not
  breakpoints?: Breakpoint[];
  record?: string; // of real programs: "live" while more may come, or "whole"
}
export interface ActState {
  node: string;
  act: string;
  refusal?: string; // "a is already down. Restart it first."
}
export interface KnobValue {
  path: string;
  value: string; // "15s"
  pending?: string; // set but not in force before the next start
}
/** "controller" and "serving" are an API server's; the last three are what monitors take a node for. */
export type Role = "waiting" | "following" | "leading" | "lost" | "paused" | "down" | "stopped" | "controller" | "serving" | "ready" | "notReady" | "disputed";
/** How a request ended, as its client saw it. */
export type RequestOutcome = "" | "ok" | "conflict" | "notFound" | "error" | "lost" | "open";
/** How a candidate stands with the controller. */
export type Standing = "counts" | "waits" | "out" | "none";
export interface NodeView {
  name: string;
  index: number; // colour and order; never reused
  identity: string;
  role: Role;
  roleWord: string; // what is printed: "leading", "down"
  since: Nanos;
  /** the countdown as this node sees it */
  countdown?: Countdown;
  believes: string; // "I lead", "a leads", "nobody leads", "knows nothing yet"
  believesHolder: string; // holder name or ""
  cut: "" | "both" | "up" | "down";
  paused: boolean;
  clockOffsetNs: number;
  clockRatePpm: number;
  wall: string; // its own wall clock when it is off, "" otherwise
  candidate?: CandidateView; // with coordinated election
  server?: ServerView; // it is an API server: no candidate, never a leader
}
/** A node's LeaseCandidate, as stored, and how it stood when a controller looked last. */
export interface CandidateView {
  name: string;
  exists: boolean;
  binaryVersion: string;
  emulationVersion: string;
  strategy: string;
  pingTime?: Nanos; // as its writer's clock had it
  renewTime?: Nanos;
  unacked: boolean; // pinged later than it has renewed
  mark: Standing;
  standing: string; // the same in words, with the reason
  judgedAt?: Nanos;
  judgedBy?: string;
  place: number; // in the ranking of that look, 1 for the electee; 0: not ranked
  behind?: string; // "behind c: older emulationVersion (1.35.0, not 1.36.0)"
}
export interface ServerView {
  version: string;
  up: boolean;
  runsController: boolean;
}
/** One look of a controller at the candidates of the Lease, step by step. */
export interface DecisionView {
  run: number;
  number: number; // 1-based, of those that the events tell of; 0: none yet
  numbers: number; // up to the live instant
  cursor: Cursor; // its event
  by: string; // "api-1"
  byIndex: number;
  title: string; // "c is elected."
  electee: string; // "" if nobody is
  index: number; // the electee's, -1
  reason: string; // "older emulationVersion (1.35.0, not 1.36.0) than b"
  outcome: string;
  steps: DecisionStep[];
  considered: ConsideredView[]; // in the controller's order
  latest: string; // the last look at the cursor, told of or not
}
export interface DecisionStep {
  title: string;
  text: string;
  mark: "" | "yes" | "no" | "waits";
}
export interface ConsideredView {
  name: string;
  index: number;
  binaryVersion: string;
  emulationVersion: string;
  strategy: string;
  created: Nanos;
  pingTime?: Nanos;
  renewTime?: Nanos;
  mark: Standing;
  standing: string;
  place: number;
  behind?: string;
}
/** Something small that happened to one lane: a ping, an ack, a holder asked to hand over. */
export interface LaneNote {
  t: Nanos;
  n: number;
  index: number; // the lane
  other: number; // handOver: the preferred holder's lane, -1
  kind: "ping" | "ack" | "gone" | "handOver";
  text: string;
}
export interface Countdown {
  kind: "mayTake" | "mustStop";
  zeroAt: Nanos; // world instant at which it reaches zero
  fromNs: Nanos; // full scale of the ramp: 15 s for a follower, 12 s for the leader
}
export interface LeaseView {
  name: string;
  namespace: string;
  exists: boolean;
  holder: string; // node name or identity, "" = none
  holderIndex: number; // -1 when it is nobody's
  version: number; // ordinal of the stored version, 1-based; 0 before the first
  resourceVersion: string;
  versions: number; // how many there are up to the live instant
  others?: boolean; // there is a ConfigMap of the locks to look at, with or without a Lease
}
/** A request on the wire or just answered. Where it is at time t follows from the four instants alone. */
export interface Flight {
  node: number; // index
  seq: number;
  verb: "get" | "create" | "update" | "delete";
  message?: "leaseCandidate" | "controller" | "heartbeat" | "resource"; // whose; left out: the elector's
  sent: Nanos;
  reaches: Nanos; // at the server (planned); absent message: see lostAt
  served?: Nanos; // set once served
  returns?: Nanos; // at the client (planned once served)
  lost?: "up" | "down"; // cut on that leg
  hangs?: boolean; // waits at the server
  gaveUp?: Nanos; // the client stopped waiting
  outcome: RequestOutcome; // "" while unknown
  ended?: Nanos;
  stopped?: Nanos; // an act lost it or holds it since then
  held?: boolean; // an act holds it
  canBeStopped?: boolean; // an act can lose or hold it at the cursor
}

/** Text with live and linked parts. Replace {elapsed} in a text by cursor.t − sinceT. */
export interface Headline {
  kind: "leads" | "nobody" | "gap" | "two" | "start";
  title: string; // "Nobody led for 14.039 s.", "Nobody leads: {elapsed} so far."
  question?: string; // "Why so long?"
  sinceT?: Nanos;
  gapFrom?: Nanos;
  gapTo?: Nanos;
  addends: Addend[]; // the sum, shown as the second line and as brackets
}
/** One part of a gap. Sum of ns over all addends = gapTo − gapFrom exactly; shown strings sum to the shown total (largest remainder). */
export interface Addend {
  ns: Nanos;
  shown: string; // "13.165"
  text: string; // "left on b's countdown"
  from: Nanos;
  to: Nanos;
  cursor: Cursor; // the event that explains it
}
export interface ChangeRef {
  index: number;
  at: Nanos;
  from: string;
  to: string;
  leaderlessNs: Nanos;
}
export interface Totals {
  leaders: number;
  leaderlessNs: Nanos;
  doubleNs: Nanos;
  violations: number; // of safety and liveness
  observations: number; // broken rules that are only worth knowing
  requests: number;
}
export interface BranchView {
  id: number;
  name: string; // "a crashes at 12.3 s"
  parent: number; // -1 for the first
  forkAt: Nanos;
  live: Nanos;
  hidden: boolean;
}

/** Everything drawn between two instants, clipped to the live instant. */
export interface Timeline {
  run: number;
  from: Nanos;
  to: Nanos;
  live: Nanos; // what goes on at its end goes on at this instant
  detail: boolean; // true: ticks and ramps; false: buckets
  lanes: Lane[];
  holder: HolderSpan[]; // the stored Lease's holder
  bands: Band[]; // nobody / two
  faults: FaultSpan[];
  violations: ViolationMark[];
  changes: ChangeRef[];
  landmarks: Landmark[];
  notes?: LaneNote[]; // with coordinated election
  observations?: ViolationMark[]; // broken rules that are only worth knowing
  resource?: ResourceLane; // what leaders write to, if the scenario has one
}
export interface ResourceLane {
  fence: string; // the token that the resource compares: "none" | "leaseTransitions" | "resourceVersion"
  writes: Write[];
}
/** A write to the resource where it arrived, or was lost; several that are alike and lie close together are one. */
export interface Write {
  t: Nanos;
  to: Nanos; // the instant of the last; t if there is one
  n: number; // cursor n of the first
  index: number; // of the node that writes
  outcome: "accepted" | "refused" | "lost" | "givenUp" | "kept";
  stale: boolean; // another candidate was the last to acquire the Lease
  token: number;
  lastToken: number;
  highest: number; // the highest token that the resource had seen
  count: number;
}
export interface Lane {
  node: string;
  index: number;
  spans: RoleSpan[];
  ticks: Tick[]; // detail only
  ramp: RampPoint[]; // detail only
  buckets?: Buckets; // otherwise
  server?: boolean; // an API server's
  ready?: RoleSpan[]; // what the monitors took it for
}
export interface RoleSpan {
  from: Nanos;
  to: Nanos;
  role: Role;
  active?: boolean; // of "paused": an active leader that does no work
}
export interface Tick {
  t: Nanos; // sent
  end: Nanos; // answered or given up; = t while open
  verb: string;
  outcome: RequestOutcome;
  write: boolean; // an accepted write: tall tick
  error?: string; // of outcome "error": "connection reset by peer"
  n: number; // cursor n of the record at `end`
  served?: Nanos; // when the server carried it out; only in a close picture
  version?: number; // of the Lease, which an accepted write made; only in a close picture
  heldFrom?: Nanos; // an act held it or its answer from then
  heldTo?: Nanos; // to then; left out if it was held at the end
  call?: Nanos; // when the call sent its first request, if the client asked again inside it
}
/** From t on, the countdown reaches zero at zeroAt (it falls one second a second); zeroAt = t means there is none. */
export interface RampPoint {
  t: Nanos;
  zeroAt: Nanos;
  leading: boolean;
}
/** What a lane did in equal stretches of time, one after the other without a hole. The worker makes typed arrays of the lists. */
export interface Buckets {
  from: Nanos;
  widthNs: Nanos;
  requests: number[];
  worstNs: Nanos[]; // smallest remaining countdown in each, -1: none ran
}
export interface HolderSpan {
  from: Nanos;
  to: Nanos;
  holder: string; // node name (or identity of a stranger), "" nobody
  index: number; // -1: nobody's colour
  renewedUntil: Nanos; // after this: "still a, no longer renewed" (outline)
}
export interface Band {
  from: Nanos;
  to: Nanos;
  kind: "nobody" | "two" | "idle"; // idle: the only active leader is paused and does no work
  open: boolean; // still going on at the live instant
  change: number; // index of the leader change that ends it, -1 if none yet
  addends: Addend[]; // brackets; only of "nobody"
  pausedNs?: Nanos; // of "two": how long one of the leaders was paused
}
export interface FaultSpan {
  from: Nanos;
  to: Nanos;
  open: boolean;
  node: string; // "" = the API
  text: string; // "a is down", "a cut off (both ways)"
}
export interface ViolationMark {
  from: Nanos;
  to: Nanos;
  rule: string; // "more than one active worker"
  kind: "safety" | "liveness" | "observation";
  text: string;
  cursor: Cursor;
}
export interface Landmark {
  t: Nanos;
  n: number;
  kind: "leader" | "fault" | "lost" | "violation" | "act";
  text: string;
}

export interface Events {
  run: number;
  total: number; // rows of the filtered list up to the live instant
  from: number; // index of rows[0]
  rows: EventRow[];
  at: number; // index of the row at the cursor, -1 if none
}
export interface EventRow {
  t: Nanos;
  n: number;
  node: string; // "" = administrator, network
  index: number; // -1 likewise
  text: string; // "reads the Lease: unchanged for 12.900 s, a still holds it."
  detail: string; // "PUT 200, v12, 5.0 ms"
  kind: "request" | "write" | "lead" | "fault" | "violation" | "act" | "callback";
  outcome: RequestOutcome;
  version: number; // Lease version written, 0 otherwise
}

export interface ObjectView {
  run: number;
  kind: "Lease" | "LeaseCandidate";
  name: string;
  version: number;
  versions: number;
  t: Nanos;
  by: string;
  yaml: YamlLine[];
  json: string; // indented, exactly the API's bytes re-indented
  raw: string; // the bytes the API would send
  text: string; // the YAML text, for copying
  objects?: ObjectRef[]; // what else there is to look at, up to the live instant
}
/** An object that can be looked at. */
export interface ObjectRef {
  kind: string;
  name: string;
}
/** One line of YAML. mark: "" unchanged, "old" struck, "new" added or changed. */
export interface YamlLine {
  text: string;
  mark: string;
  field: string; // "spec.renewTime", "" if none
}

export interface Why {
  change: ChangeRef;
  title: string;
  addends: Addend[];
  story: WhyLine[]; // the full chain, in order
  surprise: string;
  rules: WhyRules;
  counts: Count[]; // the countdowns under way at the change, the new leader's first; empty when nobody waited for one
  lookedAt: Nanos; // when the new leader began the look that made it leader
}
/** The settings that governed the change: those the leader before it ran with. */
export interface WhyRules {
  leaseNs: Nanos;
  renewDeadlineNs: Nanos;
  retryPeriodNs: Nanos;
}
/** How long the Lease counts as one node sees it: from its own last sight of a change. */
export interface Count {
  node: string;
  index: number;
  seen: Nanos;
  until: Nanos;
}
/** How a sweep stands: the same acts with other seeds, as the run is and with knobs changed. */
export interface Swept {
  done: number; // seeds so far
  of: number;
  hereNs?: Nanos; // this run's gap with the knobs changed; absent: it did not end
  medianNs?: Nanos; // of the seeds so far, knobs changed
  plainMedianNs?: Nanos; // of the same seeds, nothing changed
}
export interface WhyLine {
  text: string;
  cursor: Cursor;
}

export interface Share {
  scenario: string | object;
  patch: PatchEntry[];
  actions: object[];
  seed: number;
  engine: number;
  hash: string;
  cursor: Cursor;
  live: Cursor;
  breakpoints?: Breakpoint[];
}
export interface Saved {
  name: string; // file name
  scenario: object;
}

/** The recorded opening, in the page before the engine is: built by `leaselab opening`. */
export interface Opening {
  engine: number;
  hello: Hello;
  frames: View[]; // one for each instant something changed, in order, as successive differences: see js/opening.js
  timeline: Timeline; // whole, from 0 to end; its layout cuts it at the live instant
  events: Events;
  objects: ObjectView[];
  why: Why;
  pace: PaceSpan[];
}
/** How far the engine is with what takes more than one call. goOn goes on with it, every other change leaves it. */
export interface Progress {
  done: boolean; // always false: what is done answers as its op says
  at: Nanos;
  of: Nanos;
}
/** Story speed from t on. */
export interface PaceSpan {
  t: Nanos;
  factor: number;
}

/** What every checker says at the cursor, in the order of the rules. */
export interface ChecksView {
  run: number;
  cursor: Cursor;
  checks: CheckView[];
  margin?: MarginFigures; // once a leader was active
  failovers: Failovers;
}
/** One rule: whether it holds, what was measured, and where it was first broken. */
export interface CheckView {
  rule: string; // "moreThanOneActive"
  number: number; // 1 to 16
  severity: "safety" | "liveness" | "observation";
  state: "ok" | "off" | "observed" | "violated" | "notEvaluated";
  title: string; // "more than one active worker"
  figure: string;
  count: number;
  text: string; // the first breach in a sentence, "" if there is none
  first?: Cursor; // where that is
}
/** The margin meter: L − R − P − d. */
export interface MarginFigures {
  lastNs: Nanos; // of the last renewal
  leastNs: Nanos; // so far
  nearestNs?: Nanos; // from a stop to the next start, the least so far; negative: they overlapped
}
/** The histogram of failovers after a crash by whole seconds without a leader, against the formula. */
export interface Failovers {
  counts: number[]; // from second 0 on, up to the last that is not empty
  bestNs: Nanos; // by the formula; 0: not known yet
  worstNs: Nanos;
}

/** Names a change of leader or a violation. */
export interface CauseParams {
  kind: "change" | "violation";
  number: number;
}
/** Why something came about: a change of leader with its gap, or a violation. Every part and every sentence opens its event. */
export interface Cause {
  run: number;
  kind: "change" | "violation";
  number: number; // index among the changes, or the violations
  title: string;
  cursor: Cursor;
  parts: Addend[]; // of the gap, or of the violation's length
  chain: Addend[]; // change: the new leader's whole way, from the last renewal it saw
  ending: Addend[]; // change: the previous leader, after its last successful renewal
  story: WhyLine[];
  bound: string; // what a re-roll would count: "more than one active worker", "nobody leads for more than 14 s"
  subject: CauseRef[]; // everything there is to ask about, up to the live instant
}
/** Something to ask about. */
export interface CauseRef {
  kind: "change" | "violation";
  number: number;
  rule: string; // of a violation, "" of a change
  title: string;
  cursor: Cursor;
}
/** How it would have gone with one thing changed: runs of the same seed, what leaves least of the gap or the violation first. */
export interface WhatIf {
  done: number; // runs so far
  of: number;
  lines: WhatIfLine[];
}
/** One of these runs. */
export interface WhatIfLine {
  number: number; // for trying it
  label: string; // "releaseOnCancel"
  sentence: string; // "releaseOnCancel: 2.100 s, 11.900 s shorter"
  effect: "better" | "same" | "worse";
}
/** Names a line of whatIf. */
export interface TryParams {
  kind: "change" | "violation";
  number: number;
  line: number; // WhatIfLine.number
}
/** Says what to re-roll in the run of a scenario up to an instant, and how often. */
export interface RerollParams {
  scenario: string | object;
  until: Nanos;
  kind: "change" | "violation";
  number: number;
  runs: number; // futures of each instant
  points: number; // instants
}
/** Futures of instants of the run with fresh randomness: in how many of them it comes to the same. */
export interface Rerolled {
  done: number; // futures so far
  of: number;
  runs: number; // futures of each instant
  happens?: Nanos;
  inevitable?: Nanos; // from here on at least 99 % of the futures end so; absent: never, or not known yet
  points: RerollPoint[];
  turn?: RerollTurn;
  scripted?: Scripted;
}
/** Every future ends the same way from the beginning: the scenario decides, and no instant does. */
export interface Scripted {
  act: string; // without it the fewest futures end so: "pause of the holder at 20s"; "" if no act makes a difference
  share: number; // of the futures without the act
  low: number; // the 95 % interval
  high: number;
}
/** One instant. */
export interface RerollPoint {
  t: Nanos;
  hits: number;
  share: number;
  low: number; // the 95 % interval
  high: number;
}
/** Where the curve moves most, and what happened there. */
export interface RerollTurn {
  from: Nanos;
  to: Nanos;
  before: number; // shares
  after: number;
  happened: WhyLine[];
}

/** What every node takes for true at the cursor, when nobody or more than one believed that it was the leader lately, and what keeps the leader and its successor apart. */
export interface Beliefs {
  run: number;
  server: string; // the API server's wall clock: true time
  from: Nanos; // of the bands
  to: Nanos;
  nodes: Belief[];
  bands: BeliefBand[];
  margins: LeaderMargin[]; // one for each leader
  least?: Nanos; // the smallest margin so far, once a leader has renewed
  nearest?: Nanos; // the shortest time from a stop to the next start so far; negative: they overlapped
}
/** One node's own view. */
export interface Belief {
  name: string;
  index: number;
  alive: boolean;
  wall: string; // its own wall clock
  monoNs: Nanos;
  leads: boolean; // it believes that it is the leader
  holder: string;
  seen?: Cursor; // when it last saw the Lease change
  until?: Nanos; // the Lease counts for it until then
}
/** A stretch in which nobody, or more than one, believed that it was the leader. */
export interface BeliefBand {
  from: Nanos;
  to: Nanos;
  kind: "nobody" | "two";
  who: string; // "a and c"
}
/** leaseDuration − renewDeadline − retryPeriod − the way of the last answer from the server: what is left between a leader's last chance to stop and the first chance of another to take over. */
export interface LeaderMargin {
  node: string;
  index: number;
  leaseNs: Nanos; // L, as the Lease publishes it
  renewNs: Nanos; // R, on the node's own clock in true time
  retryNs: Nanos; // P, likewise
  answerNs: Nanos;
  marginNs: Nanos;
  stops?: Nanos; // when it must stop if nothing succeeds from now on
  takes?: Nanos; // when the first of the others may take over
  by: string;
  paused: boolean; // a paused process cannot stop
}
export interface LessonParams {
  lesson: object; // the document of its file
}
export interface LessonChecked {
  problems: ScenarioError[];
  lesson?: object; // as the player takes it; only without problems
}
export interface OffersParams {
  scenario: string | object; // a shipped scenario's name, or a whole scenario
  after: Nanos;
}
export interface Offered {
  offers: object[]; // sim/lesson Offer
}
export interface GoTestParams {
  scenario: string | object; // a shipped scenario's name, or a whole scenario
}
export interface GoTest {
  file: string;
  text: string;
}
export interface HistoryParams {
  scenario: string | object; // a shipped scenario's name, or a whole scenario
  format: string; // "perfetto" | "shiviz" | "ndjson" | "csv" | "leaders"
  from: Nanos;
  to: Nanos;
}
export interface Historied {
  text: string;
}
export interface HeatFieldsParams {
  scenario: string | object; // a shipped scenario's name, or a whole scenario
}
export interface HeatFields {
  fields: Field[];
}
/** A field that a map may have on an axis, with values to begin with. */
export interface Field {
  path: string;
  label: string;
  values: string;
}
export interface Axis {
  path: string;
  values: string; // as sweep --set reads them: 5s,10s or 10s..20s/1s
}
/** The specification of a heat map: two fields, each combination with the seeds first to first + seeds - 1. */
export interface HeatStudy {
  scenario: string | object;
  x: Axis;
  y: Axis;
  first: number;
  seeds: number;
  varyPhase?: boolean; // draw the instant of the first act from the seed
  duration?: string; // of each run, such as 5m; "": the scenario's
}
export interface HeatParams {
  study: HeatStudy;
}
/** Cell y * x.length + x has the values x[x] and y[y]. */
export interface HeatPlan {
  x: string[];
  y: string[];
  refused: HeatRefused[];
  measures: Measure[];
  presets: Preset[];
  command: string; // makes the same runs
}
export interface HeatRefused {
  cell: number;
  rule: string;
}
export interface Measure {
  id: string;
  label: string;
  unit: string;
  alarm: boolean; // more than 0 is a broken promise
  least: boolean; // the least is the worst
}
/** The settings of a real component. */
export interface Preset {
  name: string;
  says: string;
  cell: number; // -1: not on the map
  differs?: string; // what its cell has otherwise, such as "retryPeriod 26 s, here 2 s"
}
export interface HeatCellsParams {
  study: HeatStudy;
  cells: number[];
  seeds: number;
}
export interface HeatCells {
  cells: HeatCell[];
}
export interface HeatCell {
  cell: number;
  runs: number;
  values: number[]; // in the order of HeatPlan.measures
  atLeast: boolean[]; // the value is a lower bound: runs end while the length goes on
  row: object; // its line of leaselab sweep -o json
}
export interface HeatRunsParams {
  study: HeatStudy;
  cell: number;
  seeds: number;
  measure: string;
}
export interface Detail {
  runs: Listed[]; // the worst first
  bins: Bin[];
  figures: string[];
}
export interface Listed {
  seed: number;
  value: number;
  text: string;
  broke: boolean;
}
/** The runs from a value to the next one. */
export interface Bin {
  from: number;
  to: number;
  runs: number;
  label: string;
}
export interface HeatOpenParams {
  study: HeatStudy;
  cell: number;
  seed: number;
  measure: string;
}
export type StudyKind = "advise" | "hunt" | "shrink" | "explore";
export interface StudyFormParams {
  kind: StudyKind;
  scenario: string | object;
}
/** What a kind of study asks for. */
export interface Form {
  says: string;
  fields: FormField[];
  start: string; // the label of the button
  resumes?: string; // that of the one that goes on from a file
}
export interface FormField {
  name: string;
  label: string;
  help: string;
  value: string; // to begin with
  options?: string[]; // the values to choose from; none: any text
}
export interface Filled {
  name: string;
  value: string;
}
export interface StudySpec {
  kind: StudyKind;
  scenario: string | object;
  values: Filled[];
}
export interface StudyGoParams {
  study: StudySpec;
  ms: number;
  quiet?: boolean; // without a report, unless the study is over
  took?: number; // ms so far, without pauses
  parts?: number; // hand out up to so many parts for other workers, in place of runs of this one's own
  results?: PartResult[]; // of parts that were handed out
  begin?: boolean; // anew, even if the last request was about the same study
}
export interface StudyAnswer {
  over: boolean;
  report?: Report;
  parts: Part[];
}
/** Some work of a study. */
export interface Part {
  part: number;
  lane?: number; // the worker that makes it, from 1 on: it keeps what the next one needs; none: any
  work: object;
}
export interface PartResult {
  part: number;
  result: object;
}
export interface StudyMakeParams {
  study: StudySpec;
  part: Part;
}
export interface StudyKeepParams {
  study: StudySpec;
  from: number; // byte; at 0 the file is written
}
export interface StudyPiece {
  bytes: string; // base64
  size: number; // of the file, in bytes
}
export interface StudyLoadParams {
  study: StudySpec;
  bytes: string; // base64
  last: boolean;
}
/** How far a study is, in words. */
export interface Report {
  done: number;
  of: number; // 0: it is not known how much there is to do
  progress: string;
  unit: string; // of done
  title: string; // the answer; "" while there is none
  tone: string; // good, bad or ""
  sentences: string[];
  items: Item[];
  command: string; // gives the same
  save?: string; // the name of the file to keep the study in; missing: it has nothing to keep
}
export interface Item {
  title: string;
  lines: string[];
  run?: Opens;
}
/** A run to open, and the instant to look at. */
export interface Opens {
  label: string;
  scenario: object;
  at: Nanos;
  end: Nanos;
}
export interface StudiedRun {
  scenario: object;
  at: Nanos; // of its worst event
  end: Nanos;
}
export interface EvidenceBeginParams {
  lease?: string; // namespace/name; every Lease without it
  around?: string; // an RFC 3339 time; everything without it
  year: number; // of klog's lines if no other file has one
  nodes?: EvidenceNode[];
}
/** Whose log a file is. */
export interface EvidenceNode {
  file: string;
  node: string;
}
export interface EvidenceEndParams {
  name: string;
}
export interface EvidenceFound {
  files: EvidenceFile[];
  problems: Problem[];
  problemCount: number;
  leases: EvidenceLease[]; // two leaders first
}
export interface EvidenceTextParams {
  format: "text" | "json";
}
export interface EvidenceFile {
  name: string;
  lines: number;
  kinds: string[]; // "103 audit"
  says: string;
  node: string; // the candidate whose log it is; "": it is no log
  run?: EvidenceRun; // of a trace file that reads back to an equal run
}
/** The run of a trace file, and where the file ends. */
export interface EvidenceRun {
  says: string;
  scenario: object;
  end: Nanos;
}
/** A line that could not be read. */
export interface Problem {
  file: string;
  line: number;
  says: string;
}
/** What happened to one Lease; instants are nanoseconds since from. */
export interface EvidenceLease {
  name: string;
  headline: string;
  changes: number;
  overlaps: number;
  from: string;
  to: string;
  length: Nanos;
  moments: Moment[]; // those that tell most
  unlisted: number; // moments that are not among them
  renewals: Renewals;
  settings: Setting[];
  clocks: Clock[];
  limits: string[];
  unattributed: number;
}
export interface Moment {
  kind: "leader" | "gap" | "overlap" | "finding" | "conflict" | "near";
  from: Nanos;
  to: Nanos; // from if it has no length
  time: string; // "19:17:13.564"
  says: string;
  lines: string[]; // "audit.jsonl:47"
}
export interface Renewals {
  count: number;
  p50Seconds: number;
  maxSeconds: number;
}
export interface Setting {
  name: string;
  value: string;
  confidence: number;
  by: string;
}
/** How far the clock of a source is from the timeline's. */
export interface Clock {
  source: string;
  offsetSeconds: number;
  errorSeconds: number; // -1: unknown
  by: string;
}
export interface EvidenceChartParams {
  lease: string;
  from: Nanos;
  to: Nanos; // 0: all of it
  steps: number; // how many marks a row can show
}
export interface Chart {
  from: Nanos;
  to: Nanos;
  rows: ChartRow[];
}
export interface ChartRow {
  name: string;
  kind: "candidate" | "file";
  bars: ChartBar[];
  marks: ChartMark[];
}
export interface ChartBar {
  kind: "renews" | "silent" | "believes";
  from: Nanos;
  to: Nanos;
  lines: string[];
}
/** So many records of one kind. */
export interface ChartMark {
  kind: "renewal" | "read" | "refused" | "log" | "record";
  at: Nanos;
  count: number;
  lines: string[]; // of the first
}
export interface EvidenceHistoryParams {
  lease: string;
  format: string; // "perfetto" | "shiviz" | "ndjson" | "csv" | "leaders"
}
export interface RecordFeedParams {
  text: string;
  over?: boolean; // it is the last
}
/** How far a record is known. */
export interface RecordKnown {
  known: Nanos;
  end: Nanos; // of its acts, at least; 0 before its first line
  goesOn: boolean; // more may come
  whole: boolean; // it has its last line
  says: string; // what is wrong with it, "" for nothing
  view?: View; // if the engine shows the record and computes nothing
}
export interface EvidenceAgainParams {
  lease: string;
}
export interface EvidenceAgain {
  scenario: object;
  at: Nanos; // where to look
  end: Nanos;
  fit: string[];
  kind: "change" | "violation"; // what the cures are about, for try
  number: number;
  cures: WhatIfLine[];
  likes: Like[];
}
/** An exhibit of the museum that resembles it. */
export interface Like {
  name: string;
  id: string;
  title: string;
  why: string;
}
export interface ExpectParams {
  scenario: string | object; // a shipped scenario's name, or a whole scenario
  words?: boolean; // only what it asserts, without a run
}
export interface Expected {
  clauses?: Clause[]; // with words: what the scenario asserts
  outcomes: Outcome[]; // without: after a run to the end
}
/** An assertion. */
export interface Clause {
  clause: string; // "the longest time without an active leader, at most 15s"
  name?: string; // of the rule, measure or event: "leaderlessLongest"
}
/** The outcome of an assertion. */
export interface Outcome {
  clause: string;
  name?: string;
  met: boolean;
  measured: string; // "14.038760558 s"
}
