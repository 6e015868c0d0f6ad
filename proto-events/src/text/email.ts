import { toNormalForm } from './normal-form.ts';
import { hasVisibleText, stripInvisible } from './normalize.ts';
import { decodeEntities, findAddress, insideBrackets, trimAround, withoutComments } from './pasted-address.ts';

const MAX_LOCAL_OCTETS = 64;
const MAX_OCTETS = 254;
const MAILTO = 'mailto:';
const QUOTED_LOCAL = /^"([^"\\]*)"(?=@)/;
/** A `Dot-string` of RFC 5321 (4.1.2), with the letters and pictographs that RFC 6531 adds. */
const LOCAL =
  /^[a-z0-9!#$%&'*+/=?^_`{|}~\-\p{L}\p{M}\p{N}\p{Sk}\p{So}]+(?:\.[a-z0-9!#$%&'*+/=?^_`{|}~\-\p{L}\p{M}\p{N}\p{Sk}\p{So}]+)*$/u;
const LABEL = /^(?!-)[a-z0-9-]{1,63}(?<!-)$/;
const NOT_IN_DOMAIN = /[^\p{L}\p{M}\p{N}.\u3002\uff61-]/u;

const countOctets = (text: string) => new TextEncoder().encode(text).length;

/**
 * Returns the address in the form that is stored and compared: NFKC, lowercase, domain in ASCII (UTS #46). Accepts
 * `Name <lena@example.org>`, `mailto:…`, brackets, quotes, emphasis, names, comments, and invisible characters. Returns
 * undefined unless there is exactly one address that a mail server accepts (RFC 5321, 4.1.2; RFC 6531).
 */
export function parseEmailAddress(text: string): string | undefined {
  const address = parseOnce(text);
  // The stored form must parse to itself, since users sign in with it.
  return address !== undefined && parseOnce(address) === address ? address : undefined;
}

function parseOnce(text: string): string | undefined {
  const decoded = foldForm(decodeEntities(text));
  // Percent codes are decoded before folding, since they may encode invisible and fullwidth characters.
  const address = parseAddress(trimAround(foldForm(withoutMailto(insideBrackets(decoded)))));
  if (address !== undefined) return address;
  const embedded = findAddress(withoutComments(decoded));
  return embedded === undefined ? undefined : parseAddress(embedded);
}

function parseAddress(address: string): string | undefined {
  const [rawLocal = '', host = '', ...otherParts] = address.replace(QUOTED_LOCAL, '$1').split('@');
  const local = lowerCase(rawLocal);
  const domain = parseDomain(host);
  const canonical = `${local}@${domain}`;
  const isValid = otherParts.length === 0 && domain !== undefined && LOCAL.test(local);
  return isValid && countOctets(local) <= MAX_LOCAL_OCTETS && countOctets(canonical) <= MAX_OCTETS
    ? canonical
    : undefined;
}

/** Folds compatibility forms, and strips invisible characters, which are never part of an address (UTS #46, 4). */
const foldForm = (text: string): string => stripInvisible(toNormalForm(stripInvisible(text), 'NFKC'));

const FINAL_SIGMA = /[σς](?![\p{L}\p{M}])/gu;

const lowerCase = (local: string): string =>
  foldForm(local.toLowerCase()).replaceAll('ς', 'σ').replace(FINAL_SIGMA, 'ς');

export function isSameEmail(a: string, b: string): boolean {
  const address = parseEmailAddress(a);
  return address !== undefined && address === parseEmailAddress(b);
}

export function mailtoUri(address: string): string {
  const at = address.lastIndexOf('@');
  const local = encodeURIComponent(address.slice(0, Math.max(at, 0)));
  const domain = encodeURIComponent(address.slice(at + 1));
  return `mailto:${local.replaceAll('%2B', '+')}@${domain}`;
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

function parseDomain(host: string): string | undefined {
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
