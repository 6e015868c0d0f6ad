import { expect, it } from '@jest/globals';
import { findTrigger } from './find-trigger.ts';

const queryOf = (text: string) => findTrigger({ text }, text.length)?.query;

it.each([
  ['at the start', '@Ann', 'Ann'],
  ['after a space', 'ask @Ann Lee', 'Ann Lee'],
  ['after a bracket', '(@Ann', 'Ann'],
  ['after a quotation mark', '"@Ann', 'Ann'],
  ['after an opening quotation mark', '“@Ann', 'Ann'],
  ['after Chinese', '请问@王', '王'],
  ['after Japanese', 'おはよう@田', '田'],
  ['after Thai', 'สวัสดี@ส', 'ส'],
  ['after full-width punctuation', '好的，@王', '王'],
  ['of a channel after a bracket', '(#rel', 'rel'],
])('a mention is completed %s', (_name, text, query) => {
  expect(queryOf(text)).toBe(query);
});

it.each(['ann@example', 'мария@example', 'a/@b', 'x)@b'])('%s is no mention', (text) => {
  expect(queryOf(text)).toBeUndefined();
});
