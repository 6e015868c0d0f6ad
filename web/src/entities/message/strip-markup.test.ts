import { describe, expect, it } from '@jest/globals';
import { stripMarkup } from './strip-markup.ts';

const lineOf = (text: string) => stripMarkup(text).replace(/\s+/g, ' ').trim();

describe('stripMarkup', () => {
  it.each([
    ['**bold** and *italic* or _italic_ and ~~gone~~', 'bold and italic or italic and gone'],
    ['**bold _nested_**', 'bold nested'],
    ['`code` and ``a ` b``', 'code and a ` b'],
    ['```ts\nconst a = 1;\n```', 'const a = 1;'],
    ['> quoted\n\nanswer', 'quoted answer'],
    ['# Plan\n- one\n* two\n1. three', 'Plan one two 1. three'],
    ['see [the plan](https://example.com/a_b)', 'see the plan'],
    ['| a | b |\n|---|---|\n| 1 | 2 |', 'a b 1 2'],
    ['2 \\* 3', '2 * 3'],
    ['**Đã xong** và **完了**です', 'Đã xong và 完了です'],
  ])('returns the text of %j', (content, text) => {
    expect(lineOf(content)).toBe(text);
  });

  it.each([
    '2 * 3 * 4',
    'snake_case_name and another_name',
    'https://example.com/a_b_c',
    ':thumbs_up:',
    '#general',
    'a - b',
    '5 > 4',
    '~ about',
    'a | b',
  ])('keeps %j, which is not markup', (content) => {
    expect(lineOf(content)).toBe(content);
  });

  it('reads only the start of a long text', () => {
    expect(stripMarkup('**a '.repeat(5_000)).length).toBeLessThanOrEqual(600);
  });
});
