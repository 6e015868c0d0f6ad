import { createHash } from 'node:crypto';
import type { Audience } from './audience.ts';

/** Keeps who was told as texts, each list of people once: those of a meeting are the same with every answer to it. */
export type AudienceCache = {
  keep(audience: Audience): Audience<string>;
  /** One that was kept is not needed any more. */
  release(audience: Audience<string>): void;
  bytes(): number;
};

/** V8 tells longer texts apart by their length alone: those of one length would be compared with each other, letter by letter. */
const MOST_HASHED = 16_383;

const keyOf = (users: string) =>
  users.length > MOST_HASHED ? createHash('sha256').update(users).digest('base64') : users;

export function createKeptAudiences(): AudienceCache {
  const kept = new Map<string, { users: string; uses: number }>();
  let bytes = 0;
  return {
    keep(audience) {
      if (audience === 'everyone') return audience;
      const users = audience.users.join();
      const key = keyOf(users);
      const known = kept.get(key) ?? { users, uses: 0 };
      if (known.uses === 0) bytes += users.length;
      known.uses += 1;
      kept.set(key, known);
      return { ...audience, users: known.users };
    },
    release(audience) {
      if (audience === 'everyone') return;
      const key = keyOf(audience.users);
      const known = kept.get(key);
      if (!known) return;
      known.uses -= 1;
      if (known.uses > 0) return;
      kept.delete(key);
      bytes -= audience.users.length;
    },
    bytes: () => bytes,
  };
}
