import { describe, expect, it } from '@jest/globals';
import { searchShortcodes } from './emoji-shortcodes.ts';
import { findTrigger, findTypedCode } from './find-trigger.ts';

const SHORTCODES = [
  { emoji: '😄', code: 'smile' },
  { emoji: '😸', code: 'smile_cat' },
  { emoji: '😄', code: 'big_smile' },
  { emoji: '👍', code: '+1' },
];

describe('the names of emoji', () => {
  it('are found by a part, those that start with it first, and each emoji once', () => {
    expect(searchShortcodes(SHORTCODES, 'smi', 8).map(({ code }) => code)).toEqual(['smile', 'smile_cat']);
    expect(searchShortcodes(SHORTCODES, '+1', 8).map(({ emoji }) => emoji)).toEqual(['👍']);
    expect(searchShortcodes(SHORTCODES, 'smi', 1)).toHaveLength(1);
  });

  it('are completed after a colon at the start of a word', () => {
    const queryOf = (text: string) => findTrigger({ text }, text.length)?.query;
    expect(['a :smi', ':+1', '(:Smi'].map(queryOf)).toEqual(['smi', '+1', 'smi']);
    expect([':s', 'a:smi', '12:30', 'https://a', ':smile:'].map(queryOf)).toEqual(Array(5).fill(undefined));
  });

  it('are recognized when their second colon was typed', () => {
    const codeOf = (text: string) => findTypedCode(text, text.length);
    expect([':smile:', 'a :+1:'].map(codeOf)).toEqual(['smile', '+1']);
    expect(['a:smile:', ':smile', ': smile:', '::'].map(codeOf)).toEqual(Array(4).fill(undefined));
  });
});
