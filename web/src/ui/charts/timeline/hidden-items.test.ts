import { expect, it } from '@jest/globals';
import { hiddenItemsText } from './hidden-items.ts';

const label = (count: number) => `${count} tasks`;

it.each([
  [0, 0, ''],
  [2, 0, ' Not shown: 2 tasks without a date.'],
  [0, 1_200, ' Not shown: 1200 tasks that you can load below.'],
  [2, 100, ' Not shown: 2 tasks without a date and 100 tasks that you can load below.'],
])('of %i undated and %i unloaded items, the hidden ones are named', (undated, unloaded, text) => {
  expect(hiddenItemsText({ undated, unloaded, label })).toBe(text);
});
