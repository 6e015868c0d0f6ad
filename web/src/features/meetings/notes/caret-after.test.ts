import { expect, it } from '@jest/globals';
import { caretAfter } from './caret-after.ts';

it('stays beside its words when others write before, behind or around it', () => {
  // Before it.
  expect(caretAfter('Budget: 10', 'Present\nBudget: 10', 10)).toBe(18);
  // Behind it.
  expect(caretAfter('Budget\nNext', 'Budget\nNext: Monday', 6)).toBe(6);
  // In what was replaced.
  expect(caretAfter('abcdef', 'abXf', 4)).toBe(4);
  expect(caretAfter('abc', '', 3)).toBe(0);
});
