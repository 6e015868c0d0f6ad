import { recordObject } from '@atrium/object-store/objects/object-records';
import { findRoom, lockRoom, requireRoom } from '@atrium/object-store/objects/quota';
import { type StoredFile, storeFile, tooLarge } from '@atrium/object-store/objects/store-file';
import { cleanFileName, extensionOf } from '@atrium/object-store/receiving/file-name';
import { readToEnd } from '@atrium/object-store/receiving/read-to-end';
import { type FormFields, receiveForm } from '@atrium/object-store/receiving/receive-form';
import { watchPace } from '@atrium/object-store/receiving/watch-pace';
import type { Caller } from '@atrium/service-kit/http/authenticate';
import { cutAfterAnswer } from '@atrium/service-kit/http/cut-after-answer';
import type { Exchange } from '@atrium/service-kit/http/handle';
import { idempotencyKey, once } from '@atrium/service-kit/http/idempotency';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import { crashPoint } from '@atrium/service-kit/process/crash-point';
import { newId } from '@atrium/service-kit/process/new-id';
import type { Request } from 'express';
import type { Deps } from '../deps.ts';

/** Everything of this service lies below this prefix of the bucket. */
export const KEY_PREFIX = 'documents/';

/** A file whose bytes are in the store: the name it came with, cleaned, and what was measured on the way. */
export type TakenFile = StoredFile & { fileName: string; extension: string };

/** What was recorded of a file; kept for a repeat of the call. Pods of before keep no `objectKey`. */
export type Recorded = { documentId: string; objectKey?: string };

/** How a kind of upload judges and records its file. */
export type Intake = {
  documentId: string;
  /** What a repeat must have asked, too: bytes cannot be compared before they are read. */
  request: unknown;
  /** Throws where the file is not wanted: with the fields before it, before any byte is stored, and with all of them after it. */
  judge(fields: FormFields): Promise<void>;
  /** Names the object in the transaction that records it. */
  record(tx: Queryable, file: TakenFile, fields: FormFields): Promise<void>;
};

/** What a form may hold beside its file. */
const FORM_BYTES = 1024 * 1024;

/** An upload under way; once begun there may be an object. */
type Attempt = { objectKey: string; begun: boolean };
type Receiving = { req: Request; attempt: Attempt; check: CheckSize; intake: Intake };

/**
 * Takes in the file of a form: the object first, then its record. Whatever fails, no object stays without record. A refusal is
 * answered at once, and the rest of the file is not read; a repeat of an earlier call gets what that one recorded.
 */
export async function takeInFile(
  deps: Deps,
  caller: Caller,
  { exchange: { req, res }, intake }: { exchange: Exchange; intake: Intake },
): Promise<Recorded> {
  cutAfterAnswer(req, res);
  const key = idempotencyKey(req);
  const earlier = key === undefined ? undefined : await findEarlier(deps.db, caller, key);
  if (!earlier) return takeIn(deps, caller, { req, key, intake });
  // Browsers look for an answer only once they have sent everything, and this one must not be lost.
  await readToEnd(req, deps.maxUploadBytes + FORM_BYTES);
  return earlier;
}

type Taking = { req: Request; key: string | undefined; intake: Intake };

async function takeIn(deps: Deps, caller: Caller, { req, key, intake }: Taking): Promise<Recorded> {
  const check = await checkOfSize(deps, caller.userId);
  check(Number(req.get('content-length') ?? 0) - FORM_BYTES);
  deps.store.require();
  const attempt: Attempt = { objectKey: `${KEY_PREFIX}${intake.documentId}/${newId()}`, begun: false };
  const recorded = await orGiveUp(deps, attempt, async () => {
    const receive = () => receiveFile(deps, { req, attempt, check, intake });
    const { fields, file } = await deps.slots.run(receive, { userId: caller.userId, signal: goneSignal(req) });
    await intake.judge(fields);
    crashPoint('after-upload-before-commit');
    return once(deps.db, { caller, key, request: intake.request }, async (tx): Promise<Recorded> => {
      const objectKey = await recordWithRoom(tx, deps, { caller, file });
      await intake.record(tx, { ...file, objectKey }, fields);
      return { documentId: intake.documentId, objectKey };
    });
  });
  crashPoint('after-commit-before-answer');
  deps.texts.wake();
  // The same content is there already, or a repeat that came at the same time was recorded first: this object goes.
  if (recorded.objectKey !== attempt.objectKey) await deps.remover.giveUp(attempt.objectKey);
  return recorded;
}

/** Others may have arrived since this file began; what is there already takes no room. */
async function recordWithRoom(tx: Queryable, { quotas }: Deps, { caller, file }: { caller: Caller; file: TakenFile }) {
  const room = await lockRoom(tx, { quotas, userId: caller.userId });
  const key = await recordObject(tx, { ...file, ownerId: caller.userId });
  if (key === file.objectKey) requireRoom(room, file.size, quotas);
  return key;
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

function receiveFile({ store, pace }: Deps, { req, attempt, check, intake }: Receiving) {
  const { objectKey } = attempt;
  return receiveForm<TakenFile>(req, {
    watch: (fail) => watchPace(req, pace, fail),
    takeFile: async (stream, { fileName, fields }) => {
      await intake.judge(fields);
      attempt.begun = true;
      const stored = await storeFile(stream, { store, objectKey, check });
      const name = cleanFileName(fileName);
      return { ...stored, fileName: name, extension: extensionOf(name) };
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

async function findEarlier(db: Queryable, caller: Caller, key: string): Promise<Recorded | undefined> {
  const { rows } = await db.query<{ answer: Recorded }>(
    'select answer from idempotency_keys where user_id = $1 and key = $2',
    [caller.userId, key],
  );
  return rows[0]?.answer;
}
