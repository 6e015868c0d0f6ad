import { describe, expect, it } from '@jest/globals';
import { secondOf } from './repeated-local-time.ts';

/** Minutes that UTC is ahead of the clock of a zone, by another source than the one here. */
const offsetIn = (timeZone: string) => (at: number) => {
  const shown = new Intl.DateTimeFormat('sv', { timeZone, dateStyle: 'short', timeStyle: 'medium' }).format(at);
  return (at - Date.parse(`${shown.replace(' ', 'T')}Z`)) / 60_000;
};

describe('a time that the clock shows twice', () => {
  it.each([
    ['Europe/Berlin', '2030-10-27T00:30:00.000Z', '2030-10-27T01:30:00.000Z'],
    ['America/New_York', '2030-11-03T05:30:00.000Z', '2030-11-03T06:30:00.000Z'],
    // By half an hour.
    ['Australia/Lord_Howe', '2030-04-06T14:45:00.000Z', '2030-04-06T15:15:00.000Z'],
  ])('is in %s a second moment, and none is of that nor of any other', (timezone, first, second) => {
    const offset = offsetIn(timezone);
    expect(secondOf(first, offset)).toBe(second);
    expect(secondOf(second, offset)).toBeUndefined();
    for (const hours of [-24, -3, -2, -1, 2, 3, 24]) {
      const other = new Date(Date.parse(first) + hours * 3_600_000).toISOString();
      expect([other, secondOf(other, offset)]).toEqual([other, undefined]);
    }
  });

  it('is none where the clocks go forward, nor where they never change', () => {
    expect(secondOf('2030-03-31T01:30:00.000Z', offsetIn('Europe/Berlin'))).toBeUndefined();
    expect(secondOf('2030-03-31T00:30:00.000Z', offsetIn('Europe/Berlin'))).toBeUndefined();
    expect(secondOf('2030-10-27T00:30:00.000Z', offsetIn('Asia/Kathmandu'))).toBeUndefined();
  });
});
