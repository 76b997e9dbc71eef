package kubectl

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"
	"strings"

	"github.com/leaselab/leaselab/core/wire"
	"github.com/leaselab/leaselab/core/wire/yaml"
)

// patchTypes are the content types of patches, by the name that kubectl gives them.
var patchTypes = map[string]string{
	"strategic": "application/strategic-merge-patch+json",
	"merge":     "application/merge-patch+json",
	"json":      "application/json-patch+json",
}

const typeJSON = "application/json"

// chunk is how many objects kubectl lists at once.
const chunk = "500"

// run carries out a line.
func (c *command) run(text string) {
	l, err := parse(text)
	if c.err = err; err != nil {
		return
	}
	run := map[string]func(*line){
		"get": c.runGet, "describe": c.runDescribe, "create": c.runCreate, "apply": c.runApply, "replace": c.runEdit, "edit": c.runEdit,
		"patch": c.runPatch, "delete": c.runDelete, "annotate": c.runMark, "label": c.runMark, "api-resources": c.runResources,
		"api-versions": c.runVersions, "explain": c.runExplain, "version": c.runVersion, "help": c.runHelp,
	}
	run[l.verb.name](l)
}

// wanted returns the collection that a line is about, and the names in it: "lease a b", "lease/a lease/b".
func (c *command) wanted(l *line) (at place, names []string) {
	if len(l.args) == 0 {
		c.fail(l.verb.name + " what? There are " + listed(kindNames(), "and") + ": " + l.verb.usage)
		return at, nil
	}
	word, _, slashed := strings.Cut(l.args[0], "/")
	names = l.args[1:]
	if slashed {
		names = nil
		for _, arg := range l.args {
			of, name, _ := strings.Cut(arg, "/")
			names = append(names, name)
			if of != word {
				word += ","
			}
		}
	}
	if strings.Contains(word, ",") {
		c.fail("One kind at a time.")
	}
	at.kind = c.known(word)
	if l.on("all-namespaces") && len(names) > 0 {
		c.fail("A name belongs to one namespace: leave out -A or the name.")
	}
	if at.kind.namespaced && !l.on("all-namespaces") {
		at.namespace = c.namespace(l)
	}
	return at, names
}

func (c *command) known(word string) kind {
	k, found := findKind(word)
	if !found {
		c.fail("There is no kind “" + word + "” here. There are " + listed(kindNames(), "and") + ".")
	}
	return k
}

func (c *command) namespace(l *line) string {
	if given, there := l.flags["namespace"]; there {
		return given
	}
	return c.lease.Namespace
}

// single returns the one object that a line is about.
func (c *command) single(l *line) place {
	at, names := c.wanted(l)
	if len(names) != 1 {
		c.fail(l.verb.name + " takes one name: " + l.verb.usage)
		return at
	}
	at.name = names[0]
	return at
}

// writing returns the query of a write. manager is the field manager unless the line names one.
func (l *line) writing(manager string) []string {
	if given := l.flags["field-manager"]; given != "" {
		manager = given
	}
	dry := ""
	if l.flags["dry-run"] == "server" {
		dry = "All"
	}
	validation := map[string]string{"strict": "Strict", "warn": "Warn", "ignore": "Ignore"}[l.flags["validate"]]
	return []string{"fieldManager", manager, "dryRun", dry, "fieldValidation", validation}
}

func (l *line) selecting() []string {
	return []string{"labelSelector", l.flags["selector"], "fieldSelector", l.flags["field-selector"]}
}

// done says what was done to an object, and whether it was tried only.
func (l *line) done(what string) string {
	if l.flags["dry-run"] == "server" {
		return what + " (server dry run)"
	}
	return what
}

// list reads a collection in the chunks that kubectl asks for. As objects, each has its kind.
func (c *command) list(at place, query []string, accept string) (chunks, items []wire.Map) {
	for next := ""; ; {
		m := c.get(at.target(append(slices.Clone(query), "limit", chunk, "continue", next)...), accept)
		chunks = append(chunks, m)
		for _, o := range objects(m, "items") {
			o["apiVersion"], o["kind"] = at.kind.apiVersion(), at.kind.name
			items = append(items, o)
		}
		if next = wire.Text(m, "metadata", "continue"); next == "" || c.err != nil {
			return chunks, items
		}
	}
}

