import { expect, it } from '@jest/globals';
import { caretAfter } from './live-text.ts';

it('caretAfter keeps the caret at its text when others edit before, after, or around it', () => {
  // Others edit before the caret.
  expect(caretAfter('Budget: 10', 'Present\nBudget: 10', 10)).toBe(18);
  // Others edit after the caret.
  expect(caretAfter('Budget\nNext', 'Budget\nNext: Monday', 6)).toBe(6);
  // Others replace the text around the caret.
  expect(caretAfter('abcdef', 'abXf', 4)).toBe(4);
  expect(caretAfter('abc', '', 3)).toBe(0);
});
