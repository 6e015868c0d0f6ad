import { hasVisibleText } from '@atrium/proto-events/text/normalize';
import type { ListedPerson } from './invite-row.ts';
import { parseName } from './person-name.ts';

const LINE_BREAK = /\r\n?|[\n\u2028\u2029]/;
const IN_BRACKETS = /<([^<>]*)>/g;
/** A quoted address, as in a single column saved by a spreadsheet. */
const QUOTED = /^"(.*)"$/;
const SPACES = /\p{White_Space}+/u;

/** Parses a list of addresses. Text without an address becomes a row with an invalid one, so that nothing is lost. */
export function parseAddressList(text: string): ListedPerson[] {
  return text
    .split(LINE_BREAK)
    .flatMap((line) => splitOutsideQuotes(line, ';'))
    .flatMap(parseSegment);
}

export const listedPerson = (fields: Partial<ListedPerson>): ListedPerson => ({
  email: '',
  firstName: '',
  lastName: '',
  role: '',
  department: '',
  ...fields,
});

/** Splits a line at separators outside quotes. An unclosed quotation mark is plain text. */
function splitOutsideQuotes(line: string, separator: string): string[] {
  const parts: string[] = [];
  let start = 0;
  let isQuoted = false;
  for (let at = 0; at < line.length; at += 1) {
    if (line[at] === '"') isQuoted = !isQuoted && line.includes('"', at + 1);
    if (isQuoted || line[at] !== separator) continue;
    parts.push(line.slice(start, at));
    start = at + 1;
  }
  return [...parts, line.slice(start)];
}

function parseSegment(segment: string): ListedPerson[] {
  const people: ListedPerson[] = [];
  let end = 0;
  for (const match of segment.matchAll(IN_BRACKETS)) {
    people.push(...parseNamed(segment.slice(end, match.index), match[1] ?? ''));
    end = match.index + match[0].length;
  }
  return [...people, ...parseParts(segment.slice(end))];
}

/** Parses the text before an address in brackets: its name, and other people without brackets. */
function parseNamed(before: string, email: string): ListedPerson[] {
  const parts = splitOutsideQuotes(before, ',').filter(hasVisibleText);
  const otherPeople = parts.filter((part) => part.includes('@'));
  const name = parts.filter((part) => !part.includes('@')).join(',');
  return [...otherPeople.flatMap(parsePart), listedPerson({ email: email.trim(), ...parseName(name) })];
}

const parseParts = (text: string): ListedPerson[] =>
  splitOutsideQuotes(text, ',').filter(hasVisibleText).flatMap(parsePart);

function parsePart(part: string): ListedPerson[] {
  const words = part.trim().split(SPACES);
  const emails = words.filter((word) => word.includes('@')).map((word) => word.replace(QUOTED, '$1'));
  if (emails.length === 0) return [listedPerson({ email: part.trim() })];
  if (emails.length > 1) return emails.map((email) => listedPerson({ email }));
  const name = words.filter((word) => !word.includes('@')).join(' ');
  return emails.map((email) => listedPerson({ email, ...parseName(name) }));
}
