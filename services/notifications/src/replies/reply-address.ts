import { createHmac, timingSafeEqual } from 'node:crypto';

export type ReplyTo = { userId: string; calendarId: string };

const ID_BYTES = 12;
/** Of the proof: 80 bits, which nobody guesses by mail. With the id the part behind the plus has 36 characters, of the 64 that there may be. */
const PROOF_BYTES = 10;
const LETTERS = 'abcdefghijklmnopqrstuvwxyz234567';

/**
 * The address to which one person's answers about one meeting go: `calendar+<code>@…`. Whoever writes there has their invitation, which no
 * sender's address proves. The code says whose it is, and proves that and the meeting with a key of ours.
 */
export function replyAddress(base: string, key: Uint8Array, to: ReplyTo): string {
  const [local, domain] = splitAddress(base);
  return `${local}+${encode(Buffer.concat([Buffer.from(to.userId, 'hex'), proofOf(key, to)]))}@${domain}`;
}

/** The codes in addresses that came in the head of a mail. */
export function findCodes(base: string, addresses: string): string[] {
  const [local, domain] = splitAddress(base);
  const form = new RegExp(`${escaped(local)}\\+([a-z2-7]{36})@${escaped(domain)}`, 'gi');
  return [...new Set([...addresses.matchAll(form)].map(([, code = '']) => code.toLowerCase()))];
}

/** Whose answers a code is for, where one of the keys has made it for this meeting; else undefined. */
export function readCode(code: string, keys: readonly Uint8Array[], calendarId: string): string | undefined {
  const bytes = decode(code);
  if (bytes.length !== ID_BYTES + PROOF_BYTES) return undefined;
  const userId = bytes.subarray(0, ID_BYTES).toString('hex');
  const proof = bytes.subarray(ID_BYTES);
  return keys.some((key) => timingSafeEqual(proofOf(key, { userId, calendarId }), proof)) ? userId : undefined;
}

const escaped = (text: string) => text.replaceAll(/[^\w@-]/g, '\\$&');

const splitAddress = (address: string): [local: string, domain: string] => {
  const at = address.lastIndexOf('@');
  return [address.slice(0, at), address.slice(at + 1)];
};

const proofOf = (key: Uint8Array, { userId, calendarId }: ReplyTo) =>
  createHmac('sha256', key).update(`calendar reply ${userId} ${calendarId}`).digest().subarray(0, PROOF_BYTES);

/** Base32 (RFC 4648) in small letters: mail servers may forget which letters were large. */
function encode(bytes: Buffer): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  return (bits.match(/.{1,5}/g) ?? []).map((five) => LETTERS[Number.parseInt(five.padEnd(5, '0'), 2)]).join('');
}

function decode(code: string): Buffer {
  const bits = [...code].map((letter) => LETTERS.indexOf(letter).toString(2).padStart(5, '0')).join('');
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}
