import { expect, it } from '@jest/globals';
import { withSkinTone } from './skin-tone.ts';

it.each([
  ['👍', '👍🏽'],
  ['🧑‍💻', '🧑🏽‍💻'],
  ['☝️', '☝🏽'],
  ['🕵️‍♀️', '🕵🏽‍♀️'],
  ['👩‍❤️‍💋‍👨', '👩🏽‍❤️‍💋‍👨🏽'],
  ['👨‍👩‍👧', '👨‍👩‍👧'],
  ['😀', '😀'],
  [':party_parrot:', ':party_parrot:'],
])('emoji of people have the chosen skin tone: %s', (emoji, toned) => {
  expect(withSkinTone(emoji, 'medium')).toBe(toned);
  expect(withSkinTone(emoji, 'none')).toBe(emoji);
});
