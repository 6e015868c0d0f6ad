import { toNormalForm } from './normal-form.ts';
import { hasVisibleText, stripInvisible } from './normalize.ts';

const MAX_LOCAL_OCTETS = 64;
const MAX_OCTETS = 254;
const MAILTO = 'mailto:';
/** Ends and begins of what stands around an address that is pasted out of a sentence or a list. */
const BEFORE = /[\p{White_Space}\p{Ps}\p{Pi},;:<]/u;
const AFTER = /[\p{White_Space}\p{P}<>]/u;
const QUOTED_LOCAL = /^"([^"\\]*)"(?=@)/;
const QUOTES = /["'`]/;
/** A `Dot-string` of RFC 5321 (4.1.2), with the letters and pictographs that RFC 6531 adds. */
const LOCAL =
  /^[a-z0-9!#$%&'*+/=?^_`{|}~\-\p{L}\p{M}\p{N}\p{Sk}\p{So}]+(?:\.[a-z0-9!#$%&'*+/=?^_`{|}~\-\p{L}\p{M}\p{N}\p{Sk}\p{So}]+)*$/u;
const LABEL = /^(?!-)[a-z0-9-]{1,63}(?<!-)$/;
const NOT_IN_DOMAIN = /[^\p{L}\p{M}\p{N}.\u3002\uff61-]/u;

const octets = (text: string) => new TextEncoder().encode(text).length;

/**
 * The one address in a text as people paste it (`Name <lena@example.org>`, `mailto:…`, with brackets, quotes, or invisible characters), in
 * the form in which addresses are stored and compared: NFKC, lower case, its domain in ASCII (UTS #46). Undefined where there is none that
 * a mail server accepts (RFC 5321, 4.1.2; RFC 6531).
 */
export function readEmailAddress(text: string): string | undefined {
  const address = readOnce(text);
  // Whoever signs in types the stored form: it must be read as itself.
  return address !== undefined && readOnce(address) === address ? address : undefined;
}

function readOnce(text: string): string | undefined {
  // A link is decoded before its characters are folded: percent codes may stand for invisible and fullwidth ones.
  const address = trimAround(foldForm(withoutMailto(insideBrackets(foldForm(text)))));
  const [given = '', host = '', ...more] = address.replace(QUOTED_LOCAL, '$1').split('@');
  const local = foldForm(given.toLowerCase());
  const domain = readDomain(host);
  const canonical = `${local}@${domain}`;
  const isValid = more.length === 0 && domain !== undefined && LOCAL.test(local);
  return isValid && octets(local) <= MAX_LOCAL_OCTETS && octets(canonical) <= MAX_OCTETS ? canonical : undefined;
}

/** In NFKC and without invisible characters, which are never part of an address (UTS #46, 4). */
const foldForm = (text: string): string => stripInvisible(toNormalForm(stripInvisible(text), 'NFKC'));

/** `Name <address>` and `<address>`, of one pair of brackets; several would be several addresses. */
function insideBrackets(text: string): string {
  const start = text.indexOf('<');
  const end = text.indexOf('>', start);
  return start >= 0 && end > start && text.indexOf('<', start + 1) < 0 ? text.slice(start + 1, end) : text;
}

function withoutMailto(text: string): string {
  const start = text.toLowerCase().indexOf(MAILTO);
  if (start < 0) return text;
  const [address = ''] = text.slice(start + MAILTO.length).split(/[?\s\])>]/, 1);
  try {
    return decodeURIComponent(address);
  } catch {
    return address;
  }
}

/** Scans from the ends, once. */
function trimAround(text: string): string {
  let [start, end] = [0, text.length];
  while (start < end && BEFORE.test(text.charAt(start))) start += 1;
  while (end > start && AFTER.test(text.charAt(end - 1))) end -= 1;
  // A quotation mark may begin the local part, but not one whose partner followed the domain.
  const isQuoted = start < end && text.charAt(start) === text.charAt(end) && QUOTES.test(text.charAt(start));
  return text.slice(isQuoted ? start + 1 : start, end);
}

/** A domain of at least two labels, in ASCII. */
function readDomain(host: string): string | undefined {
  if (!hasVisibleText(host) || NOT_IN_DOMAIN.test(host) || host.length > MAX_OCTETS) return undefined;
  const url = `https://${host}`;
  if (!URL.canParse(url)) return undefined;
  const { hostname } = new URL(url);
  const labels = hostname.split('.');
  const isNumeric = /^\d+$/.test(labels.at(-1) ?? '');
  return labels.length > 1 && !isNumeric && hostname.length <= 253 && labels.every((label) => LABEL.test(label))
    ? hostname
    : undefined;
}
