import { expect, it } from '@jest/globals';
import { hueOf } from './initials-circle.tsx';

const id = '65f0c0ffee0000000000000a';

it('has one hue for one id, and others for others', () => {
  expect(hueOf(id)).toBe(hueOf(id));
  const hues = new Set(Array.from({ length: 50 }, (_, index) => hueOf(`${index}`.padStart(24, '0'))));
  expect(hues.size).toBeGreaterThan(35);
});
