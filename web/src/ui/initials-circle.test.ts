import { expect, it } from '@jest/globals';
import { hueOf } from './initials-circle.tsx';

const id = '65f0c0ffee0000000000000a';

it('hueOf returns the same hue for the same id, and mostly different hues for different ids', () => {
  expect(hueOf(id)).toBe(hueOf(id));
  const hues = new Set(Array.from({ length: 50 }, (_, index) => hueOf(`${index}`.padStart(24, '0'))));
  expect(hues.size).toBeGreaterThan(35);
});
