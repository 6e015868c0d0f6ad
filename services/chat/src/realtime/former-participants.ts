import type { Db } from '@atrium/service-kit/postgres/postgres';
import { listFormerParticipants } from '../conversations/participant-repository.ts';

const MAX_CACHED_CONVERSATIONS = 10_000;

/** Users who recently left a conversation and must not receive what was committed since. */
export type FormerParticipants = {
  /** `version`: the conversation's, as read under its lock. The database is queried only if it differs from the cached one. */
  list(conversationId: string, version?: number | null): Promise<string[]>;
};

export function createFormerParticipants(db: Db): FormerParticipants {
  const cache = new Map<string, { version: number; userIds: string[] }>();
  return {
    async list(conversationId, version) {
      const cached = cache.get(conversationId);
      if (version != null && cached?.version === version) return cached.userIds;
      // Queried after this version was committed, so the result includes everyone who left with it.
      const userIds = await listFormerParticipants(db, conversationId);
      if (version == null) return userIds;
      cache.delete(conversationId);
      cache.set(conversationId, { version, userIds });
      const [oldest] = cache.keys();
      if (cache.size > MAX_CACHED_CONVERSATIONS && oldest !== undefined) cache.delete(oldest);
      return userIds;
    },
  };
}
