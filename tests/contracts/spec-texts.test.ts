import type { Seen } from '@atrium/tools/spec-coverage/seen-texts';
import { matchTexts, screenPatternOf } from '@atrium/tools/spec-coverage/spec-matcher';
import { STRINGS } from '@atrium/tools/spec-coverage/strings';
import { describe, expect, it } from '@jest/globals';

describe('the list of specification texts', () => {
  it('contains each text once per location', () => {
    const keys = STRINGS.map(({ section, shown, text }) => `${section} ${shown} ${text}`);
    expect(keys.filter((key, index) => keys.indexOf(key) !== index)).toEqual([]);
  });

  it('names the screen for each text', () => {
    expect(STRINGS.filter(({ shown }) => !screenPatternOf(shown))).toEqual([]);
  });
});

describe('the proof of a text', () => {
  const isProven = (text: string, seen: Seen, fromApi?: true) =>
    matchTexts([{ section: '2', shown: 'Login', text, ...(fromApi && { fromApi }) }], [seen])[0]?.seenAt.length === 1;

  it('requires that the text was seen on its screen, with placeholders filled in', () => {
    const shown = 'Progress cannot decrease from 40% to 20%';
    expect(isProven('Progress cannot decrease from {X}% to {Y}%', { at: '/login', text: shown })).toBe(true);
    expect(isProven('Sign In', { at: '/login', text: 'Sign In' })).toBe(true);
  });

  it('rejects a longer text that contains it, and another screen', () => {
    expect(isProven('Sign In', { at: '/login', text: 'Please Sign In first' })).toBe(false);
    expect(isProven('Sign In', { at: '/chat', text: 'Sign In' })).toBe(false);
  });

  it('accepts an API response only if no form can show the text', () => {
    const response = { at: 'POST /api/auth/login', text: 'Invalid credentials' };
    expect(isProven('Invalid credentials', response)).toBe(false);
    expect(isProven('Invalid credentials', response, true)).toBe(true);
  });
});
