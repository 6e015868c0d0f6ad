import { toNormalForm } from '@atrium/proto-events/text/normal-form';
import { useSyncExternalStore } from 'react';
import { createListeners } from './listeners.ts';
import { deviceStorage } from './storage.ts';

const STORAGE_KEY = 'atrium:single-key-shortcuts';
const listeners = createListeners();

/** Whether single letters are shortcuts on this device. Users of speech input turn them off (WCAG 2.1.4). */
export const areSingleKeysOn = (): boolean => deviceStorage.read(STORAGE_KEY) !== 'off';

export function setSingleKeys(isOn: boolean): void {
  if (isOn) deviceStorage.remove(STORAGE_KEY);
  else deviceStorage.write(STORAGE_KEY, 'off');
  listeners.notify();
}

export const useSingleKeys = (): boolean => useSyncExternalStore(listeners.subscribe, areSingleKeysOn);

const FULL_WIDTH = /^[\uff01-\uffee]$/;
const LATIN = /^\p{Script=Latin}$/u;
/** Letters and signs of one other script; a key may write several, such as Arabic lam and alef. */
const OTHER_LETTERS = /^(?!\p{Script=Inherited})[\p{L}\p{M}]+$/u;
const HAS_LATIN = /\p{Script=Latin}/u;

let hasTypedLatin: boolean | undefined;

/**
 * The letter a to z of a shortcut key (UI Events, `key` and `code`). A layout with Latin letters decides itself, so
 * that shortcuts match the labels of Dvorak and AZERTY; otherwise the position of the key decides. Returns undefined for
 * any other key.
 */
export function keyLetter({ key, code }: Pick<KeyboardEvent, 'key' | 'code'>): string | undefined {
  const character = FULL_WIDTH.test(key) ? toNormalForm(key, 'NFKC') : key;
  if (LATIN.test(character)) {
    hasTypedLatin = true;
    return /^[a-z]$/i.test(character) ? character.toLowerCase() : undefined;
  }
  const position = /^Key([A-Z])$/.exec(code)?.[1]?.toLowerCase();
  if (OTHER_LETTERS.test(character) && !HAS_LATIN.test(character)) {
    hasTypedLatin = false;
    return position;
  }
  // Hebrew has signs on letter keys, as does Dvorak.
  return [...character].length === 1 && !isLatinLayout() ? position : undefined;
}

/** Guesses by language until a letter is typed: the usual layout of Hebrew has signs on letter keys. */
const isLatinLayout = (): boolean => hasTypedLatin ?? !/^(?:he|iw|yi)\b/i.test(navigator.language);

const QUESTION_MARKS = ['?', '؟', '？', '՞', '፧'];

export const isQuestionMark = ({ key }: Pick<KeyboardEvent, 'key'>): boolean => QUESTION_MARKS.includes(key);
