import { createHash, randomBytes } from 'node:crypto';

/** A new resource id: 24 lower-case hexadecimal characters that sort by the second they were made in (decisions, section 1). */
export function newId(): string {
  const seconds = Math.floor(Date.now() / 1000);
  return seconds.toString(16).padStart(8, '0') + randomBytes(8).toString('hex');
}

/** An id made from a text: who has to find it again, or says the same once more, makes the same one. */
export const repeatableId = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 24);
