import { createHmac, timingSafeEqual } from 'node:crypto';
import type { NoticeKind } from '@atrium/proto-events/notices/kinds';
import { readUnsubscribeKinds, UNSUBSCRIBE_TOKEN } from '@atrium/proto-events/notices/unsubscribe-link';

type Target = { userId: string; kinds: readonly NoticeKind[] };

/** 160 bits: the token is the only credential of the request, and does not expire. */
const SIGNATURE_BYTES = 20;

/** Returns a token that turns off emails of these kinds for one user, and nothing else. */
export function createUnsubscribeToken({ userId, kinds }: Target, key: Uint8Array): string {
  return `${userId}-${kinds.join()}-${sign({ userId, kinds }, key).toString('hex')}`;
}

/** Returns what a token signed with one of the keys turns off; undefined if it is invalid. */
export function verifyUnsubscribeToken(token: string, keys: readonly Uint8Array[]): Target | undefined {
  const [, userId = '', , signature = ''] = UNSUBSCRIBE_TOKEN.exec(token) ?? [];
  const target = { userId, kinds: readUnsubscribeKinds(token) };
  const received = Buffer.from(signature, 'hex');
  if (target.kinds.length === 0 || received.length !== SIGNATURE_BYTES) return undefined;
  return keys.some((key) => timingSafeEqual(sign(target, key), received)) ? target : undefined;
}

const sign = ({ userId, kinds }: Target, key: Uint8Array) =>
  createHmac('sha256', key)
    .update(`unsubscribe ${userId} ${kinds.toSorted().join()}`)
    .digest()
    .subarray(0, SIGNATURE_BYTES);
