import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Directory } from '@atrium/service-kit/directory/directory';
import type { ReplyTarget } from '../store/records.ts';

/** The address that receives replies, and the keys that sign it: the first signs, any of them verifies. */
export type Replies = { address: string; keys: readonly Uint8Array[] };

/** The first letter of a code is the index of its kind. */
const KINDS = ['calendar', 'task', 'conversation', 'thread'] as const satisfies ReplyTarget['kind'][];
const LETTERS = 'abcdefghijklmnopqrstuvwxyz234567';

export type SignedTarget = ReplyTarget & { userId: string };

const ID_BYTES = 12;
/** The end of a user id, which is random, finds the user. The signature is over the whole id. */
const USER_BYTES = 6;
/** 80 bits: each guess is an email. */
const SIGNATURE_BYTES = 10;
const CODE_BYTES = USER_BYTES + ID_BYTES + SIGNATURE_BYTES;
/** The letter of the kind, and the bytes in base32. */
const CODE_LENGTH = 46;

/** RFC 5321, section 4.5.3.1.1. */
const MAX_LOCAL_LENGTH = 64;
/** Of the local part of the address without a code, in characters. */
export const MAX_BASE_LENGTH = MAX_LOCAL_LENGTH - '+'.length - CODE_LENGTH;

/**
 * The address for one user's replies about one item: `calendar+<code>@…`. The code contains the kind and the id of the
 * item, and a signature over user, kind, and item: it proves that the sender has the email, which a sender address does
 * not. Undefined if replies are not read.
 */
export function createReplyAddress(replies: Replies | undefined, target: SignedTarget): string | undefined {
  const [key] = replies?.keys ?? [];
  if (!replies || !key) return undefined;
  const [local, domain] = splitAddress(replies.address);
  const { kind, id, userId } = target;
  const bytes = Buffer.concat([
    Buffer.from(userId, 'hex').subarray(-USER_BYTES),
    Buffer.from(id, 'hex'),
    sign(key, target),
  ]);
  return `${local}+${LETTERS[KINDS.indexOf(kind)]}${encode(bytes)}@${domain}`;
}

export function findCodes(base: string, addresses: string): string[] {
  const [local, domain] = splitAddress(base);
  const pattern = new RegExp(`${escapeRegExp(local)}\\+([a-z2-7]{46})@${escapeRegExp(domain)}`, 'gi');
  return [...new Set([...addresses.matchAll(pattern)].map(([, code = '']) => code.toLowerCase()))];
}

/** Returns the user and item of a code that one of the keys has signed; undefined otherwise. */
export function verifyCode(
  code: string,
  { keys, directory }: Pick<Replies, 'keys'> & { directory: Pick<Directory, 'users'> },
): SignedTarget | undefined {
  const kind = KINDS[LETTERS.indexOf(code.charAt(0))];
  const bytes = decode(code.slice(1));
  if (kind === undefined || bytes.length !== CODE_BYTES) return undefined;
  const userSuffix = bytes.subarray(0, USER_BYTES).toString('hex');
  const id = bytes.subarray(USER_BYTES, USER_BYTES + ID_BYTES).toString('hex');
  const signature = bytes.subarray(USER_BYTES + ID_BYTES);
  for (const { _id: userId } of directory.users()) {
    if (!userId.endsWith(userSuffix)) continue;
    const target = { kind, id, userId };
    if (keys.some((key) => timingSafeEqual(sign(key, target), signature))) return target;
  }
  return undefined;
}

const escapeRegExp = (text: string) => text.replaceAll(/[^\w@-]/g, '\\$&');

const splitAddress = (address: string): [local: string, domain: string] => {
  const separator = address.lastIndexOf('@');
  return [address.slice(0, separator), address.slice(separator + 1)];
};

const sign = (key: Uint8Array, { userId, kind, id }: SignedTarget) =>
  createHmac('sha256', key).update(`${kind} reply ${userId} ${id}`).digest().subarray(0, SIGNATURE_BYTES);

/** Base32 (RFC 4648) in lower case: mail servers may not preserve case. */
function encode(bytes: Buffer): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  return (bits.match(/.{1,5}/g) ?? []).map((group) => LETTERS[Number.parseInt(group.padEnd(5, '0'), 2)]).join('');
}

function decode(code: string): Buffer {
  const bits = [...code].map((letter) => LETTERS.indexOf(letter).toString(2).padStart(5, '0')).join('');
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}