// objects returns the objects of a list.
func objects(m wire.Map, path ...string) (all []wire.Map) {
	for _, item := range wire.List(m, path...) {
		if o, is := item.(wire.Map); is {
			all = append(all, o)
		}
	}
	return all
}

// each does something for every name. As kubectl does, it goes on after a refusal; all of them are said at the end.
func (c *command) each(at place, names []string, do func(place)) {
	var faults []string
	for _, name := range names {
		if c.err != nil {
			return
		}
		at.name = name
		if do(at); c.err == errStopped {
			return
		} else if c.err != nil {
			faults = append(faults, c.err.Error())
			c.err = nil
		}
	}
	if len(faults) > 0 {
		c.err = errors.New(strings.Join(faults, "\n"))
	}
}

// readAll reads the objects or tables that a line names, or the whole collection.
func (c *command) readAll(l *line, at place, names []string, accept string) (read, items []wire.Map) {
	if len(names) == 0 {
		return c.list(at, l.selecting(), accept)
	}
	c.each(at, names, func(at place) {
		if o := c.get(at.target(), accept); c.err == nil {
			read = append(read, o)
		}
	})
	return read, read
}

func (c *command) runGet(l *line) {
	if raw := l.flags["raw"]; raw != "" {
		c.print(strings.TrimRight(c.ask(WireRequest{Method: "GET", Target: raw, Headers: []string{"Accept: */*"}}).Body, "\n"))
		return
	}
	at, names := c.wanted(l)
	output := l.flags["output"]
	accept, tables := acceptJSON, (*printer)(nil)
	if output == "" || output == "wide" {
		accept = acceptTable
		tables = &printer{wide: output == "wide", namespaces: at.namespace == "" && at.kind.namespaced, headless: l.on("no-headers")}
	}
	if l.on("watch") {
		c.watch(l, at, names, accept, tables)
		return
	}
	read, items := c.readAll(l, at, names, accept)
	refused := c.err
	if len(names) > 0 && refused != errStopped {
		c.err = nil // what was found is printed all the same
	}
	switch {
	case tables != nil && (!tables.add(read...) || c.err != nil):
		if len(names) == 0 {
			c.nothing(at.namespace)
		}
	case tables != nil:
		c.print(tables.flush())
	case len(names) == 1 && len(items) == 1:
		c.printObject(l, items[0])
	case len(names) == 0 || len(items) > 0:
		all := []any{}
		for _, o := range items {
			all = append(all, o)
		}
		c.printObject(l, wire.Map{"apiVersion": "v1", "kind": "List", "metadata": wire.Map{"resourceVersion": ""}, "items": all})
	}
	if refused != nil {
		c.err = refused
	}
}

func (c *command) nothing(namespace string) {
	if namespace != "" {
		namespace = " in " + namespace + " namespace."
	}
	c.print("No resources found" + namespace)
}

// watch prints what there is, and then follows its changes. Of one object, the server tells the first again.
// Source: kubectl v0.36 pkg/cmd/get get.go watch.
func (c *command) watch(l *line, at place, names []string, accept string, tables *printer) {
	query, from, skip := l.selecting(), "0", len(names)
	if skip > 1 {
		c.fail("A watch follows one object or all of a kind, not several by name.")
	} else if skip == 1 {
		query = []string{"fieldSelector", "metadata.name=" + names[0]}
	}
	show := func(o wire.Map) {
		if tables == nil {
			c.printObject(l, o)
		} else if tables.add(o) {
			c.print(tables.flush())
		}
	}
	read, items := c.readAll(l, at, names, accept)
	if tables != nil {
		items = read
	}
	for _, o := range items {
		show(o)
	}
	if skip == 0 {
		from = wire.Text(read[len(read)-1], "metadata", "resourceVersion")
	}
	c.ask(WireRequest{Method: "GET", Target: at.target(append(query, "watch", "true", "resourceVersion", from)...), Headers: []string{accept}})
	for c.wait(&CommandStep{Follow: true}) {
		for _, text := range c.given.Frames {
			frame := object(text)
			o := wire.Object(frame, "object")
			switch kind := wire.Text(frame, "type"); {
			case kind == "ERROR":
				c.say("error: " + wire.Text(o, "message") + " (" + wire.Text(o, "reason") + ")")
			case kind == "BOOKMARK":
			case skip > 0:
				skip--
			default:
				show(o)
			}
		}
	}
}

