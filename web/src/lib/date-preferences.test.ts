import { afterEach, expect, it } from '@jest/globals';
import { chosenClock, chosenConventions, storeClock } from './date-preferences.ts';
import { createFormats } from './formats.ts';

afterEach(() => localStorage.clear());

const AFTERNOON = new Date(2026, 10, 28, 17, 5);
const clockTime = (locale: string) =>
  createFormats(chosenConventions(locale)).formatTime(AFTERNOON, { hour: 'numeric', minute: '2-digit' });

it('shows times by the clock that was chosen, in the order of the locale, and by the locale otherwise', () => {
  expect([clockTime('en-US'), clockTime('de-DE')]).toEqual(['5:05 PM', '17:05']);
  storeClock('24');
  expect([clockTime('en-US'), chosenConventions('en-US').order]).toEqual(['17:05', 'month-first']);
  storeClock('12');
  expect(clockTime('de-DE')).toBe('5:05 PM');
  storeClock('auto');
  expect(clockTime('de-DE')).toBe('17:05');
});

it('ignores a stored clock that does not exist', () => {
  localStorage.setItem('atrium:clock', '13');
  expect(chosenClock()).toBe('auto');
});
