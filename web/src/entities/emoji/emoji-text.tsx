import { Fragment } from 'react';
import { EmojiGlyph } from './emoji-glyph.tsx';

/** Not between other characters of words, as in 10:30:45. */
const CUSTOM_EMOJI = /(?<![\p{L}\p{N}:]):[a-z0-9_-]{2,32}:(?![\p{L}\p{N}:])/gu;

type Part = { at: number; text: string; isEmoji: boolean };

export function splitEmoji(text: string): Part[] {
  const parts: Part[] = [];
  let end = 0;
  for (const { 0: emoji, index } of text.matchAll(CUSTOM_EMOJI)) {
    if (index > end) parts.push({ at: end, text: text.slice(end, index), isEmoji: false });
    parts.push({ at: index, text: emoji, isEmoji: true });
    end = index + emoji.length;
  }
  if (end < text.length) parts.push({ at: end, text: text.slice(end), isEmoji: false });
  return parts;
}

/** Text in which names of custom emoji are shown as their images. */
export function EmojiText({ text }: { text: string }) {
  if (!text.includes(':')) return text;
  return splitEmoji(text).map(({ at, text: part, isEmoji }) =>
    isEmoji ? <EmojiGlyph key={at} emoji={part} /> : <Fragment key={at}>{part}</Fragment>,
  );
}