// printObject prints an object or a list in the form that a line asks for.
func (c *command) printObject(l *line, o wire.Map) {
	if !l.on("show-managed-fields") {
		o = bare(o)
	}
	_, list := o["items"]
	switch output := l.flags["output"]; {
	case output == "name" && list:
		for _, item := range objects(o, "items") {
			c.print(nameOf(item))
		}
	case output == "name":
		c.print(nameOf(o))
	case output == "json":
		var out bytes.Buffer
		if err := json.Indent(&out, []byte(encode(o)), "", "    "); err != nil {
			panic(err) // it was encoded
		}
		c.print(out.String())
	case strings.HasPrefix(output, "jsonpath="):
		text, err := jsonPath(strings.TrimPrefix(output, "jsonpath="), o)
		if err != nil {
			c.fail("error: " + err.Error())
		}
		c.print(text)
	default:
		c.print(strings.TrimSuffix(YAML(o), "\n"))
	}
}

// YAML returns a value as kubectl prints it.
func YAML(value any) string { return string(yaml.Print([]byte(encode(value)))) }

// bare returns an object or a list without managedFields, as kubectl prints it.
func bare(o wire.Map) wire.Map {
	o = wire.CopyMap(o)
	for _, one := range append(objects(o, "items"), o) {
		delete(wire.Object(one, "metadata"), "managedFields")
	}
	return o
}

// wrote prints a stored object in the form asked for, or what was done to it.
func (c *command) wrote(l *line, o wire.Map, done string) {
	if c.err == nil && l.flags["output"] != "" {
		c.printObject(l, o)
	} else {
		c.print(nameOf(o) + " " + l.done(done))
	}
}

func (c *command) runDescribe(l *line) {
	at, names := c.wanted(l)
	_, items := c.readAll(l, at, names, acceptJSON)
	var texts []string
	for _, o := range items {
		texts = append(texts, describe(o))
	}
	if refused := c.err; len(texts) > 0 && refused != errStopped {
		c.err = nil
		c.print(strings.Join(texts, "\n\n\n"))
		c.err = refused
	} else {
		c.nothing(at.namespace)
	}
}

// proposed returns what a line that would read a file is about. A file's name is no kind: there are no files.
func (c *command) proposed(l *line, lease string) place {
	at := place{kind: kinds[0], name: "example"}
	if len(l.args) == 0 && l.flags["filename"] == "" {
		c.fail(l.verb.name + " needs -f: " + l.verb.usage)
	}
	if len(l.args) > 0 {
		if k, found := findKind(l.args[0]); found {
			at.kind = k
		}
	}
	if len(l.args) > 1 {
		at.name = l.args[1]
	} else if lease != "" && at.kind.name == "Lease" {
		at.name = lease
	}
	if at.kind.namespaced {
		at.namespace = c.namespace(l)
	}
	return at
}

func (c *command) runCreate(l *line) {
	at := c.proposed(l, "")
	everywhere := at
	everywhere.name = ""
	target := everywhere.target(l.writing("kubectl-create")...)
	if l.flags["filename"] == "" && at.kind.name == "Namespace" && len(l.args) > 1 {
		c.wrote(l, c.write("POST", target, typeJSON, at.sample()), "created")
		return
	}
	c.edit("create", target, at.sample(), nil, "The editor holds a new object. Edit it, then Send.")
}

func (c *command) runApply(l *line) {
	at := c.proposed(l, c.lease.Name)
	verb, manager, force := "applyClient", "kubectl-client-side-apply", ""
	if l.on("server-side") {
		verb, manager = "apply", "kubectl"
	} else if l.on("force-conflicts") {
		c.fail("--force-conflicts goes with --server-side.")
	}
	if l.on("force-conflicts") {
		force = "true"
	}
	c.edit(verb, at.target(append(l.writing(manager), "force", force)...), at.managed(), nil, "Edit the object, then Send.")
}

