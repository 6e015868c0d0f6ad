import { describe, expect, it } from '@jest/globals';
import { isQuestionMark, keyLetter } from './key-letter.ts';

describe('keyLetter', () => {
  it.each([
    ['a Latin layout', 'k', 'KeyK', 'k'],
    ['Shift or Caps Lock', 'K', 'KeyK', 'k'],
    ['Dvorak, by the label', 'k', 'KeyV', 'k'],
    ['AZERTY, by the label', 'a', 'KeyQ', 'a'],
    ['a Cyrillic layout, by position', 'л', 'KeyK', 'k'],
    ['a Greek layout, by position', 'κ', 'KeyK', 'k'],
    ['a Hebrew layout, by position', 'ל', 'KeyK', 'k'],
    ['an Arabic layout, by position', 'ن', 'KeyK', 'k'],
    ['a Hangul layout, by position', 'ㅏ', 'KeyK', 'k'],
  ])('follows %s', (_layout, key, code, letter) => {
    expect(keyLetter({ key, code })).toBe(letter);
  });

  it.each([
    ['a Latin letter beyond a to z', 'ñ', 'Semicolon'],
    ['a letter of another script that is not on a letter key', 'ж', 'Semicolon'],
    ['a digit', '7', 'Digit7'],
    ['a named key', 'Enter', 'Enter'],
    ['an unidentified key of a screen keyboard', 'Unidentified', ''],
    ['a dead key', 'Dead', 'KeyK'],
  ])('ignores %s', (_what, key, code) => {
    expect(keyLetter({ key, code })).toBeUndefined();
  });
});

describe('isQuestionMark', () => {
  it('accepts the question marks of other scripts', () => {
    expect(['?', '؟', '？'].every((key) => isQuestionMark({ key }))).toBe(true);
    expect(isQuestionMark({ key: '/' })).toBe(false);
  });
});
