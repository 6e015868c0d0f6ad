import { describe, expect, it } from '@jest/globals';
import type { Seen } from '../spec-coverage/coverage-records.ts';
import { placeOf } from '../spec-coverage/places.ts';
import { prove } from '../spec-coverage/spec-matcher.ts';
import { STRINGS } from '../spec-coverage/strings.ts';

describe('the list of the texts of the specification', () => {
  it('has each once for each place', () => {
    const places = STRINGS.map(({ section, shown, text }) => `${section} ${shown} ${text}`);
    expect(places.filter((place, index) => places.indexOf(place) !== index)).toEqual([]);
  });

  it('says for each on which screen it must stand', () => {
    expect(STRINGS.filter(({ shown }) => !placeOf(shown))).toEqual([]);
  });
});

describe('the proof of a text', () => {
  const isProven = (text: string, seen: Seen, fromApi?: true) =>
    prove([{ section: '2', shown: 'Login', text, ...(fromApi && { fromApi }) }], [seen])[0]?.seenAt.length === 1;

  it('is that it was seen on its screen, with what the product puts in', () => {
    const said = 'Progress cannot decrease from 40% to 20%';
    expect(isProven('Progress cannot decrease from {X}% to {Y}%', { at: '/login', text: said })).toBe(true);
    expect(isProven('Sign In', { at: '/login', text: 'Sign In' })).toBe(true);
  });

  it('is neither a longer text that holds its words nor another screen', () => {
    expect(isProven('Sign In', { at: '/login', text: 'Please Sign In first' })).toBe(false);
    expect(isProven('Sign In', { at: '/chat', text: 'Sign In' })).toBe(false);
  });

  it('is an answer of the API only where the list says that no form lets it come up', () => {
    const answer = { at: 'POST /api/auth/login', text: 'Invalid credentials' };
    expect(isProven('Invalid credentials', answer)).toBe(false);
    expect(isProven('Invalid credentials', answer, true)).toBe(true);
  });
});
