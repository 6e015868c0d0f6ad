import { isDeepStrictEqual } from 'node:util';
import { visibleName } from '@atrium/object-store/file-names/visible-name';
import { documentUpdated } from '@atrium/proto-events/events/documents';
import type { Document, updateDocumentBody } from '@atrium/proto-events/http/documents';
import { AppError, invalidField, notFound } from '@atrium/service-kit/errors/app-error';
import type { Caller } from '@atrium/service-kit/http/authenticate';
import { assertVersion } from '@atrium/service-kit/http/optimistic-locking';
import { appendEvent } from '@atrium/service-kit/messaging/outbox';
import type { z } from 'zod';
import type { Deps } from '../deps.ts';
import { documentFacts, findAudience, joinAudiences } from './audience.ts';
import { changeDocument, type DocumentChange, type DocumentRow, lockReadable } from './document-repository.ts';
import { canManage, EDIT_DENIED } from './policy.ts';
import { presentDocument } from './present-document.ts';

type Body = z.output<typeof updateDocumentBody>;

/** Users who lose access are notified by the event. */
export async function updateDocument(
  deps: Deps,
  caller: Caller,
  { id, body }: { id: string; body: Body },
): Promise<Document> {
  return deps.db.transaction(async (tx) => {
    const before = await lockReadable(tx, caller, id);
    if (!before) throw notFound('Document');
    if (!canManage(caller, before)) throw new AppError('forbidden', EDIT_DENIED);
    const present = () => presentDocument(deps, caller, before);
    assertVersion(before, { version: body.version, what: 'this document', present });
    const change = toChange(before, body);
    const changed = Object.keys(change);
    if (changed.length === 0) return presentDocument(deps, caller, before);
    const audienceBefore = await findAudience(tx, before);
    const after = await changeDocument(tx, id, change);
    const audience = joinAudiences(audienceBefore, await findAudience(tx, after));
    await appendEvent(tx, {
      event: documentUpdated,
      data: { ...documentFacts(after, audience), changed },
      aggregate: id,
      actorId: caller.userId,
    });
    return presentDocument(deps, caller, after);
  });
}

/** Includes only fields that change. */
function toChange(before: DocumentRow, { name: given, description, visibility, tags }: Body): DocumentChange {
  const name = given === undefined ? undefined : visibleName(given);
  if (name === '') throw invalidField('name', 'Document name is required');
  const requested = { name, description, visibility, tags };
  const now: Record<string, unknown> = before;
  return Object.fromEntries(
    Object.entries(requested).filter(
      ([column, value]) => value !== undefined && !isDeepStrictEqual(value, now[column]),
    ),
  );
}
