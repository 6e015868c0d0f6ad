import { describe, expect, it } from '@jest/globals';
import { parseCustomEmoji, parseEmoji } from '../src/text/emoji.ts';

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

describe('a custom emoji', () => {
  it.each([
    [':party_parrot:', 'party_parrot'],
    [':+1:', undefined],
    [':a:', undefined],
    [':Upper:', undefined],
    [`:${'x'.repeat(33)}:`, undefined],
    ['party_parrot', undefined],
    [':one::two:', undefined],
  ])('is a name between colons: %j', (text, name) => {
    expect(parseCustomEmoji(text)).toBe(name);
  });
});