// runEdit runs replace and edit: both read the object first.
func (c *command) runEdit(l *line) {
	at := c.single(l)
	o := bare(c.get(at.target(), acceptJSON))
	target := at.target(l.writing("kubectl-" + l.verb.name)...)
	if l.verb.name == "replace" {
		c.edit("replace", target, o, nil, "The editor holds the object. Edit it, then Send.")
	} else {
		c.edit("edit", target, o, o, "The editor holds the object. Edit it, then Send: only your changes are sent, as a patch.")
	}
}

func (c *command) runPatch(l *line) {
	at := c.single(l)
	form := l.flags["type"]
	if form == "" {
		form = "strategic"
	}
	if l.flags["patch"] == "" {
		c.fail("patch needs -p: " + l.verb.usage)
	}
	body, _ := c.read(l.flags["patch"], "patch")
	if _, list := body.([]any); form == "json" && !list {
		c.fail(`A JSON patch is a list of operations: -p '[{"op":"replace","path":"/spec/holderIdentity","value":"me"}]'`)
	} else if form != "json" && list {
		c.fail("A " + form + ` patch is an object: -p '{"spec":{"holderIdentity":"me"}}'`)
	}
	done := "patched"
	before := c.get(at.target(), acceptJSON)
	after := c.write("PATCH", at.target(l.writing("kubectl-patch")...), patchTypes[form], body)
	if wire.Equal(before, after) {
		done = "patched (no change)"
	}
	c.wrote(l, after, done)
}

func (c *command) runDelete(l *line) {
	at, names := c.wanted(l)
	chosen := l.on("all") || l.flags["selector"] != "" || l.flags["field-selector"] != ""
	if len(names) == 0 && !chosen {
		c.fail("delete which? Give a name, a selector with -l, or --all.")
	} else if len(names) > 0 && chosen {
		c.fail("delete by name, or by -l or --all, not both.")
	} else if chosen {
		_, items := c.list(at, l.selecting(), acceptJSON)
		for _, o := range items {
			names = append(names, wire.Text(o, "metadata", "name"))
		}
		if len(names) == 0 {
			c.print("No resources found")
		}
	}
	if c.err != nil {
		return
	}
	from := ""
	if at.namespace != "" {
		from = " from " + at.namespace + " namespace"
	}
	c.each(at, names, func(at place) {
		c.write("DELETE", at.target(l.writing("")...), "", nil)
		if l.flags["output"] == "name" {
			c.print(at.kind.full() + "/" + at.name)
		} else {
			c.print(at.kind.full() + ` "` + at.name + `" ` + l.done("deleted"+from))
		}
	})
}

// runMark sets and removes labels or annotations: key=value key-.
func (c *command) runMark(l *line) {
	member, set, unset := "annotations", "annotated", "annotated"
	if l.verb.name == "label" {
		member, set, unset = "labels", "labeled", "unlabeled"
	}
	first := 1 + slices.IndexFunc(l.args[min(1, len(l.args)):], isPair)
	named := *l
	var given []string
	if first > 0 {
		given, named.args = l.args[first:], l.args[:first]
	}
	at := c.single(&named)
	if len(given) == 0 {
		c.fail(l.verb.name + " what? " + l.verb.usage)
	}
	had := wire.Object(c.get(at.target(), acceptJSON), "metadata", member)
	change, done := wire.Map{}, unset
	for _, pair := range given {
		key, value, sets := strings.Cut(pair, "=")
		if !isPair(pair) {
			c.fail("“" + pair + "” is neither key=value nor key-: " + l.verb.usage)
		}
		if !sets {
			if key = key[:len(key)-1]; had[key] != nil {
				change[key] = nil
			}
			continue
		}
		done = set
		if old, there := had[key]; there && old != value && !l.on("overwrite") {
			c.fail("“" + key + "” has the value “" + plain(old) + "” already. Add --overwrite to change it.")
		} else if !there || old != value {
			change[key] = value
		}
	}
	if len(change) == 0 {
		c.print(at.kind.full() + "/" + at.name + " not " + done)
		return
	}
	patch := wire.Map{"metadata": wire.Map{member: change}}
	c.wrote(l, c.write("PATCH", at.target(l.writing("kubectl-"+l.verb.name)...), patchTypes["merge"], patch), done)
}

