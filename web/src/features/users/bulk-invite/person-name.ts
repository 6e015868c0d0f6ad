import { hasVisibleText } from '@atrium/proto-events/text/normalize';

type PersonName = { firstName: string; lastName: string };

const SPACES = /\p{White_Space}+/u;
const QUOTES = /["“”„«»]/gu;
const BRACKETS = /[()[\]{}<>]/g;

/** Parses `Lena Brandt` or `Brandt, Lena`; the last word is the last name. */
export function parseName(text: string): PersonName {
  const name = text.replace(QUOTES, '').replace(BRACKETS, ' ');
  const [before = '', after = '', ...furtherParts] = name.split(',').map((part) => part.trim());
  if (after !== '' && furtherParts.length === 0) return { firstName: after, lastName: before };
  const words = name.replaceAll(',', ' ').split(SPACES).filter(hasVisibleText);
  return {
    firstName: (words.length > 1 ? words.slice(0, -1) : words).join(' '),
    lastName: words.slice(1).at(-1) ?? '',
  };
}

const WORD = /^[\p{L}\p{M}'’]{2,}$/u;
const DIGITS_AT_END = /(?<!\d)\d+$/;

/** Returns undefined unless the local part has several words: `lbrandt@` and `info@` contain no name. */
export function guessName(email: string): PersonName | undefined {
  const [local = ''] = email.split('@', 1);
  const [account = ''] = local.split('+', 1);
  const parts = splitAccount(account.replace(DIGITS_AT_END, ''));
  const isName = parts.length > 1 && parts.length <= 4 && parts.every((part) => WORD.test(part.replaceAll('-', '')));
  if (!email.includes('@') || !isName) return undefined;
  const names = parts.map(capitalize);
  return { firstName: names.slice(0, -1).join(' '), lastName: names.at(-1) ?? '' };
}

/** Splits at dots or underscores, otherwise at hyphens, which also occur in names: `anna-maria.ruiz`. */
function splitAccount(account: string): string[] {
  const parts = account.split(/[._]/);
  return parts.length > 1 ? parts : account.split('-');
}

const capitalize = (name: string): string => name.replace(/(?<=^|-)./gu, (letter) => letter.toLocaleUpperCase('en'));
