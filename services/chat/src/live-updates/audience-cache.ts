import { createHash } from 'node:crypto';
import type { Audience } from '@atrium/proto-events/live-updates/live-update';

/** Stores each distinct list of user ids once, as a joined string: all updates of a meeting share theirs. */
type AudienceCache = {
  intern(audience: Audience): Audience<string>;
  /** Must be called once for every interned audience. */
  release(audience: Audience<string>): void;
  bytes(): number;
};

/** V8 hashes longer strings by their length alone, so those of equal length would all collide. */
const MAX_HASHED_LENGTH = 16_383;

const toKey = (users: string) =>
  users.length > MAX_HASHED_LENGTH ? createHash('sha256').update(users).digest('base64') : users;

export function createAudienceCache(): AudienceCache {
  const entries = new Map<string, { users: string; references: number }>();
  let bytes = 0;
  return {
    intern(audience) {
      if (audience === 'everyone') return audience;
      const users = audience.users.join();
      const key = toKey(users);
      const entry = entries.get(key) ?? { users, references: 0 };
      if (entry.references === 0) bytes += users.length;
      entry.references += 1;
      entries.set(key, entry);
      return { ...audience, users: entry.users };
    },
    release(audience) {
      if (audience === 'everyone') return;
      const key = toKey(audience.users);
      const entry = entries.get(key);
      if (!entry) return;
      entry.references -= 1;
      if (entry.references > 0) return;
      entries.delete(key);
      bytes -= audience.users.length;
    },
    bytes: () => bytes,
  };
}
