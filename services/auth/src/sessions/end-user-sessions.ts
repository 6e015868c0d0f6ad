import { notFound } from '@atrium/service-kit/errors/app-error';
import type { Caller } from '@atrium/service-kit/http/authenticate';
import { lockAccount } from '../accounts/account-repository.ts';
import type { Deps } from '../deps.ts';
import { endSessions } from './end-sessions.ts';
import { recordAccountSecured } from './record-account-secured.ts';
import { requireOpenSession } from './require-open-session.ts';

export async function endUserSessions({ db, directory, revocations }: Deps, caller: Caller, userId: string) {
  const ended = await db.transaction(async (tx) => {
    await requireOpenSession(tx, caller);
    if (!(await lockAccount(tx, userId)) || directory.user(userId)?.deleted) throw notFound('User');
    await recordAccountSecured(tx, { userId, reason: 'ended-by-administrator', actorId: caller.userId });
    return endSessions(tx, { userId, reason: 'ended-by-administrator', actorId: caller.userId });
  });
  for (const id of ended) revocations.add(id);
}
