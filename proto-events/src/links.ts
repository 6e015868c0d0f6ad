const SCHEME = /https?:\/\//gi;
/** What no web address holds (RFC 3986, appendix C), blanks, and sentence punctuation of scripts that may put no space after it. */
const ENDS = /[\p{White_Space}\p{Cc}\p{Cs}\p{Noncharacter_Code_Point}\p{Bidi_Control}\u200b\u2060\ufeff<>"`|^\\]/u;
const SENTENCE_END = /(?![\0-\x7f])[\p{Terminal_Punctuation}\p{Pi}\p{Pf}]/u;
const APOSTROPHE = '\u2019';
/** Part of an address only where more of it follows; of ASCII as GFM has it (6.9). */
const NOT_LAST = /[.,;:!?'*_~]|(?![\0-\x7f])\p{P}/u;
const OPENS = /\p{Ps}/u;
const CLOSES = /\p{Pe}/u;

/** A web address in a text, as it stands there, and where it begins. */
export type Link = { at: number; href: string };

/**
 * The web addresses of a text, in their order, each as far as UTS #58 has it go: brackets count in pairs, punctuation is no end of one. Each
 * character is read once.
 */
export function findLinks(text: string): Link[] {
  const found: Link[] = [];
  let next = 0;
  for (const { 0: scheme, index } of text.matchAll(SCHEME)) {
    if (index < next) continue;
    const { end, read } = readAddress(text, index + scheme.length);
    next = read;
    const href = text.slice(index, end);
    if (end > index + scheme.length && URL.canParse(href)) found.push({ at: index, href });
  }
  return found;
}

/** Where the address ends that goes on at `start`, and how far the text was read to know. */
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
  return { end, read };
}

function* codePointsFrom(text: string, start: number): Generator<string> {
  for (let at = start; at < text.length; ) {
    const character = String.fromCodePoint(text.codePointAt(at) ?? 0);
    yield character;
    at += character.length;
  }
}

/** The closing bracket of a pair follows the opening one in Unicode, at most one character between them. */
function isPair(opening: string | undefined, closing: string): boolean {
  const distance = (closing.codePointAt(0) ?? 0) - (opening?.codePointAt(0) ?? 0);
  return opening !== undefined && (distance === 1 || distance === 2);
}
