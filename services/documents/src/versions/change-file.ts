import { documentUpdated } from '@atrium/proto-events/events/documents';
import type { Caller } from '@atrium/service-kit/http/authenticate';
import { appendEvent } from '@atrium/service-kit/messaging/outbox';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import { documentFacts, findAudience } from '../documents/audience.ts';
import { changeDocument, type DocumentRow } from '../documents/document-repository.ts';
import { type FileFacts, insertVersion } from './version-repository.ts';

type Change = { caller: Caller; document: DocumentRow; file: FileFacts; restoredFrom?: number };

/** Replaces the file of a locked document with a new version and publishes the change. */
export async function changeFile(tx: Queryable, { caller, document, file, restoredFrom }: Change): Promise<void> {
  const number = document.file_number + 1;
  const { objectKey: object_key, extension, mimetype, size, sha256 } = file;
  await insertVersion(tx, { documentId: document.id, number, uploadedBy: caller.userId, file, restoredFrom });
  const after = await changeDocument(tx, document.id, {
    object_key,
    extension,
    mimetype,
    size,
    sha256,
    file_number: number,
  });
  await appendEvent(tx, {
    event: documentUpdated,
    data: { ...documentFacts(after, await findAudience(tx, after)), changed: ['file'] },
    aggregate: document.id,
    actorId: caller.userId,
  });
}
