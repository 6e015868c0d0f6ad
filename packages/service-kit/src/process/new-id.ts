import { createHash, randomBytes } from 'node:crypto';

/** A new resource id: 24 lower-case hexadecimal characters that sort by the second they were made in (decisions, section 1). */
export function newId(): string {
  const seconds = Math.floor(Date.now() / 1000);
  return seconds.toString(16).padStart(8, '0') + randomBytes(8).toString('hex');
}

/** Long enough for an event to travel, and for clocks that differ a little. */
const RECENT_SECONDS = 30;

/** Whether an id of `newId` was made a moment ago, so that what it names may not have arrived here yet. */
export function isRecentId(id: string): boolean {
  const ageSeconds = Date.now() / 1000 - Number.parseInt(id.slice(0, 8), 16);
  return Math.abs(ageSeconds) <= RECENT_SECONDS;
}

/** An id made from a text: who has to find it again, or says the same once more, makes the same one. */
export const deterministicId = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 24);
