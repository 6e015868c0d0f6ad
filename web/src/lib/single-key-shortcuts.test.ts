import { describe, expect, it } from '@jest/globals';
import { isQuestionMark, keyLetter } from './single-key-shortcuts.ts';

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
    ['a Thai layout, where a key writes a vowel sign', 'ื', 'KeyN', 'n'],
    ['a Thai layout, where a key writes a tone', '่', 'KeyJ', 'j'],
    ['a Hindi layout, where a key writes a virama', '्', 'KeyD', 'd'],
    ['a Hindi layout, where a key writes a vowel sign', 'ै', 'KeyW', 'w'],
    ['a Khmer layout, where a key writes a vowel sign', 'ឹ', 'KeyW', 'w'],
    ['a Tamil layout, where a key writes a virama', '்', 'KeyD', 'd'],
    ['an Arabic layout, where a key writes two letters', 'لا', 'KeyB', 'b'],
    ['a Japanese layout, where a key writes a kana', 'の', 'KeyK', 'k'],
    ['a fullwidth letter', 'ｋ', 'KeyK', 'k'],
    ['a fullwidth capital', 'Ｋ', 'KeyK', 'k'],
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
    ['a key that an input method handles', 'Process', 'KeyK'],
    ['an ordinal sign', 'ª', 'Backquote'],
    ['a space', ' ', 'Space'],
  ])('ignores %s', (_label, key, code) => {
    expect(keyLetter({ key, code })).toBeUndefined();
  });
});

describe('keyLetter for a sign on a letter key', () => {
  const lettersAfter = (key: string, code: string) => {
    keyLetter({ key, code });
    return [
      keyLetter({ key: "'", code: 'KeyW' }),
      keyLetter({ key: '/', code: 'KeyQ' }),
      keyLetter({ key: ',', code: 'KeyW' }),
    ];
  };

  it('follows the position after letters of another script, as in Hebrew', () => {
    expect(lettersAfter('ש', 'KeyA')).toEqual(['w', 'q', 'w']);
  });

  it('ignores the position after Latin letters, as in Dvorak', () => {
    expect(lettersAfter('a', 'KeyA')).toEqual([undefined, undefined, undefined]);
  });
});

describe('isQuestionMark', () => {
  it('accepts the question marks of other scripts', () => {
    expect(['?', '؟', '？'].every((key) => isQuestionMark({ key }))).toBe(true);
    expect(isQuestionMark({ key: '/' })).toBe(false);
  });
});
