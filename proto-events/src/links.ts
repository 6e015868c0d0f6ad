import { mailtoUri, readEmailAddress } from './text/email.ts';

const START = /https?:\/\/|www\.|@/gi;
/**
 * Characters that a web address cannot contain (RFC 3986, appendix C), blanks, and sentence punctuation of
 * scripts that may put no space after it.
 */
const ENDS = /[\p{White_Space}\p{Cc}\p{Cs}\p{Noncharacter_Code_Point}\p{Bidi_Control}\u200b\u2060\ufeff<>"`|^\\]/u;
const SENTENCE_END = /(?![\0-\x7f])[\p{Terminal_Punctuation}\p{Pi}\p{Pf}]/u;
const APOSTROPHE = '\u2019';
/** Part of an address only if more of it follows; the ASCII set is that of GFM (6.9). */
const NOT_LAST = /[.,;:!?'*_~]|(?![\0-\x7f])\p{P}/u;
const OPENS = /\p{Ps}/u;
const CLOSES = /\p{Pe}/u;

/** A web or email address in a text: its offset, its text, and the link target. */
export type Link = { at: number; text: string; href: string };

/**
 * In order: web addresses with a scheme or with `www.`, and email addresses (GFM, 6.9), delimited as in UTS #58:
 * brackets are balanced, and trailing punctuation is excluded. Linear time.
 */
export function findLinks(text: string): Link[] {
  const found: Link[] = [];
  let next = 0;
  for (const { 0: start, index } of text.matchAll(START)) {
    if (index < next) continue;
    const link = start === '@' ? readEmail(text, index, next) : readWebAddress(text, index, start);
    if (link === undefined) continue;
    next = link.read;
    if (link.href !== undefined) found.push({ at: link.at, text: text.slice(link.at, link.end), href: link.href });
  }
  return found;
}

export const findWebAddresses = (text: string): string[] => [
  ...new Set(
    findLinks(text)
      .map(({ href }) => href)
      .filter((href) => !href.startsWith('mailto:')),
  ),
];

/** `read`: how far the text was read; `href` is undefined if it is not an address. */
type ReadLink = { at: number; end: number; read: number; href: string | undefined };

/** Scripts that put no spaces between words, so that an address follows and precedes letters. */
const SPACELESS = ['Hani', 'Hira', 'Kana', 'Bopo', 'Hang', 'Thai', 'Laoo', 'Khmr', 'Mymr']
  .map((script) => `\\p{scx=${script}}`)
  .join('');
const LETTER = `(?![${SPACELESS}])[\\p{L}\\p{M}\\p{N}]`;
const BEFORE_WWW = new RegExp(`^(?:${LETTER}|[-./@:%+=&?#])$`, 'u');
/** A domain of at least two labels after `www`, without underscores in the last two. */
const WWW_DOMAIN = /www(?:\.[\p{L}\p{M}\p{N}_-]{1,63})*(?:\.[\p{L}\p{M}\p{N}-]{1,63}){2}(?![\p{L}\p{M}\p{N}_@-])/iuy;

function readWebAddress(text: string, at: number, start: string): ReadLink | undefined {
  const isWww = !start.includes(':');
  if (isWww && !beginsDomain(text, at)) return undefined;
  const { end, read } = readAddress(text, isWww ? at : at + start.length);
  const href = `${isWww ? 'http://' : ''}${text.slice(at, end)}`;
  return { at, end, read, href: end > at + start.length && URL.canParse(href) ? href : undefined };
}

function beginsDomain(text: string, at: number): boolean {
  WWW_DOMAIN.lastIndex = at;
  return !BEFORE_WWW.test(text.charAt(at - 1)) && WWW_DOMAIN.test(text);
}

const MAX_LOCAL = 64;
const MAX_DOMAIN = 253;
const IN_LOCAL = new RegExp(`^(?:${LETTER}|[.+_-])$`, 'u');
const DOMAIN = new RegExp(`^(?:${LETTER}|-)+(?:\\.(?:${LETTER}|-)+)+`, 'u');
const MAILTO = 'mailto:';

function readEmail(text: string, index: number, from: number): ReadLink | undefined {
  let at = index;
  while (at > from && index - at < MAX_LOCAL && IN_LOCAL.test(text.charAt(at - 1))) at -= 1;
  const domain = DOMAIN.exec(text.slice(index + 1, index + 1 + MAX_DOMAIN))?.[0];
  if (at === index || domain === undefined || /[/@]/.test(text.charAt(at - 1))) return undefined;
  const end = index + 1 + domain.length;
  const address = /[@/_]/.test(text.charAt(end)) ? undefined : readEmailAddress(text.slice(at, end));
  if (address === undefined) return undefined;
  const hasScheme = at - MAILTO.length >= from && text.slice(at - MAILTO.length, at).toLowerCase() === MAILTO;
  return { at: hasScheme ? at - MAILTO.length : at, end, read: end, href: mailtoUri(address) };
}

/** The end of the address that starts before `start`, and how far the text was read to find it. */
function readAddress(text: string, start: number): { end: number; read: number } {
  const open: string[] = [];
  let end = start;
  let read = start;
  for (const character of codePointsFrom(text, start)) {
    if (ENDS.test(character) || (character !== APOSTROPHE && SENTENCE_END.test(character))) break;
    const closes = CLOSES.test(character);
    if (closes && !isPair(open.pop(), character)) break;
    read += character.length;
    if (OPENS.test(character)) open.push(character);
    else if (closes || !NOT_LAST.test(character)) end = read;
  }
  return { end: beforeEntities(text, start, end), read };
}

/** The end of an address without trailing HTML character references, which GFM excludes. */
function beforeEntities(text: string, start: number, addressEnd: number): number {
  let end = addressEnd;
  while (text.charAt(end) === ';') {
    let at = end;
    while (at > start && /[a-z0-9#]/i.test(text.charAt(at - 1))) at -= 1;
    if (at === end || at <= start || text.charAt(at - 1) !== '&') return end;
    end = at - 1;
    while (end > start && NOT_LAST.test(text.charAt(end - 1))) end -= 1;
  }
  return end;
}

function* codePointsFrom(text: string, start: number): Generator<string> {
  for (let at = start; at < text.length; ) {
    const character = String.fromCodePoint(text.codePointAt(at) ?? 0);
    yield character;
    at += character.length;
  }
}

/** In Unicode, a closing bracket follows its opening one with at most one character between them. */
function isPair(opening: string | undefined, closing: string): boolean {
  const distance = (closing.codePointAt(0) ?? 0) - (opening?.codePointAt(0) ?? 0);
  return opening !== undefined && (distance === 1 || distance === 2);
}
