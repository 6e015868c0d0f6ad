import { expect, it } from '@jest/globals';
import { createTypedAhead } from './typed-ahead.ts';

const press = (key: string, init: KeyboardEventInit = {}) =>
  document.body.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true, ...init }));

it('keeps what is typed for a field that is not there yet, away from the page', () => {
  const reached: string[] = [];
  const note = ({ key }: KeyboardEvent) => void reached.push(key);
  document.addEventListener('keydown', note);
  const typedAhead = createTypedAhead(() => undefined);
  typedAhead.begin();
  const wasAllowed = ['L', 'e', 'o', 'Backspace', 'n', 'Enter'].map((key) => press(key));
  expect(wasAllowed).not.toContain(true);
  expect(press('k', { ctrlKey: true })).toBe(true);
  // Asked for again before it is there.
  typedAhead.begin();
  expect(typedAhead.take()).toBe('Len');
  press('a');
  expect(reached).toEqual(['k', 'a']);
  expect(typedAhead.take()).toBe('Len');
  typedAhead.begin();
  expect(typedAhead.take()).toBe('');
  document.removeEventListener('keydown', note);
});

it('is given up by Escape, and lets a pointer have the page again', () => {
  let cancelled = 0;
  const typedAhead = createTypedAhead(() => {
    cancelled += 1;
  });
  typedAhead.begin();
  press('Escape');
  expect([cancelled, press('a')]).toEqual([1, true]);
  typedAhead.begin();
  window.dispatchEvent(new Event('pointerdown'));
  expect(press('a')).toBe(true);
});
