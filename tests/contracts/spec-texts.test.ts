import type { Seen } from '@atrium/tools/spec-coverage/seen-texts';
import { getScreenPattern, matchTexts } from '@atrium/tools/spec-coverage/spec-matcher';
import { STRINGS } from '@atrium/tools/spec-coverage/strings';
import { describe, expect, it } from '@jest/globals';

describe('the list of specification texts', () => {
  it('contains no duplicates within a section and screen', () => {
    const keys = STRINGS.map(({ section, shown, text }) => `${section} ${shown} ${text}`);
    expect(keys.filter((key, index) => keys.indexOf(key) !== index)).toEqual([]);
  });

  it('names a known screen for each text', () => {
    expect(STRINGS.filter(({ shown }) => !getScreenPattern(shown))).toEqual([]);
  });
});

describe('the evidence for a specification text', () => {
  const isConfirmed = (text: string, seen: Seen, fromApi?: true) =>
    matchTexts([{ section: '2', shown: 'Login', text, ...(fromApi && { fromApi }) }], [seen])[0]?.seenAt.length === 1;

  it('requires that the text was seen on its screen, with placeholders filled in', () => {
    const shown = 'Progress cannot decrease from 40% to 20%';
    expect(isConfirmed('Progress cannot decrease from {X}% to {Y}%', { at: '/login', text: shown })).toBe(true);
    expect(isConfirmed('Sign In', { at: '/login', text: 'Sign In' })).toBe(true);
  });

  it('excludes a longer text that contains it, and the same text on a different screen', () => {
    expect(isConfirmed('Sign In', { at: '/login', text: 'Please Sign In first' })).toBe(false);
    expect(isConfirmed('Sign In', { at: '/chat', text: 'Sign In' })).toBe(false);
  });

  it('includes an API response only if no form can show the text', () => {
    const response = { at: 'POST /api/auth/login', text: 'Invalid credentials' };
    expect(isConfirmed('Invalid credentials', response)).toBe(false);
    expect(isConfirmed('Invalid credentials', response, true)).toBe(true);
  });
});
