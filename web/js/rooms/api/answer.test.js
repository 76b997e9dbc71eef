import assert from 'node:assert/strict';
import { test } from 'node:test';
import { signal } from '@preact/signals-core';
import { Answer, textIn } from './answer.js';
import { sentIs } from './api.testsupport.js';

const frame = '{"type":"ADDED","object":{"kind":"Lease","metadata":{"name":"demo","resourceVersion":"3"},"spec":{}}}\n';

function openAnswer(/** @type {any[]} */ ...all) {
  const sent = signal(all.map((one, i) => sentIs({ id: i + 1, ...one })));
  /** @type {string[]} */
  const asked = [];
  const yaml = async (/** @type {string} */ json) => `yaml ${asked.push(json)} ${json}\n`;
  return { sent, asked, answer: new Answer(sent, yaml) };
}

test('nothing is shown before anything was sent', () => {
  const { answer } = openAnswer();
  assert.deepEqual([answer.current.value, answer.formats.value, answer.shownText().text], [null, [], '']);
});

test('an answer has the formats it can have; another choice stays for the next', () => {
  const { answer } = openAnswer({}, { answer: 'ok' }, { answer: frame, watch: 2, open: true });
  answer.showOwn(1);
  assert.deepEqual([answer.formats.value, answer.format.value], [['yaml', 'json', 'raw'], 'yaml']);
  answer.chosen.value = 'json';
  assert.equal(answer.text.value, '{\n  "major": "1"\n}');
  answer.showOwn(2);
  assert.deepEqual([answer.format.value, answer.text.value], ['raw', 'ok']);
  answer.showOwn(3);
  assert.equal(answer.format.value, 'json');
  answer.chosen.value = 'yaml';
  assert.deepEqual([answer.format.value, answer.text.value], ['lines', 'ADDED     demo  rv=3  holder <none>']);
});

const turn = () => new Promise((resolve) => setTimeout(resolve));

test('YAML appears as soon as the engine has printed it', async () => {
  const { answer } = openAnswer({});
  answer.showOwn(1);
  assert.equal(answer.text.value, '…');
  await turn();
  assert.equal(answer.text.value, 'yaml 1 {"major":"1"}');
});

test('YAML is printed again only when the answer is another', async () => {
  const { answer, asked, sent } = openAnswer({}, {});
  answer.showOwn(1);
  await turn();
  sent.value = [...sent.value, sentIs({ id: 3 })];
  await turn();
  assert.equal(answer.text.value, 'yaml 1 {"major":"1"}');
  sent.value = sent.value.map((one) => (one.id === 1 ? { ...one, answer: '{"major":"1","minor":"36"}' } : one));
  assert.equal(answer.text.value, '…');
  await turn();
  assert.equal(answer.text.value, 'yaml 2 {"major":"1","minor":"36"}');
  answer.chosen.value = 'json';
  sent.value = sent.value.map((one) => (one.id === 1 ? { ...one, answer: '{"a":1}' } : one));
  await turn();
  assert.equal(asked.length, 2);
});

test('a long answer is shown in part until all of it is wanted', () => {
  const { answer } = openAnswer({ answer: Array.from({ length: 3000 }, (_, i) => i).join('\n') });
  answer.showOwn(1);
  assert.deepEqual(
    [answer.shownText().whole, answer.shownText().lines, answer.shownText().text.split('\n').length],
    [false, 3000, 2000],
  );
  answer.whole.value = true;
  assert.equal(answer.shownText().text.split('\n').length, 3000);
  answer.showOwn(1);
  assert.equal(answer.shownText().whole, false);
});

test('the exchange of a node takes the place of a request, and gives it back', () => {
  const { answer } = openAnswer({});
  answer.showOwn(1);
  answer.showForeign(/** @type {any} */ ({ id: 'at-1-0', answer: 'x', streams: false, frames: 0 }));
  assert.equal(answer.current.value?.id, 'at-1-0');
  answer.showOwn(1);
  assert.equal(answer.current.value?.id, 'sent-1');
});

test('what is copied, and how it is called', async () => {
  const { answer } = openAnswer({ ask: { method: 'PUT', target: '/version', headers: [], body: '{"b":2,"a":1}' } });
  const yaml = async (/** @type {string} */ json) => `yaml ${json}`;
  assert.equal(await answer.copyOf('curl', yaml), undefined);
  answer.showOwn(1);
  answer.chosen.value = 'raw';
  assert.deepEqual(await answer.copyOf('answer', yaml), ['{"major":"1"}', 'The answer']);
  assert.deepEqual(await answer.copyOf('yaml', yaml), ['yaml {"b":2,"a":1}', 'The YAML']);
  const [curl, name] = (await answer.copyOf('curl', yaml)) ?? [];
  assert.match(curl ?? '', /^curl -X PUT/);
  assert.equal(name, 'The curl command');
});

test('frames that are no JSON are shown as they came', () => {
  assert.equal(textIn({ answer: 'what\n', streams: true }, 'lines'), 'what');
});
