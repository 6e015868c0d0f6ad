import { describe, expect, it } from '@jest/globals';
import { describeAge, describeSize, parseTags } from './document-labels.ts';

describe('describeSize', () => {
  it.each([
    [0, '0 Bytes'],
    [1023, '1,023 Bytes'],
    [1024, '1 KB'],
    [1536, '1.5 KB'],
    [52_428_800, '50 MB'],
    [5 * 1024 ** 3, '5 GB'],
    [5 * 1024 ** 4, '5,120 GB'],
  ])('formats %d bytes as %s', (bytes, text) => {
    expect(describeSize(bytes)).toBe(text);
  });
});

describe('describeAge', () => {
  const now = new Date(2026, 10, 20, 12).getTime();
  const formatAge = (hours: number) => describeAge(new Date(now - hours * 3_600_000).toISOString(), now);

  it.each([
    [0, 'Today'],
    [11, 'Today'],
    // 13 hours before noon is yesterday evening.
    [13, '1 day ago'],
    [35, '1 day ago'],
    [37, '2 days ago'],
    [6 * 24, '6 days ago'],
    [7 * 24, '1 week ago'],
    [13 * 24, '1 week ago'],
    [29 * 24, '4 weeks ago'],
  ])('formats an age of %d hours as %s', (hours, text) => {
    expect(formatAge(hours)).toBe(text);
  });

  it('formats an age of 30 days or more as a date', () => {
    expect(formatAge(30 * 24)).toMatch(/21.*2026|2026.*21/);
  });
});

describe('parseTags', () => {
  it('splits tags at commas, trims them, and drops empty ones', () => {
    expect(parseTags(' a, b c ,, d,')).toEqual(['a', 'b c', 'd']);
    expect(parseTags(' ')).toEqual([]);
  });
});
