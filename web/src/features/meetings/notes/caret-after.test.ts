import { expect, it } from '@jest/globals';
import { caretAfter } from './live-text.ts';

it('caretAfter keeps the caret at its text when others edit before, after, or around it', () => {
  // Before the caret.
  expect(caretAfter('Budget: 10', 'Present\nBudget: 10', 10)).toBe(18);
  // After the caret.
  expect(caretAfter('Budget\nNext', 'Budget\nNext: Monday', 6)).toBe(6);
  // Within replaced text.
  expect(caretAfter('abcdef', 'abXf', 4)).toBe(4);
  expect(caretAfter('abc', '', 3)).toBe(0);
});
