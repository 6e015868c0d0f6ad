import type { EventOf } from '@atrium/proto-events/event';
import type { userDeactivated } from '@atrium/proto-events/events/users';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import { appendDocumentUpdated } from '../documents/append-document-events.ts';
import { changeDocument, findDocument } from '../documents/document-repository.ts';
import { removeGrantsToUser } from './share-repository.ts';

type UserDeactivated = EventOf<typeof userDeactivated>;

export async function removeDeactivatedUser(
  { data: { userId }, actorId }: UserDeactivated,
  tx: Queryable,
): Promise<void> {
  for (const id of await removeGrantsToUser(tx, userId)) {
    // Documents in the trash publish no events.
    if (!(await findDocument(tx, id))) continue;
    const row = await changeDocument(tx, id, {});
    await appendDocumentUpdated(tx, { row, changed: ['sharedWith'], actorId });
  }
}
