import { describe, expect, it } from '@jest/globals';
import { unwrapLines } from './unwrap-lines.ts';

describe('unwrapLines', () => {
  it('joins the lines of a paragraph that a mail program wrapped', () => {
    const lines = [
      'Looks good, but I would move the button to the top of the page because most',
      'of our customers use phones, where it is hidden until they scroll down to it.',
      'Then it is done.',
    ];
    expect(unwrapLines(`${lines.join('\n')}\n\nMia`)).toBe(`${lines.join(' ')}\n\nMia`);
  });

  it.each([
    'Monday\nTuesday\nWednesday',
    'A line of the user that is fairly long but has space.\nfor more',
    `- ${'first '.repeat(11)}item\n- ${'second '.repeat(9)}item\n1. third`,
    `${'x'.repeat(120)}\nanother line`,
  ])('keeps the lines of the user: %j', (text) => {
    expect(unwrapLines(text)).toBe(text);
  });
});
