import { describe, expect, it } from '@jest/globals';
import { secondOccurrence } from './meeting-times.ts';

/** Returns the UTC offset of a zone in minutes, from an independent source. */
const offsetIn = (timeZone: string) => (at: number) => {
  const localTime = new Intl.DateTimeFormat('sv', { timeZone, dateStyle: 'short', timeStyle: 'medium' }).format(at);
  return (at - Date.parse(`${localTime.replace(' ', 'T')}Z`)) / 60_000;
};

describe('secondOccurrence', () => {
  it.each([
    ['Europe/Berlin', '2030-10-27T00:30:00.000Z', '2030-10-27T01:30:00.000Z'],
    ['America/New_York', '2030-11-03T05:30:00.000Z', '2030-11-03T06:30:00.000Z'],
    ['Australia/Lord_Howe', '2030-04-06T14:45:00.000Z', '2030-04-06T15:15:00.000Z'],
  ])('returns the second occurrence of a repeated local time in %s', (timezone, first, second) => {
    const offset = offsetIn(timezone);
    expect(secondOccurrence(first, offset)).toBe(second);
    expect(secondOccurrence(second, offset)).toBeUndefined();
    for (const hours of [-24, -3, -2, -1, 2, 3, 24]) {
      const otherInstant = new Date(Date.parse(first) + hours * 3_600_000).toISOString();
      expect([otherInstant, secondOccurrence(otherInstant, offset)]).toEqual([otherInstant, undefined]);
    }
  });

  it('returns undefined when clocks go forward, and in zones without changes', () => {
    expect(secondOccurrence('2030-03-31T01:30:00.000Z', offsetIn('Europe/Berlin'))).toBeUndefined();
    expect(secondOccurrence('2030-03-31T00:30:00.000Z', offsetIn('Europe/Berlin'))).toBeUndefined();
    expect(secondOccurrence('2030-10-27T00:30:00.000Z', offsetIn('Asia/Kathmandu'))).toBeUndefined();
  });
});
