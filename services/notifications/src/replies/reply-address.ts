import { createHmac, timingSafeEqual } from 'node:crypto';

type ReplyTarget = { userId: string; calendarId: string };

const ID_BYTES = 12;
/** 80 bits: encoded with the id, 36 characters of the 64 that the local part of an address may have. */
const SIGNATURE_BYTES = 10;
const LETTERS = 'abcdefghijklmnopqrstuvwxyz234567';

/**
 * The address for one user's replies about one meeting: `calendar+<code>@…`. The code contains the user id and a
 * signature over user and meeting: it proves that the sender has the invitation, which a sender address does not.
 */
export function replyAddress(base: string, key: Uint8Array, target: ReplyTarget): string {
  const [local, domain] = splitAddress(base);
  return `${local}+${encode(Buffer.concat([Buffer.from(target.userId, 'hex'), sign(key, target)]))}@${domain}`;
}

export function findCodes(base: string, addresses: string): string[] {
  const [local, domain] = splitAddress(base);
  const pattern = new RegExp(`${escapeRegExp(local)}\\+([a-z2-7]{36})@${escapeRegExp(domain)}`, 'gi');
  return [...new Set([...addresses.matchAll(pattern)].map(([, code = '']) => code.toLowerCase()))];
}

/** Returns the user id of a code that one of the keys has signed for this meeting; undefined otherwise. */
export function verifyCode(code: string, keys: readonly Uint8Array[], calendarId: string): string | undefined {
  const bytes = decode(code);
  if (bytes.length !== ID_BYTES + SIGNATURE_BYTES) return undefined;
  const userId = bytes.subarray(0, ID_BYTES).toString('hex');
  const signature = bytes.subarray(ID_BYTES);
  return keys.some((key) => timingSafeEqual(sign(key, { userId, calendarId }), signature)) ? userId : undefined;
}

const escapeRegExp = (text: string) => text.replaceAll(/[^\w@-]/g, '\\$&');

const splitAddress = (address: string): [local: string, domain: string] => {
  const separator = address.lastIndexOf('@');
  return [address.slice(0, separator), address.slice(separator + 1)];
};

const sign = (key: Uint8Array, { userId, calendarId }: ReplyTarget) =>
  createHmac('sha256', key).update(`calendar reply ${userId} ${calendarId}`).digest().subarray(0, SIGNATURE_BYTES);

/** Base32 (RFC 4648) in lower case: mail servers may not preserve case. */
function encode(bytes: Buffer): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  return (bits.match(/.{1,5}/g) ?? []).map((group) => LETTERS[Number.parseInt(group.padEnd(5, '0'), 2)]).join('');
}

function decode(code: string): Buffer {
  const bits = [...code].map((letter) => LETTERS.indexOf(letter).toString(2).padStart(5, '0')).join('');
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}
