import { documentShared, documentUpdated } from '@atrium/proto-events/events/documents';
import type { Document } from '@atrium/proto-events/http/documents';
import { requireActivePeople } from '@atrium/service-kit/directory/active-people';
import { AppError, notFound } from '@atrium/service-kit/http/app-error';
import type { Caller } from '@atrium/service-kit/http/authenticate';
import { appendEvent } from '@atrium/service-kit/messaging/outbox';
import type { Deps } from '../deps.ts';
import { documentFacts, findAudience, joinAudiences } from './audience.ts';
import { changeDocument, insertGrants, lockReadable, removeGrants } from './document-repository.ts';
import { mayManage, UNSHARE_REFUSED } from './policy.ts';
import { presentDocument } from './present-document.ts';

type Shares = { id: string; userIds: readonly string[] };

/** Answers carry everybody a document is shared with, so that number has a bound. */
const MOST_SHARES = 500;

const SHARED_WITH = { field: 'userIds', message: 'Documents can be shared with active users only' };

/** Lets people read a document; whoever can read it may do so, and those it was shared with already are not told again. */
export async function shareDocument(deps: Deps, caller: Caller, { id, userIds }: Shares): Promise<Document> {
  return deps.db.transaction(async (tx) => {
    const before = await lockReadable(tx, caller, id);
    if (!before) throw notFound('Document');
    requireActivePeople(deps.directory, userIds, SHARED_WITH);
    const known = new Set([before.uploaded_by, ...before.shared_with]);
    const added = [...new Set(userIds)].filter((userId) => !known.has(userId));
    if (added.length === 0) return presentDocument(deps, caller, before);
    if (before.shared_with.length + added.length > MOST_SHARES) {
      throw new AppError('conflict', `A document can be shared with at most ${MOST_SHARES} people`);
    }
    await insertGrants(tx, id, { userIds: added, grantedBy: caller.userId });
    const after = await changeDocument(tx, id, {});
    await appendEvent(tx, {
      event: documentShared,
      data: { ...documentFacts(after, await findAudience(tx, after)), sharedWith: added },
      aggregate: id,
      actorId: caller.userId,
    });
    return presentDocument(deps, caller, after);
  });
}

/** Takes shares back. */
export async function unshareDocument(deps: Deps, caller: Caller, { id, userIds }: Shares): Promise<void> {
  await deps.db.transaction(async (tx) => {
    const before = await lockReadable(tx, caller, id);
    if (!before) throw notFound('Document');
    if (!mayManage(caller, before)) throw new AppError('forbidden', UNSHARE_REFUSED);
    const removed = before.shared_with.filter((userId) => userIds.includes(userId));
    if (removed.length === 0) return;
    const audienceBefore = await findAudience(tx, before);
    await removeGrants(tx, id, removed);
    const after = await changeDocument(tx, id, {});
    const audience = joinAudiences(audienceBefore, await findAudience(tx, after));
    await appendEvent(tx, {
      event: documentUpdated,
      data: { ...documentFacts(after, audience), changed: ['sharedWith'] },
      aggregate: id,
      actorId: caller.userId,
    });
  });
}
