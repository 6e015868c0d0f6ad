import { documentUpdated } from '@atrium/proto-events/events/documents';
import { userDeparted } from '@atrium/proto-events/events/users';
import { appendEvent } from '@atrium/service-kit/messaging/outbox';
import { on } from '@atrium/service-kit/messaging/subscription';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import { documentFacts, findAudience } from '../documents/audience.ts';
import { changeDocument, findDocument } from '../documents/document-repository.ts';
import { removeGrantsOf } from './grant-repository.ts';

/** Removes every share with a deactivated or deleted user; their uploads stay. */
export const removeDepartedReader = on(userDeparted, async ({ data: { userId }, actorId }, tx) => {
  for (const id of await removeGrantsOf(tx, userId)) await publishUnshared(tx, { id, actorId });
});

type Unshared = { id: string; actorId: string | null };

async function publishUnshared(tx: Queryable, { id, actorId }: Unshared): Promise<void> {
  // Documents in the trash publish no events.
  if (!(await findDocument(tx, id))) return;
  const after = await changeDocument(tx, id, {});
  await appendEvent(tx, {
    event: documentUpdated,
    data: { ...documentFacts(after, await findAudience(tx, after)), changed: ['sharedWith'] },
    aggregate: id,
    actorId,
  });
}
