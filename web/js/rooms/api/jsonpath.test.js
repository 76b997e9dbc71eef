import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PathError, printPath } from './jsonpath.js';

const list = {
  kind: 'List',
  items: [{ m: { name: 'a', n: 1, 'x.y': 'dot' } }, { m: { name: 'b', n: 2 } }, { m: { name: 'c' } }],
};

for (const [template, text] of [
  ['{.kind}', 'List'],
  ['plain', 'plain'],
  ['{.none}|{.none.more}', '|'],
  ['{.items[*].m.name}', 'a b c'],
  ['{.items[0].m}', '{"n":1,"name":"a","x.y":"dot"}'],
  ["{.items[0].m.x\\.y} {.items[0].m['n']}", 'dot 1'],
  ['{range .items[*]}{.m.name}{"\\t"}{.m.n}{"\\n"}{end}!', 'a\t1\nb\t2\nc\t\n!'],
  ['{range .none[*]}{.m.name}{end}!', '!'],
  ['{.items[-1].m.name}', 'c'],
  ['{$.kind} {@.kind}', 'List List'],
])
  test(`the template ${template}`, () => assert.equal(printPath(template, list), text));

for (const [template, fault] of [
  ['{.items[0', /unterminated array$/],
  ['{.items', /unclosed action$/],
  ['{.items[x]}', /invalid array index x$/],
  ['{.items[1:]}', /invalid array index 1:$/],
  ['{..name}', /unrecognized character in action: ..name$/],
  ['{.kind[0]}', /List is not array or slice$/],
  ['{.items[5]}', /index 5, length 3$/],
  ['{kind}', /unrecognized identifier kind$/],
  ['{range .items[*]}', /unterminated range$/],
  ['{end}', /nothing to end$/],
])
  test(`the template ${template} is refused`, () =>
    assert.throws(
      () => printPath(String(template), list),
      (error) => error instanceof PathError && /** @type {RegExp} */ (fault).test(error.message),
    ));
