import type { Db } from '@atrium/service-kit/postgres/postgres';
import { listFormerParticipants } from '../conversations/participant-repository.ts';

/** Conversations of which this pod remembers who has left. */
const MOST_KNOWN = 10_000;

/** Who has left a conversation a while ago, and is to hear nothing of what was committed since. */
export type FormerParticipants = {
  /** With the version that a statement found while it held the conversation: asked only where people or name have changed since. */
  of(conversationId: string, version?: number | null): Promise<string[]>;
};

export function createDepartures(db: Db): FormerParticipants {
  const known = new Map<string, { version: number; left: string[] }>();
  return {
    async of(conversationId, version) {
      const last = known.get(conversationId);
      if (version != null && last?.version === version) return last.left;
      // After that version was there, so everybody who left with it is found.
      const left = await listFormerParticipants(db, conversationId);
      if (version == null) return left;
      known.delete(conversationId);
      known.set(conversationId, { version, left });
      const [oldest] = known.keys();
      if (known.size > MOST_KNOWN && oldest !== undefined) known.delete(oldest);
      return left;
    },
  };
}
