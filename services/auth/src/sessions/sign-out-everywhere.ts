import type { Caller } from '@atrium/service-kit/http/authenticate';
import type { Deps } from '../deps.ts';
import { endSessions } from './end-sessions.ts';
import { recordAccountSecured } from './record-account-secured.ts';

export async function signOutEverywhere({ db, revocations }: Deps, { userId }: Caller): Promise<void> {
  const ended = await db.transaction(async (tx) => {
    await recordAccountSecured(tx, { userId, reason: 'signed-out-everywhere', actorId: userId });
    return endSessions(tx, { userId, reason: 'signed-out-everywhere', actorId: userId });
  });
  for (const id of ended) revocations.add(id);
}
