import { expect, it } from '@jest/globals';
import { splitEmoji } from './emoji-text.tsx';

const emojiIn = (text: string) => splitEmoji(text).flatMap((part) => (part.isEmoji ? [part.text] : []));

it.each([
  ['nice :party_parrot:!', [':party_parrot:']],
  [':ok: :+1: :tada::tada:', [':ok:']],
  ['at 10:30:45', []],
  ['a:bc:d', []],
  [':x: and :Upper:', []],
  ['(:shipit:)', [':shipit:']],
])('names of emoji are found in text: %s', (text, emoji) => {
  expect(emojiIn(text)).toEqual(emoji);
});

it('no text is lost', () => {
  const text = 'a :one: b :two: c';
  expect(splitEmoji(text).map((part) => part.text)).toEqual(['a ', ':one:', ' b ', ':two:', ' c']);
});
