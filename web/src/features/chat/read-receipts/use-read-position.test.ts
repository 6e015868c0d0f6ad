import { expect, it } from '@jest/globals';
import { readPosition } from './use-read-position.ts';

it('readPosition advances to the last visible message, and no further', () => {
  expect(readPosition({ first: 8, last: 14 }, { readUntil: 10, end: 30 })).toBe(14);
});

it('readPosition stays where it is if nothing new is visible', () => {
  expect(readPosition({ first: 1, last: 10 }, { readUntil: 10, end: 30 })).toBeNull();
});

it('readPosition does not pass over messages that were not visible', () => {
  expect(readPosition({ first: 20, last: 25 }, { readUntil: 10, end: 30 })).toBeNull();
  expect(readPosition({ first: 20, last: 25 }, { readUntil: 10, end: null })).toBeNull();
});

it('readPosition advances to the end when the user scrolls there', () => {
  expect(readPosition({ first: 20, last: 30 }, { readUntil: 10, end: 30 })).toBe(30);
});
