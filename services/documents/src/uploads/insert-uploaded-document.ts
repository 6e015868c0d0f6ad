import { visibleName } from '@atrium/object-store/file-names/file-name';
import type { ReceivedFile } from '@atrium/object-store/uploads/receive-form-files';
import { documentUploaded } from '@atrium/proto-events/events/documents';
import { hasVisibleText } from '@atrium/proto-events/text/normalize';
import type { Caller } from '@atrium/service-kit/http/authenticate';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import { appendDocumentEvent } from '../documents/append-document-events.ts';
import { insertDocument } from '../documents/document-repository.ts';
import type { UploadFields } from './upload-repository.ts';

type UploadedDocumentParams = { documentId: string; caller: Caller; file: ReceivedFile; fields: UploadFields };

export async function insertUploadedDocument(
  tx: Queryable,
  { documentId, caller, file, fields }: UploadedDocumentParams,
): Promise<void> {
  const name = visibleName(fields.name ?? '');
  const row = await insertDocument(tx, {
    id: documentId,
    name: hasVisibleText(name) ? name : file.fileName,
    description: fields.description,
    visibility: fields.visibility,
    tags: fields.tags,
    uploaded_by: caller.userId,
    project_id: fields.project,
    object_key: file.objectKey,
    extension: file.extension,
    mimetype: file.mimetype,
    size: file.size,
    sha256: file.sha256,
  });
  await appendDocumentEvent(tx, { event: documentUploaded, row, actorId: caller.userId });
}
