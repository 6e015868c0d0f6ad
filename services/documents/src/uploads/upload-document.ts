import { documentUploaded } from '@atrium/proto-events/events/documents';
import { type Document, uploadFields } from '@atrium/proto-events/http/documents';
import { notFound } from '@atrium/service-kit/http/app-error';
import type { Caller } from '@atrium/service-kit/http/authenticate';
import { cutAfterAnswer } from '@atrium/service-kit/http/cut-after-answer';
import type { Exchange } from '@atrium/service-kit/http/handle';
import { idempotencyKey, once } from '@atrium/service-kit/http/idempotency';
import { validationError } from '@atrium/service-kit/http/validation-error';
import { appendEvent } from '@atrium/service-kit/messaging/outbox';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import { crashPoint } from '@atrium/service-kit/process/crash-point';
import { newId } from '@atrium/service-kit/process/new-id';
import type { Request } from 'express';
import type { z } from 'zod';
import type { Deps } from '../deps.ts';
import { documentFacts, findAudience } from '../documents/audience.ts';
import { findDocument, insertDocument, type NewDocument } from '../documents/document-repository.ts';
import { presentDocument } from '../documents/present-document.ts';
import { requireProjectPerson } from '../projects/require-project-person.ts';
import { KEY_PREFIX } from '../storage/object-store.ts';
import { cleanFileName, extensionOf } from './file-name.ts';
import { findRoom, lockRoom, requireRoom } from './quota.ts';
import { readToEnd } from './read-to-end.ts';
import { type FormFields, receiveForm } from './receive-form.ts';
import { type StoredFile, storeFile, tooLarge } from './store-file.ts';
import { watchPace } from './watch-pace.ts';

type Fields = z.output<typeof uploadFields>;
type Received = StoredFile & { fileName: string };
type Recorded = { documentId: string };
/** An upload under way; once begun there may be an object. */
type Attempt = { objectKey: string; begun: boolean };

/** What a form may hold beside its file. */
const FORM_BYTES = 1024 * 1024;

/** The bytes of an upload cannot be compared before they are read, so its key stands for the call as such. */
const REPEATABLE = { call: 'upload' };

/** Takes in a new document. A refusal is answered at once, and the rest of the file is not read. */
export async function uploadDocument(deps: Deps, caller: Caller, { req, res }: Exchange): Promise<Document> {
  cutAfterAnswer(req, res);
  const key = idempotencyKey(req);
  const earlier = key === undefined ? undefined : await findEarlier(deps.db, caller, key);
  const recorded = earlier ?? (await takeIn(deps, caller, { req, key }));
  const answered = await answer(deps, caller, recorded);
  // Browsers look for an answer only once they have sent everything, and this one must not be lost.
  if (earlier) await readToEnd(req, deps.maxUploadBytes + FORM_BYTES);
  return answered;
}

/** The object first, then its record with the event. Whatever fails, no object stays without record. */
async function takeIn(deps: Deps, caller: Caller, { req, key }: { req: Request; key: string | undefined }) {
  const check = await checkOfSize(deps, caller.userId);
  check(Number(req.get('content-length') ?? 0) - FORM_BYTES);
  deps.store.require();
  const documentId = newId();
  const attempt: Attempt = { objectKey: `${KEY_PREFIX}${documentId}/${newId()}`, begun: false };
  const recorded = await orGiveUp(deps, attempt, async () => {
    const receive = () => receiveFile(deps, caller, { req, attempt, check });
    const { fields, file } = await deps.slots.run(receive, { userId: caller.userId, signal: goneSignal(req) });
    const parsed = parseFields(fields);
    await requireProjectPerson(deps.db, caller, parsed.project);
    crashPoint('after-upload-before-commit');
    const given = newDocument(documentId, caller, parsed, file);
    return once(deps.db, { caller, key, request: REPEATABLE }, (tx) => record(tx, deps, { caller, given }));
  });
  // A repeat that came at the same time was recorded first: its document stands, this object goes.
  if (recorded.documentId !== documentId) await deps.remover.giveUp(attempt.objectKey);
  return recorded;
}

type CheckSize = (bytes: number) => void;

/** Refuses what is larger than a file may be, or than the room that there is now. */
async function checkOfSize({ db, quotas, maxUploadBytes }: Deps, userId: string): Promise<CheckSize> {
  const room = await findRoom(db, { quotas, userId });
  return (bytes) => {
    if (bytes > maxUploadBytes) throw tooLarge(maxUploadBytes);
    requireRoom(room, bytes, quotas);
  };
}

function goneSignal(req: Request): AbortSignal {
  const gone = new AbortController();
  req.once('close', () => gone.abort());
  return gone.signal;
}

type Receiving = { req: Request; attempt: Attempt; check: CheckSize };

function receiveFile(deps: Deps, caller: Caller, { req, attempt, check }: Receiving) {
  const { db, store, pace } = deps;
  const { objectKey } = attempt;
  return receiveForm<Received>(req, {
    watch: (fail) => watchPace(req, pace, fail),
    takeFile: async (stream, { fileName, fields }) => {
      // Fields before the file are judged before any byte of it is stored.
      await requireProjectPerson(db, caller, parseFields(fields).project);
      attempt.begun = true;
      const stored = await storeFile(stream, { store, objectKey, check });
      return { ...stored, fileName: cleanFileName(fileName) };
    },
  });
}

/** What fails leaves no object behind. */
async function orGiveUp<T>({ remover }: Deps, attempt: Attempt, run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (attempt.begun) await remover.giveUp(attempt.objectKey);
    throw error;
  }
}

function parseFields(given: FormFields): Fields {
  const parsed = uploadFields.safeParse(given);
  if (!parsed.success) throw validationError('body', parsed.error);
  return parsed.data;
}

function newDocument(id: string, caller: Caller, fields: Fields, file: Received): NewDocument {
  return {
    id,
    name: fields.name || file.fileName,
    description: fields.description,
    visibility: fields.visibility,
    tags: fields.tags,
    uploaded_by: caller.userId,
    project_id: fields.project,
    object_key: file.objectKey,
    extension: extensionOf(file.fileName),
    mimetype: file.mimetype,
    size: file.size,
    sha256: file.sha256,
  };
}

type Recording = { caller: Caller; given: NewDocument };

async function record(tx: Queryable, { quotas }: Deps, { caller, given }: Recording): Promise<Recorded> {
  // Others may have arrived since this file began.
  requireRoom(await lockRoom(tx, { quotas, userId: caller.userId }), given.size, quotas);
  const row = await insertDocument(tx, given);
  await appendEvent(tx, {
    event: documentUploaded,
    data: documentFacts(row, await findAudience(tx, row)),
    aggregate: row.id,
    actorId: caller.userId,
  });
  return { documentId: row.id };
}

async function findEarlier(db: Queryable, caller: Caller, key: string): Promise<Recorded | undefined> {
  const { rows } = await db.query<{ answer: Recorded }>(
    'select answer from idempotency_keys where user_id = $1 and key = $2',
    [caller.userId, key],
  );
  return rows[0]?.answer;
}

async function answer(deps: Deps, caller: Caller, { documentId }: Recorded): Promise<Document> {
  const row = await findDocument(deps.db, documentId);
  if (!row) throw notFound('Document');
  return presentDocument(deps, caller, row);
}
