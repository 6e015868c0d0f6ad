import { describe, expect, it } from '@jest/globals';
import { parseEmoji } from '../src/text/emoji.ts';

describe('an emoji', () => {
  it.each([
    ['👍', '👍'],
    ['👍\ufe0f', '👍'],
    ['❤', '❤\ufe0f'],
    ['❤\ufe0e', '❤\ufe0f'],
    ['❤\ufe0f', '❤\ufe0f'],
    ['👍🏽', '👍🏽'],
    ['🏳️‍🌈', '🏳️‍🌈'],
    ['🇻🇳', '🇻🇳'],
    ['1️⃣', '1️⃣'],
  ])('is recognized in its fully qualified form: %j', (text, emoji) => {
    expect(parseEmoji(text)).toBe(emoji);
  });

  it.each(['', 'a', '1', '👍👍', '👍 ', ':thumbsup:', '\ufe0f', '🇻'])('is not %j', (text) => {
    expect(parseEmoji(text)).toBeUndefined();
  });
});
