import assert from 'node:assert/strict';
import { test } from 'node:test';
import { printTemplate, TemplateError } from './gotemplate.js';

const lease = {
  kind: 'Lease',
  metadata: { name: 'demo', labels: { app: 'it', 'a.b/c': 'true' } },
  spec: { holderIdentity: 'a', leaseDurationSeconds: 15, none: null },
  items: [{ n: 1 }, { n: 2 }],
};

/** What kubectl 1.32 prints for the same object. @type {[string, string][]} */
const PRINTED = [
  ['{{.metadata.name}}', 'demo'],
  ['{{ .spec.leaseDurationSeconds }} {{.spec.renewTime}} {{.spec.none}}', '15 <no value> <no value>'],
  ['{{.metadata.labels}}', 'map[a.b/c:true app:it]'],
  ['{{index .metadata.labels "a.b/c"}}', 'true'],
  ['{{range .items}}{{.n}}{{"\\n"}}{{end}}', '1\n2\n'],
  ['{{range $i, $one := .items}}{{$i}}={{$one.n}} {{end}}', '0=1 1=2 '],
  ['{{range $name, $value := .metadata.labels}}{{$name}}:{{$value}};{{end}}', 'a.b/c:true;app:it;'],
  ['{{range .none}}x{{else}}none{{end}}', 'none'],
  ['{{range .items}}{{if eq .n 1}}{{continue}}{{end}}{{.n}}{{break}}{{end}}', '2'],
  ['{{if .spec.holderIdentity}}held{{else}}free{{end}}', 'held'],
  ['{{if .a}}a{{else if .kind}}kind{{else}}none{{end}}', 'kind'],
  ['{{with .spec}}{{.holderIdentity}} of {{$.metadata.name}}{{end}}', 'a of demo'],
  ['{{$x := 1}}{{range .items}}{{$x = 2}}{{end}}{{$x}}', '2'],
  [
    '{{ printf "%s/%v %q %-4s|%5s|" .kind .spec.leaseDurationSeconds .spec.holderIdentity "b" "c" }}',
    'Lease/15 "a" b   |    c|',
  ],
  ['{{printf "%d" .spec.leaseDurationSeconds}} {{len .items | printf "%d"}} {{printf "%s" 1}}', '15 2 %!s(int64=1)'],
  ['{{.a.b}} {{eq .spec.leaseDurationSeconds 15}}', '<no value> true'],
  ['a {{- " b " -}} c', 'a b c'],
  ['{{/* nothing */}}x', 'x'],
  ['{{and .kind .none}} {{or .none "else"}} {{not .none}}', '<no value> else true'],
  ['{{gt .spec.leaseDurationSeconds 10}} {{eq .kind "Pod" "Lease"}} {{ne 1 2}}', 'true true true'],
  ['{{exists . "spec" "holderIdentity"}} {{exists . "spec" "x"}} {{"YQ==" | base64decode}}', 'true false a'],
  ['{{(index .items 1).n}} {{len .kind}} {{print 1 2 "x"}}', '2 5 1 2x'],
];

test('a template prints what it prints in Go', () => {
  for (const [template, text] of PRINTED) assert.equal(printTemplate(template, lease), text, template);
});

test('a template that is wrong is told', () => {
  for (const [template, words] of /** @type {[string, RegExp][]} */ ([
    ['{{.spec', /^error: error parsing template \{\{\.spec, template: output:1: unclosed action$/],
    ['{{if .kind}}', /unexpected EOF/],
    ['{{end}}', /unexpected \{\{end\}\}/],
    ['{{nothing .}}', /function "nothing" not defined/],
    [
      '{{.kind.x}}',
      /^error: error executing template "\{\{\.kind\.x\}\}": template: output: can't evaluate field x in type interface \{\}$/,
    ],
    ['{{eq .spec.leaseDurationSeconds "15"}}', /incompatible types for comparison/],
    ['{{template "x"}}', /not in this page/],
    ['{{$y}}', /undefined variable "\$y"/],
    ['{{range .kind}}{{end}}', /range can't iterate over Lease/],
    ['{{break}}', /outside \{\{range\}\}/],
  ]))
    assert.throws(
      () => printTemplate(template, lease),
      (error) => error instanceof TemplateError && words.test(error.message),
      template,
    );
});
