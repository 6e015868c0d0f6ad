import { documentDeleted } from '@atrium/proto-events/events/documents';
import { AppError, notFound } from '@atrium/service-kit/http/app-error';
import type { Caller } from '@atrium/service-kit/http/authenticate';
import { appendEvent } from '@atrium/service-kit/messaging/outbox';
import type { Deps } from '../deps.ts';
import { documentFacts, findAudience } from './audience.ts';
import { lockReadable, removeDocument } from './document-repository.ts';
import { DELETE_REFUSED, mayManage } from './policy.ts';

/** Deletes the record at once; its objects follow as soon as the object store agrees, which may be later. */
export async function deleteDocument({ db, remover }: Deps, caller: Caller, id: string): Promise<void> {
  await db.transaction(async (tx) => {
    const document = await lockReadable(tx, caller, id);
    if (!document) throw notFound('Document');
    if (!mayManage(caller, document)) throw new AppError('forbidden', DELETE_REFUSED);
    const audience = await findAudience(tx, document);
    await removeDocument(tx, id);
    await appendEvent(tx, {
      event: documentDeleted,
      data: documentFacts({ ...document, version: document.version + 1 }, audience),
      aggregate: id,
      actorId: caller.userId,
    });
  });
  remover.wake();
}
