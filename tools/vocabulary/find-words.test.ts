import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { findWords, parseWords } from './find-words.ts';

const words = parseWords(
  ['(?:is|are) (?:moved) (?:along)\tis transferred', '(?:anon)\tsoon', 'name:grab \\w+\tread…'].join('\n'),
);
const find = (text: string, file = 'a.ts') =>
  findWords(file, text, words).map(({ line, text: found, term }) => `${line} ${found}: ${term}`);

describe('the vocabulary check', () => {
  it('finds phrases in comments, including phrases across lines', () => {
    expect(find('const a = 1;\n/** A row is\n * moved along. */')).toEqual(['2 is\n * moved along: is transferred']);
  });

  it('finds words in strings with more than one word, and in the text of elements', () => {
    expect(find("log.info('Comes anon');")).toEqual(['1 anon: soon']);
    expect(find('<p>Comes anon</p>', 'a.tsx')).toEqual(['1 anon: soon']);
  });

  it('finds words and patterns in names, once per file', () => {
    expect(find('const anonRow = grabRow(); anonRow();')).toEqual(['1 anonRow: soon', '1 grabRow: read…']);
  });

  it('accepts parts of other words', () => {
    expect(find('// anonymous rows are moved alongside\nconst grabber = anonymous;')).toEqual([]);
  });

  it('reads other files as sentences', () => {
    expect(find('Rows are moved along.', 'a.md')).toEqual(['1 are moved along: is transferred']);
  });

  it('rejects a list without a standard term', () => {
    expect(() => parseWords('(?:anon)')).toThrow('No standard term');
  });

  it('parses words.txt', () => {
    expect(parseWords(readFileSync(new URL('./words.txt', import.meta.url), 'utf8')).length).toBeGreaterThan(90);
  });
});
