import { visibleName } from '@atrium/object-store/file-names/visible-name';
import type { FormFields } from '@atrium/object-store/uploads/receive-form';
import type { ReceivedFile } from '@atrium/object-store/uploads/receive-form-files';
import { documentUploaded } from '@atrium/proto-events/events/documents';
import { type Document, uploadFields } from '@atrium/proto-events/http/documents';
import { hasVisibleText } from '@atrium/proto-events/text/normalize';
import type { Caller } from '@atrium/service-kit/http/authenticate';
import type { HttpContext } from '@atrium/service-kit/http/handle';
import { parseInput } from '@atrium/service-kit/http/parse-request';
import { appendEvent } from '@atrium/service-kit/messaging/outbox';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import { newId } from '@atrium/service-kit/process/new-id';
import type { z } from 'zod';
import type { Deps } from '../deps.ts';
import { documentFacts, findAudience } from '../documents/audience.ts';
import { insertDocument, type NewDocument } from '../documents/document-repository.ts';
import { presentWithLink } from '../documents/present-document.ts';
import { assertProjectMember } from '../projects/assert-project-member.ts';
import { receiveUpload, type UploadHandler } from './receive-upload.ts';

export async function uploadDocument(deps: Deps, caller: Caller, exchange: HttpContext): Promise<Document> {
  const documentId = newId();
  const handler: UploadHandler = {
    documentId,
    validate: (fields) => assertProjectMember(deps.db, caller, parseFields(fields).project),
    record: (tx, file, fields) => recordDocument(tx, { documentId, caller, file, fields: parseFields(fields) }),
  };
  const recorded = await receiveUpload(deps, caller, { exchange, handler });
  return presentWithLink(deps, caller, recorded.documentId);
}

export type Fields = z.output<typeof uploadFields>;

type RecordDocumentParams = { documentId: string; caller: Pick<Caller, 'userId'>; file: ReceivedFile; fields: Fields };

export async function recordDocument(tx: Queryable, params: RecordDocumentParams): Promise<void> {
  const row = await insertDocument(tx, newDocument(params));
  await appendEvent(tx, {
    event: documentUploaded,
    data: documentFacts(row, await findAudience(tx, row)),
    aggregate: row.id,
    actorId: params.caller.userId,
  });
}

function parseFields(given: FormFields): Fields {
  return parseInput('body', uploadFields, given);
}

/** The given name if it has visible characters, otherwise the file name. */
function nameOf(given: string | undefined, { fileName }: ReceivedFile): string {
  const name = visibleName(given ?? '');
  return hasVisibleText(name) ? name : fileName;
}

function newDocument({ documentId, caller, file, fields }: RecordDocumentParams): NewDocument {
  return {
    id: documentId,
    name: nameOf(fields.name, file),
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
  };
}
