import { documentDeleted } from '@atrium/proto-events/events/documents';
import { AppError, notFound } from '@atrium/service-kit/errors/app-error';
import type { Caller } from '@atrium/service-kit/http/authenticate';
import { appendEvent } from '@atrium/service-kit/messaging/outbox';
import type { Deps } from '../deps.ts';
import { moveToTrash } from '../trash/trash-repository.ts';
import { documentFacts, findAudience } from './audience.ts';
import { lockReadable } from './document-repository.ts';
import { canManage, DELETE_DENIED } from './policy.ts';

/** Moves a document to the trash, from where its uploader and administrators can restore it. */
export async function deleteDocument({ db }: Deps, caller: Caller, id: string): Promise<void> {
  await db.transaction(async (tx) => {
    const document = await lockReadable(tx, caller, id);
    if (!document) throw notFound('Document');
    if (!canManage(caller, document)) throw new AppError('forbidden', DELETE_DENIED);
    const audience = await findAudience(tx, document);
    await moveToTrash(tx, id, caller.userId);
    await appendEvent(tx, {
      event: documentDeleted,
      data: documentFacts({ ...document, version: document.version + 1 }, audience),
      aggregate: id,
      actorId: caller.userId,
    });
  });
}
