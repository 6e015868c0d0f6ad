import { expect, it } from '@jest/globals';
import { createTypedAhead } from './typed-ahead.ts';

const press = (key: string, init: KeyboardEventInit = {}) =>
  document.body.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true, ...init }));

it('typed-ahead collects text for a field that is not mounted yet, without the page receiving it', () => {
  const keysReceivedByPage: string[] = [];
  const recordKey = ({ key }: KeyboardEvent) => void keysReceivedByPage.push(key);
  document.addEventListener('keydown', recordKey);
  const typedAhead = createTypedAhead(() => undefined);
  typedAhead.begin();
  const defaultActions = ['L', 'e', 'o', 'Backspace', 'n', 'Enter'].map((key) => press(key));
  expect(defaultActions).not.toContain(true);
  expect(press('k', { ctrlKey: true })).toBe(true);
  // Requested again before the field is mounted.
  typedAhead.begin();
  expect(typedAhead.take()).toBe('Len');
  press('a');
  expect(keysReceivedByPage).toEqual(['k', 'a']);
  expect(typedAhead.take()).toBe('Len');
  typedAhead.begin();
  expect(typedAhead.take()).toBe('');
  document.removeEventListener('keydown', recordKey);
});

it('typed-ahead is canceled by Escape and stopped by a pointer press', () => {
  let cancelCount = 0;
  const typedAhead = createTypedAhead(() => {
    cancelCount += 1;
  });
  typedAhead.begin();
  press('Escape');
  expect([cancelCount, press('a')]).toEqual([1, true]);
  typedAhead.begin();
  window.dispatchEvent(new Event('pointerdown'));
  expect(press('a')).toBe(true);
});
