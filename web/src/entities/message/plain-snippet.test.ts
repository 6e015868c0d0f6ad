import { expect, it } from '@jest/globals';
import { toPlainSnippet } from './plain-snippet.ts';

const part = (text: string, match = false) => ({ text, match });

it.each([
  [
    'around matches',
    [part('## Plan for **'), part('version', true), part(' 3** on _Friday_')],
    'Plan for [version] 3 on Friday',
  ],
  ['within matches', [part('Run `'), part('npm test', true), part('` first')], 'Run [npm test] first'],
  ['of links', [part('see [the '), part('plan', true), part('](https://example.com/plan)')], 'see the [plan]'],
  ['of later lines', [part('First:\n- '), part('test', true), part('\n- ship')], 'First:\n[test]\nship'],
  ['but no other text', [part('2 * 3 * '), part('4', true), part(' \ue000 items')], '2 * 3 * [4]  items'],
])('markup is removed %s', (_where, snippet, expected) => {
  const text = toPlainSnippet(snippet).map((part) => (part.match ? `[${part.text}]` : part.text));
  expect(text.join('')).toBe(expected);
});

it('several matches keep their text', () => {
  const snippet = [part('a', true), part(' and '), part('b', true)];
  expect(toPlainSnippet(snippet)).toEqual(snippet);
});
