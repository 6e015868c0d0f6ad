/** Characters that may precede or follow an address pasted from a sentence or a list. */
const BEFORE = /[\p{White_Space}\p{Ps}\p{Pi},;:<]/u;
const AFTER = /[\p{White_Space}\p{P}<>~`]/u;
/** Quotation marks and Markdown emphasis: removed if present on both sides, otherwise part of the address. */
const PAIRED = /^["'`*_~]+/;
const NOT_PAIRED = /[^"'`*_~]/g;

const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  apos: "'",
  at: '@',
  commat: '@',
  gt: '>',
  lt: '<',
  nbsp: ' ',
  period: '.',
  quot: '"',
};
const ENTITY = /&(?:#(?<decimal>\d{1,7})|#x(?<hex>[0-9a-f]{1,6})|(?<name>[a-z]{2,6}));/giu;

/** Decodes HTML character references around or inside addresses, once. */
export function decodeEntities(text: string): string {
  return text.replace(ENTITY, (entity, decimal?: string, hex?: string, name?: string) => {
    if (name !== undefined) return ENTITIES[name.toLowerCase()] ?? entity;
    const codePoint = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal);
    return codePoint > 0 && codePoint <= 0x10_ffff ? String.fromCodePoint(codePoint) : entity;
  });
}

const IN_BRACKETS = /<([^<>@]*@[^<>]*)>/g;

/** Returns the address in angle brackets, or the whole text unless there is exactly one such pair. */
export function insideBrackets(text: string): string {
  const [match, ...otherMatches] = text.matchAll(IN_BRACKETS);
  return match !== undefined && otherMatches.length === 0 ? (match[1] ?? '') : text;
}

/** Removes comments on either side of the @ (RFC 5322, 3.4.1, obsolete syntax). */
export const withoutComments = (text: string): string =>
  text.replace(/\([^()@]*\)@/gu, '@').replace(/@\([^()@]*\)/gu, '@');

export function trimAround(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && BEFORE.test(text.charAt(start))) start += 1;
  while (end > start && AFTER.test(text.charAt(end - 1))) end -= 1;
  return stripPairs(text.slice(start, end), text.slice(end));
}

function stripPairs(address: string, after: string): string {
  const opening = PAIRED.exec(address)?.[0] ?? '';
  const closing = [...(/^\S*/.exec(after)?.[0] ?? '').replace(NOT_PAIRED, '')].toReversed().join('');
  let pairCount = 0;
  while (pairCount < opening.length && opening[pairCount] === closing[pairCount]) pairCount += 1;
  return address.slice(pairCount);
}

const IN_LOCAL = /[a-z0-9!#$%&'*+=?^_`{|}~\-./\p{L}\p{M}\p{N}\p{Sk}\p{So}]/iu;
const IN_DOMAIN = /[\p{L}\p{M}\p{N}.\u3002\uff61-]/u;
/** Characters that end a domain even if more text follows immediately. */
const ENDS_DOMAIN =
  /^(?:$|[\p{White_Space}\p{Ps}\p{Pe}\p{Pi}\p{Pf},;?!"<>|]|[^\p{L}\p{M}\p{N}/\\%@#&=+$^]+(?:$|\p{White_Space}))/u;
const BEGINS_NOTE = /^\p{White_Space}*(?:$|[\t\n\r(<["'|,;–—-])/u;
/** A name or the beginning of a sentence, rather than the first half of an address with a blank in it. */
const IS_NAME = /^\p{White_Space}*(?:\p{Lo}|[\p{Lu}\p{Lt}][\p{L}\p{M}'’.-]*(?:\p{White_Space}+\S|[\p{L}\p{M}]{2}))/u;

/** Returns undefined unless there is exactly one @ and the surrounding text is clearly not part of the address. */
export function findAddress(text: string): string | undefined {
  const characters = [...text];
  const at = characters.indexOf('@');
  if (at < 0 || characters.includes('@', at + 1)) return undefined;
  let start = at;
  let end = at + 1;
  while (start > 0 && IN_LOCAL.test(characters[start - 1] ?? '')) start -= 1;
  while (end < characters.length && IN_DOMAIN.test(characters[end] ?? '')) end += 1;
  while (characters[end - 1] === '.') end -= 1;
  const before = characters.slice(0, start).join('');
  const address = characters.slice(start, end).join('');
  const after = characters.slice(end).join('');
  if (address.startsWith('/')) return undefined;
  return isSurroundedByText(before, after) ? stripPairs(address, after) : undefined;
}

function isSurroundedByText(before: string, after: string): boolean {
  const lastCharacter = [...before].at(-1) ?? ' ';
  const isBeforeAddress =
    /\p{White_Space}/u.test(lastCharacter) || before === ''
      ? isLabel(before) || IS_NAME.test(before)
      : /[\p{Ps}\p{Pi}:;,<>|"]/u.test(lastCharacter);
  const note = after.replace(/^[^\p{L}\p{N}\p{White_Space}(<["|,;-]+/u, '');
  const isAfterAddress = /^\p{White_Space}/u.test(note) ? BEGINS_NOTE.test(note) || IS_NAME.test(note) : true;
  return isBeforeAddress && isAfterAddress && ENDS_DOMAIN.test(after);
}

/** Whether the text before a space ends with punctuation or another table cell, or has no word. */
function isLabel(before: string): boolean {
  const text = before.trimEnd();
  return /[\p{P}\p{S}]$/u.test(text) || /[\t\n\r]/.test(before.slice(text.length)) || !/[\p{L}\p{N}]/u.test(text);
}
