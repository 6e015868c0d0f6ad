import { afterEach, expect, it } from '@jest/globals';
import {
  chosenClock,
  chosenConventions,
  fromWeekStart,
  storeClock,
  storeWeekStart,
} from '#lib/time/date-preferences.ts';
import { createFormats } from '#lib/time/formats.ts';
import { shownDays } from './shown-range.ts';

afterEach(() => localStorage.clear());

const AFTERNOON = new Date(2026, 10, 28, 17, 5);
const clockTime = (locale: string) =>
  createFormats(chosenConventions(locale)).formatTime(AFTERNOON, { hour: 'numeric', minute: '2-digit' });

it('calendar formats times by the selected clock, otherwise by the locale', () => {
  expect([clockTime('en-US'), clockTime('de-DE')]).toEqual(['5:05 PM', '17:05']);
  storeClock('24');
  expect([clockTime('en-US'), chosenConventions('en-US').order]).toEqual(['17:05', 'month-first']);
  storeClock('12');
  expect(clockTime('de-DE')).toBe('5:05 PM');
  storeClock('auto');
  expect(clockTime('de-DE')).toBe('17:05');
});

it('calendar ignores an invalid stored clock', () => {
  localStorage.setItem('atrium:clock', '13');
  expect(chosenClock()).toBe('auto');
});

it.each([
  ['sun', '2026-11-22', '2026-11-01'],
  ['mon', '2026-11-23', '2026-10-26'],
  ['sat', '2026-11-28', '2026-10-31'],
] as const)('calendar starts weeks and month sheets on %s', (day, week, month) => {
  storeWeekStart(day);
  expect(shownDays('week', '2026-11-28')[0]).toBe(week);
  const sheet = shownDays('month', '2026-11-28');
  expect(sheet[0]).toBe(month);
  expect(sheet.length % 7).toBe(0);
  expect(sheet).toContain('2026-11-30');
});

it.each([
  ['sun', 'SMTWTFS'],
  ['mon', 'MTWTFSS'],
  ['sat', 'SSMTWTF'],
] as const)('calendar lists weekdays from %s', (day, letters) => {
  storeWeekStart(day);
  expect(fromWeekStart([...'MTWTFSS']).join('')).toBe(letters);
});
