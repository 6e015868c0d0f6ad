import { describe, expect, it } from '@jest/globals';
import { typedTime } from './typed-time.ts';

describe('typedTime', () => {
  it.each([
    ['9', '09:00'],
    ['09', '09:00'],
    ['0', '00:00'],
    ['14:30', '14:30'],
    ['14.30', '14:30'],
    ['14h30', '14:30'],
    ['14h', '14:00'],
    ['14 30', '14:30'],
    ['930', '09:30'],
    ['0930', '09:30'],
    ['1430', '14:30'],
    ['2pm', '14:00'],
    ['2 PM', '14:00'],
    ['2:30 pm', '14:30'],
    ['2:30 p.m.', '14:30'],
    ['230p', '14:30'],
    ['9a', '09:00'],
    ['12am', '00:00'],
    ['12:15 am', '00:15'],
    ['12pm', '12:00'],
    [' noon ', '12:00'],
    ['midnight', '00:00'],
    ['12 midnight', '00:00'],
    ['12 noon', '12:00'],
    ["9 o'clock", '09:00'],
    ['9 o’clock', '09:00'],
    ['9:30:00', '09:30'],
    ['9:30:15 pm', '21:30'],
    ['23:59', '23:59'],
  ])('parses "%s" as %s', (text, time) => {
    expect(typedTime(text)).toBe(time);
  });

  it.each([
    '',
    'soon',
    '25',
    '24:00',
    '9:60',
    '9:5',
    '13pm',
    '0am',
    '9m',
    '12345',
    '-9',
    '9:30:60',
    '9:30:0',
    '9 min',
    'pm',
  ])('rejects "%s"', (text) => {
    expect(typedTime(text)).toBeUndefined();
  });

  it('parses every time of day as it is displayed', () => {
    for (let minute = 0; minute < 24 * 60; minute += 1) {
      const displayedTime = new Date(Date.UTC(2026, 0, 1, 0, minute)).toISOString().slice(11, 16);
      expect(typedTime(displayedTime)).toBe(displayedTime);
    }
  });

  it('prefers the half of the day after the start where both are possible', () => {
    expect(typedTime('3', { after: '14:00' })).toBe('15:00');
    expect(typedTime('230', { after: '13:30' })).toBe('14:30');
    expect(typedTime('11', { after: '09:00' })).toBe('11:00');
    // Neither reading is after 16:00: the value is kept, and the form shows the error.
    expect(typedTime('3', { after: '16:00' })).toBe('03:00');
    expect(typedTime('03', { after: '14:00' })).toBe('03:00');
    expect(typedTime('3am', { after: '14:00' })).toBe('03:00');
  });

  it('parses midnight as the end of a day if an end is expected', () => {
    expect(typedTime('24', { isDayEnd: true })).toBe('24:00');
    expect(typedTime('midnight', { isDayEnd: true })).toBe('24:00');
    expect(typedTime('12am', { isDayEnd: true })).toBe('24:00');
  });
});
