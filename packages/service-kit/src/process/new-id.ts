import { createHash, randomBytes } from 'node:crypto';

/** 24 lowercase hexadecimal characters that sort by creation time in seconds. */
export function newId(): string {
  const seconds = Math.floor(Date.now() / 1000);
  return seconds.toString(16).padStart(8, '0') + randomBytes(8).toString('hex');
}

/** Allows for event delivery and clock skew. */
const RECENT_SECONDS = 30;

/** Whether an id was created recently, so that its entity may not have arrived here yet. */
export function isRecentId(id: string): boolean {
  const ageSeconds = Date.now() / 1000 - Number.parseInt(id.slice(0, 8), 16);
  return Math.abs(ageSeconds) <= RECENT_SECONDS;
}

export const deterministicId = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 24);

/** UUID version 8 (RFC 9562). */
export function deterministicUuid(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20, 32)].join(
    '-',
  );
}
