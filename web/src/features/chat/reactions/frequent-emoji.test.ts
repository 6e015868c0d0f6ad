import { beforeEach, expect, it } from '@jest/globals';
import { buildUser } from '#test/build-user.ts';
import { listFrequentEmoji, recordEmojiUse } from './frequent-emoji.ts';

const user = buildUser('a')._id;

beforeEach(() => localStorage.clear());

it('frequent emoji are 👍, ❤️, and 😂 until others were used', () => {
  expect(listFrequentEmoji(user)).toEqual(['👍', '❤️', '😂']);
  recordEmojiUse(user, '🎉');
  expect(listFrequentEmoji(user)).toEqual(['🎉', '👍', '❤️']);
});

it('frequent emoji are sorted by use, and belong to one user', () => {
  for (const emoji of ['🎉', '👀', '👀', '❤️', '❤️', '❤️', '✅']) recordEmojiUse(user, emoji);
  expect(listFrequentEmoji(user)).toEqual(['❤️', '👀', '✅']);
  expect(listFrequentEmoji(buildUser('b')._id)).toEqual(['👍', '❤️', '😂']);
});

it('frequent emoji are the default ones if the storage is unreadable', () => {
  localStorage.setItem(`atrium:emoji:${user}`, '{');
  expect(listFrequentEmoji(user)).toEqual(['👍', '❤️', '😂']);
});
