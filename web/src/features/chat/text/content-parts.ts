import { findLinks } from '@atrium/proto-events/links';
import type { MentionToken } from '@atrium/proto-events/text/mentions';
import { splitMentions } from '#entities/conversation/mention-labels.ts';

/** A mention, a link, or the text between them. */
export type ContentPart = { at: number; text: string; mention?: MentionToken; href?: string };

export function splitContent(content: string): ContentPart[] {
  return splitMentions(content).flatMap((part) => (part.mention ? [part] : splitLinks(part.text, part.at)));
}

function splitLinks(text: string, offset: number): ContentPart[] {
  const parts: ContentPart[] = [];
  let end = 0;
  for (const { at, text: linkText, href } of findLinks(text)) {
    if (at > end) parts.push({ at: offset + end, text: text.slice(end, at) });
    parts.push({ at: offset + at, text: linkText, href });
    end = at + linkText.length;
  }
  if (end < text.length) parts.push({ at: offset + end, text: text.slice(end) });
  return parts;
}

/** Stand for mentions and links while markup is parsed, so that it is not found inside them. */
const FIRST_PLACEHOLDER = 0xf0000;
const PLACEHOLDER = /([\u{f0000}-\u{ffffd}])/u;

export type ProtectedContent = { text: string; parts: readonly ContentPart[] };

/** Replaces each mention and link by one private-use character, which is a letter to the parser. */
export function protectContent(content: string): ProtectedContent {
  const parts: ContentPart[] = [];
  const toPlaceholder = (part: ContentPart): string => String.fromCodePoint(FIRST_PLACEHOLDER + parts.push(part) - 1);
  const texts = splitContent(content).map((part) => {
    if (part.mention || part.href !== undefined) return toPlaceholder(part);
    // Private-use characters of the author are parts, too, so that none is taken for a placeholder.
    const fragments = part.text.split(PLACEHOLDER);
    return fragments.map((text, index) => (index % 2 === 1 ? toPlaceholder({ at: part.at, text }) : text)).join('');
  });
  return { text: texts.join(''), parts };
}

/** Splits a parsed text at its placeholders. */
export function restoreParts(text: string, parts: readonly ContentPart[]): ContentPart[] {
  let at = 0;
  return text.split(PLACEHOLDER).flatMap((fragment, index): ContentPart[] => {
    const start = at;
    at += fragment.length;
    if (fragment === '') return [];
    const part = index % 2 === 1 ? parts[(fragment.codePointAt(0) ?? 0) - FIRST_PLACEHOLDER] : undefined;
    return [part ? { ...part, at: start } : { at: start, text: fragment }];
  });
}

export const restoreText = (text: string, parts: readonly ContentPart[]): string =>
  restoreParts(text, parts)
    .map((part) => part.text)
    .join('');

/** What markup starts with (CommonMark 0.31 and tables of GFM); a few texts without markup match, too. */
const MARKUP = new RegExp(
  [
    String.raw`\*\S[^]*?\*`,
    String.raw`(?<![\p{L}\p{N}])_\S[^]*?_`,
    '`[^]*?`|~~|\\]\\(',
    String.raw`\\[!-\/:-@[-\x60{-~\n]|&#?\w+;| {2}\n`,
    String.raw`^ {0,3}(?:>|#{1,6}(?:\s|$)|[-+*][ \t]|\d{1,9}[.)][ \t]|(?:- *){3,}$)`,
    String.raw`\|[ :]*-|-[ :]*\|`,
  ].join('|'),
  'mu',
);

/** Whether a text needs the parser. */
export const hasMarkup = (protectedText: string): boolean => MARKUP.test(protectedText);
