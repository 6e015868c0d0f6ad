import { describe, expect, it } from '@jest/globals';
import { describeAge, describeSize, parseTags } from './document-words.ts';

describe('the size of a document', () => {
  it.each([
    [0, '0 Bytes'],
    [1023, '1,023 Bytes'],
    [1024, '1 KB'],
    [1536, '1.5 KB'],
    [52_428_800, '50 MB'],
    [5 * 1024 ** 3, '5 GB'],
    [5 * 1024 ** 4, '5,120 GB'],
  ])('of %d bytes reads %s', (bytes, words) => {
    expect(describeSize(bytes)).toBe(words);
  });
});

describe('the age of a document', () => {
  const now = Date.parse('2026-11-20T12:00:00Z');
  const after = (hours: number) => describeAge(new Date(now - hours * 3_600_000).toISOString(), now);

  it.each([
    [0, 'Today'],
    [23, 'Today'],
    [24, '1 day ago'],
    [47, '1 day ago'],
    [48, '2 days ago'],
    [7 * 24 - 1, '6 days ago'],
    [7 * 24, '1 week ago'],
    [14 * 24 - 1, '1 week ago'],
    [30 * 24 - 1, '4 weeks ago'],
  ])('after %d hours reads %s', (hours, words) => {
    expect(after(hours)).toBe(words);
  });

  it('is a date from 30 days on', () => {
    expect(after(30 * 24)).toMatch(/21.*2026|2026.*21/);
  });
});

describe('tags', () => {
  it('are separated by commas, trimmed, and never empty', () => {
    expect(parseTags(' a, b c ,, d,')).toEqual(['a', 'b c', 'd']);
    expect(parseTags(' ')).toEqual([]);
  });
});
