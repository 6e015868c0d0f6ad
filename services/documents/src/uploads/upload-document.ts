import type { FormFields } from '@atrium/object-store/uploads/receive-form';
import { visibleName } from '@atrium/object-store/uploads/visible-name';
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
import { presentSent } from '../documents/present-document.ts';
import { requireProjectPerson } from '../projects/assert-project-member.ts';
import { receiveUpload, type TakenFile, type UploadHandler } from './receive-upload.ts';

/** Takes in a new document. */
export async function uploadDocument(deps: Deps, caller: Caller, exchange: HttpContext): Promise<Document> {
  const documentId = newId();
  const intake: UploadHandler = {
    documentId,
    judge: (fields) => requireProjectPerson(deps.db, caller, parseFields(fields).project),
    record: (tx, file, fields) => recordDocument(tx, { documentId, caller, file, fields: parseFields(fields) }),
  };
  const recorded = await receiveUpload(deps, caller, { exchange, intake });
  return presentSent(deps, caller, recorded.documentId);
}

/** What is said of a document beside its file. */
export type Fields = z.output<typeof uploadFields>;

type Taken = { documentId: string; caller: Pick<Caller, 'userId'>; file: TakenFile; fields: Fields };

/** Makes the document of a recorded object, and tells those who may read it. */
export async function recordDocument(tx: Queryable, taken: Taken): Promise<void> {
  const row = await insertDocument(tx, newDocument(taken));
  await appendEvent(tx, {
    event: documentUploaded,
    data: documentFacts(row, await findAudience(tx, row)),
    aggregate: row.id,
    actorId: taken.caller.userId,
  });
}

function parseFields(given: FormFields): Fields {
  return parseInput('body', uploadFields, given);
}

/** The name that was given, where a reader sees anything of it; else the file's own. */
function nameOf(given: string | undefined, { fileName }: TakenFile): string {
  const name = visibleName(given ?? '');
  return hasVisibleText(name) ? name : fileName;
}

function newDocument({ documentId, caller, file, fields }: Taken): NewDocument {
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
