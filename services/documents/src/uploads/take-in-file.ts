import { settleRoom } from '@atrium/object-store/objects/quota';
import { readToEnd } from '@atrium/object-store/receiving/read-to-end';
import { type FileParts, type FormFields, invalid } from '@atrium/object-store/receiving/receive-form';
import { FORM_BYTES, recordWithRoom, type TakenFile, takeInFiles } from '@atrium/object-store/receiving/take-in-files';
import type { Caller } from '@atrium/service-kit/http/authenticate';
import { cutAfterAnswer } from '@atrium/service-kit/http/cut-after-answer';
import type { Exchange } from '@atrium/service-kit/http/handle';
import { findFirstAnswer, type IdempotencyKey, idempotencyKey, once } from '@atrium/service-kit/http/idempotency';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import { newId } from '@atrium/service-kit/process/new-id';
import type { Request } from 'express';
import type { Deps } from '../deps.ts';

/** Everything of this service lies below this prefix of the bucket. */
export const KEY_PREFIX = 'documents/';

export type { TakenFile };

/** What was recorded of a file; kept for a repeat of the call. */
export type Recorded = { documentId: string; objectKey: string };

/** How a kind of upload judges and records its file. */
export type Intake = {
  documentId: string;
  /** Throws where the file is not wanted: with the fields before it, before any byte is stored, and with all of them after it. */
  judge(fields: FormFields): Promise<void>;
  /** Names the object in the transaction that records it. */
  record(tx: Queryable, file: TakenFile, fields: FormFields): Promise<void>;
};

const MISSING = 'A file is required';
const PARTS: FileParts = {
  name: 'file',
  most: 1,
  elsewhere: MISSING,
  tooMany: 'Send one file at a time',
  fieldBytes: 16 * 1024,
};

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
  const earlier = await findFirstAnswer<Recorded>(deps.db, { caller, key });
  if (!earlier) return takeIn(deps, caller, { req, key, intake });
  // Browsers look for an answer only once they have sent everything, and this one must not be lost.
  await readToEnd(req, deps.maxUploadBytes + FORM_BYTES);
  return earlier;
}

type Taking = { req: Request; key: IdempotencyKey | undefined; intake: Intake };

async function takeIn(deps: Deps, caller: Caller, { req, key, intake }: Taking): Promise<Recorded> {
  const { userId } = caller;
  const recorded = await takeInFiles<Recorded>(deps, {
    req,
    userId,
    parts: PARTS,
    newKey: () => `${KEY_PREFIX}${intake.documentId}/${newId()}`,
    judge: intake.judge,
    async record({ fields, files: [file] }) {
      if (!file) throw invalid(MISSING);
      const result = await once(deps.db, { caller, key }, async (tx): Promise<Recorded> => {
        const objectKey = await recordWithRoom(tx, { quotas: deps.quotas, userId, file });
        await intake.record(tx, { ...file, objectKey }, fields);
        await settleRoom(tx, deps.quotas, file.size);
        return { documentId: intake.documentId, objectKey };
      });
      return { result, objectKeys: [result.objectKey] };
    },
  });
  deps.pictures.wake();
  deps.texts.wake();
  return recorded;
}