func isPair(arg string) bool {
	return strings.Index(arg, "=") > 0 || len(arg) > 1 && strings.HasSuffix(arg, "-")
}

// groupVersions returns the versions of the groups, the preferred ones first.
func (c *command) groupVersions() (all []string) {
	for _, group := range objects(c.get("/apis", acceptJSON), "groups") {
		for _, version := range objects(group, "versions") {
			all = append(all, wire.Text(version, "groupVersion"))
		}
	}
	return all
}

func (c *command) runVersions(*line) {
	all := c.groupVersions()
	for _, version := range wire.List(c.get("/api", acceptJSON), "versions") {
		all = append(all, plain(version))
	}
	c.print(strings.Join(all, "\n"))
}

func (c *command) runResources(l *line) {
	names := l.flags["output"] == "name"
	cells := 5
	if l.flags["output"] == "wide" {
		cells = 6
	}
	var rows [][]string
	if !l.on("no-headers") && !names {
		rows = append(rows, []string{"NAME", "SHORTNAMES", "APIVERSION", "NAMESPACED", "KIND", "VERBS"}[:cells])
	}
	seen := map[string]bool{}
	for _, version := range append([]string{"v1"}, c.groupVersions()...) {
		path, group := "/apis/", ""
		if before, _, grouped := strings.Cut(version, "/"); grouped {
			group = before
		} else {
			path = "/api/"
		}
		for _, r := range objects(c.get(path+version, acceptJSON), "resources") {
			name := wire.Text(r, "name")
			full := strings.TrimSuffix(name+"."+group, ".")
			if strings.Contains(name, "/") || seen[full] {
				continue
			}
			seen[full] = true
			row := []string{name, words(r, "shortNames"), version, plain(r["namespaced"]), wire.Text(r, "kind"), words(r, "verbs")}[:cells]
			if names {
				row = []string{full}
			}
			rows = append(rows, row)
		}
	}
	text, _ := columns(rows, nil)
	c.print(text)
}

// words joins a list of words.
func words(m wire.Map, member string) string {
	var all []string
	for _, word := range wire.List(m, member) {
		all = append(all, plain(word))
	}
	return strings.Join(all, ",")
}

func (c *command) runExplain(l *line) {
	if len(l.args) == 0 {
		c.fail("explain what? " + l.verb.usage + ".")
		return
	}
	word, field, _ := strings.Cut(l.args[0], ".")
	k := c.known(word)
	text, found := "KIND:     "+k.name+"\nVERSION:  "+k.apiVersion(), false
	var fields []string
	for _, one := range c.help {
		if one.Kind != k.name {
			continue
		}
		fields = append(fields, one.Field)
		if field == "" || one.Field == field || strings.HasPrefix(one.Field, field+".") {
			text += "\n\n" + one.Field + "\n    " + strings.ReplaceAll(one.Text, "\n", "\n    ")
			found = true
		}
	}
	if len(fields) == 0 {
		c.fail("Only the fields of a Lease and of a LeaseCandidate are explained here.")
	} else if !found {
		c.fail("A " + k.name + "'s “" + field + "” is not explained here. There are " + listed(fields, "and") + ".")
	}
	c.say(text)
}

func (c *command) runVersion(*line) {
	c.print("Server Version: " + wire.Text(c.get("/version", acceptJSON), "gitVersion"))
}

func (c *command) runHelp(l *line) {
	if len(l.args) == 0 {
		for _, v := range verbs {
			c.say(v.name + ": " + v.help)
		}
		c.say("“help get” says what one of them takes. ↑ and ↓ bring back earlier lines.")
		return
	}
	v, err := findVerb(l.args[0])
	if c.err = err; err != nil {
		return
	}
	text := v.name + ": " + v.help + "\n    " + v.usage
	for i, f := range v.flagsOf() {
		if i == 0 {
			text += "\nFlags:"
		} else {
			text += " "
		}
		if f.short != "" {
			text += " -" + f.short + ","
		}
		text += " --" + f.name
	}
	c.say(text)
}
