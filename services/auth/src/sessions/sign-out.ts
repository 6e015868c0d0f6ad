import { notFound } from '@atrium/service-kit/errors/app-error';
import type { Caller } from '@atrium/service-kit/http/authenticate';
import { lockAccount } from '../accounts/account-repository.ts';
import type { Deps } from '../deps.ts';
import { appendSessionsRevoked, endSessionsForSecurity } from './end-sessions.ts';
import { assertOpenSession, deleteSession } from './session-repository.ts';

/** Access tokens are revoked on every pod by the event. */
export async function endSession({ db, revocations }: Deps, { sessionId, userId }: Caller): Promise<void> {
  const reason = 'logout';
  await db.transaction(async (tx) => {
    await deleteSession(tx, { id: sessionId, userId, reason });
    await appendSessionsRevoked(tx, [sessionId], { userId, reason, actorId: userId });
  });
  revocations.add(sessionId);
}

export async function revokeSession({ db, revocations }: Deps, { userId }: Caller, sessionId: string): Promise<void> {
  const reason = 'signed-out';
  await db.transaction(async (tx) => {
    if (!(await deleteSession(tx, { id: sessionId, userId, reason }))) throw notFound('Session');
    await appendSessionsRevoked(tx, [sessionId], { userId, reason, actorId: userId });
  });
  revocations.add(sessionId);
}

export async function signOutEverywhere({ db, revocations }: Deps, { userId }: Caller): Promise<void> {
  const endedIds = await db.transaction((tx) =>
    endSessionsForSecurity(tx, { userId, reason: 'signed-out-everywhere', actorId: userId }),
  );
  for (const id of endedIds) revocations.add(id);
}

export async function endUserSessions({ db, directory, revocations }: Deps, caller: Caller, userId: string) {
  const endedIds = await db.transaction(async (tx) => {
    await assertOpenSession(tx, caller);
    if (!(await lockAccount(tx, userId)) || directory.user(userId)?.deleted) throw notFound('User');
    return endSessionsForSecurity(tx, { userId, reason: 'ended-by-administrator', actorId: caller.userId });
  });
  for (const id of endedIds) revocations.add(id);
}
