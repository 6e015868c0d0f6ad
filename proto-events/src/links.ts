import { mailtoUri, parseEmailAddress } from './text/email.ts';

const LINK_START = /https?:\/\/|www\.|@/gi;
/** Signs of email addresses that are read in a text: validating one takes as long as reading a page. */
const MAX_EMAILS = 200;
const WEB_START = /https?:\/\/|www\./gi;
/** Matches white space and other characters that a web address cannot contain (RFC 3986, appendix C). */
const ADDRESS_END =
  /[\p{White_Space}\p{Cc}\p{Cs}\p{Noncharacter_Code_Point}\p{Bidi_Control}\u200b\u2060\ufeff<>"`|^\\]/u;
/** Matches sentence punctuation of scripts that may put no space after it. */
const SENTENCE_END = /(?![\0-\x7f])[\p{Terminal_Punctuation}\p{Pi}\p{Pf}]/u;
const APOSTROPHE = '\u2019';
/** Matches characters that cannot end an address; the ASCII set is that of GFM (6.9). */
const CANNOT_END_ADDRESS = /[.,;:!?'*_~]|(?![\0-\x7f])\p{P}/u;
const OPENING_BRACKET = /\p{Ps}/u;
const CLOSING_BRACKET = /\p{Pe}/u;

/** A web or email address: its offset in the text, its text, and the link target. */
export type Link = { at: number; text: string; href: string };

/**
 * Finds, in order, web addresses with a scheme or with `www.`, and email addresses (GFM, 6.9). They are delimited as in
 * UTS #58: brackets are balanced, and trailing punctuation is excluded. Takes linear time.
 */
export const findLinks = (text: string): Link[] => readLinks(text, LINK_START);

function readLinks(text: string, starts: RegExp): Link[] {
  const links: Link[] = [];
  let readUntil = 0;
  let emailCount = 0;
  for (const { 0: start, index } of text.matchAll(starts)) {
    if (index < readUntil) continue;
    if (start === '@') emailCount += 1;
    if (emailCount > MAX_EMAILS && start === '@') continue;
    const link = start === '@' ? parseEmail(text, index, readUntil) : parseWebAddress(text, index, start);
    if (link === undefined) continue;
    readUntil = link.readUntil;
    if (link.href !== undefined) links.push({ at: link.at, text: text.slice(link.at, link.end), href: link.href });
  }
  return links;
}

/** Finds each web address once, without reading email addresses. */
export const findWebAddresses = (text: string): string[] => [
  ...new Set(readLinks(text, WEB_START).map(({ href }) => href)),
];

type ReadLink = {
  at: number;
  end: number;
  /** How far the text was read. */
  readUntil: number;
  /** Undefined if the text is not an address. */
  href: string | undefined;
};

/** Scripts that put no spaces between words, so that letters may directly precede or follow an address. */
const SPACELESS = ['Hani', 'Hira', 'Kana', 'Bopo', 'Hang', 'Thai', 'Laoo', 'Khmr', 'Mymr']
  .map((script) => `\\p{scx=${script}}`)
  .join('');
const LETTER = `(?![${SPACELESS}])[\\p{L}\\p{M}\\p{N}]`;
const BEFORE_WWW = new RegExp(`^(?:${LETTER}|[-./@:%+=&?#])$`, 'u');
/** A domain of at least two labels after `www`, without underscores in the last two. */
const WWW_DOMAIN = /www(?:\.[\p{L}\p{M}\p{N}_-]{1,63})*(?:\.[\p{L}\p{M}\p{N}-]{1,63}){2}(?![\p{L}\p{M}\p{N}_@-])/iuy;

function parseWebAddress(text: string, at: number, start: string): ReadLink | undefined {
  const isWww = !start.includes(':');
  if (isWww && !beginsDomain(text, at)) return undefined;
  const { end, readUntil } = parseAddress(text, isWww ? at : at + start.length);
  const href = `${isWww ? 'http://' : ''}${text.slice(at, end)}`;
  return { at, end, readUntil, href: end > at + start.length && URL.canParse(href) ? href : undefined };
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

function parseEmail(text: string, index: number, from: number): ReadLink | undefined {
  let at = index;
  while (at > from && index - at < MAX_LOCAL && IN_LOCAL.test(text.charAt(at - 1))) at -= 1;
  const domain = DOMAIN.exec(text.slice(index + 1, index + 1 + MAX_DOMAIN))?.[0];
  if (at === index || domain === undefined || /[/@]/.test(text.charAt(at - 1))) return undefined;
  const end = index + 1 + domain.length;
  const address = /[@/_]/.test(text.charAt(end)) ? undefined : parseEmailAddress(text.slice(at, end));
  if (address === undefined) return undefined;
  const hasScheme = at - MAILTO.length >= from && text.slice(at - MAILTO.length, at).toLowerCase() === MAILTO;
  return { at: hasScheme ? at - MAILTO.length : at, end, readUntil: end, href: mailtoUri(address) };
}

/** Returns the end of the address whose scheme ends at `start`, and how far the text was read to find it. */
function parseAddress(text: string, start: number): { end: number; readUntil: number } {
  const openBrackets: string[] = [];
  let end = start;
  let readUntil = start;
  for (const character of codePointsFrom(text, start)) {
    if (ADDRESS_END.test(character) || (character !== APOSTROPHE && SENTENCE_END.test(character))) break;
    const isClosing = CLOSING_BRACKET.test(character);
    if (isClosing && !isPair(openBrackets.pop(), character)) break;
    readUntil += character.length;
    if (OPENING_BRACKET.test(character)) openBrackets.push(character);
    else if (isClosing || !CANNOT_END_ADDRESS.test(character)) end = readUntil;
  }
  return { end: excludeEntities(text, start, end), readUntil };
}

/** Moves the end of an address before trailing HTML character references, which GFM excludes. */
function excludeEntities(text: string, start: number, addressEnd: number): number {
  let end = addressEnd;
  while (text.charAt(end) === ';') {
    let at = end;
    while (at > start && /[a-z0-9#]/i.test(text.charAt(at - 1))) at -= 1;
    if (at === end || at <= start || text.charAt(at - 1) !== '&') return end;
    end = at - 1;
    while (end > start && CANNOT_END_ADDRESS.test(text.charAt(end - 1))) end -= 1;
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

/** Whether two brackets match. In Unicode, a closing bracket is one or two code points after its opening bracket. */
function isPair(opening: string | undefined, closing: string): boolean {
  const distance = (closing.codePointAt(0) ?? 0) - (opening?.codePointAt(0) ?? 0);
  return opening !== undefined && (distance === 1 || distance === 2);
}
