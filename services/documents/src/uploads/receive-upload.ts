import { settleRoom } from '@atrium/object-store/objects/quota';
import { type FileParts, type FormFields, invalid } from '@atrium/object-store/uploads/receive-form';
import {
  measureFiles,
  type ReceivedFile,
  receiveFormFiles,
  recordWithinQuota,
} from '@atrium/object-store/uploads/receive-form-files';
import type { Caller } from '@atrium/service-kit/http/authenticate';
import { cutAfterAnswer } from '@atrium/service-kit/http/close-early-response';
import type { HttpContext } from '@atrium/service-kit/http/handle';
import {
  findFirstAnswer,
  type IdempotencyKey,
  idempotencyKey,
  isKeyRecorded,
  withForm,
  withIdempotencyKey,
} from '@atrium/service-kit/http/idempotency';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import { newId } from '@atrium/service-kit/process/new-id';
import type { Request } from 'express';
import type { Deps } from '../deps.ts';

/** Everything of this service lies below this prefix of the bucket. */
export const KEY_PREFIX = 'documents/';

export type { ReceivedFile as TakenFile };

/** What was recorded of a file; kept for a repeat of the call. */
export type Recorded = { documentId: string; objectKey: string };

/** How a kind of upload judges and records its file. */
export type UploadHandler = {
  documentId: string;
  /** Throws where the file is not wanted: with the fields before it, before any byte is stored, and with all of them after it. */
  judge(fields: FormFields): Promise<void>;
  /** Names the object in the transaction that records it. */
  record(tx: Queryable, file: ReceivedFile, fields: FormFields): Promise<void>;
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
 * answered at once, and the rest of the file is not read; a repeat of an earlier call gets what that one recorded. Throws `conflict` for a
 * key that came with another file or other fields: nothing of them is stored.
 */
export async function receiveUpload(
  deps: Deps,
  caller: Caller,
  { exchange: { req, res }, intake }: { exchange: HttpContext; intake: UploadHandler },
): Promise<Recorded> {
  cutAfterAnswer(req, res);
  const key = idempotencyKey(req);
  if (!key || !(await isKeyRecorded(deps.db, { caller, key }))) return takeIn(deps, caller, { req, key, intake });
  const form = await measureFiles(deps, { req, parts: PARTS });
  return findFirstAnswer<Recorded>(deps.db, { caller, key: withForm(key, form) });
}

type Taking = { req: Request; key: IdempotencyKey | undefined; intake: UploadHandler };

async function takeIn(deps: Deps, caller: Caller, { req, key, intake }: Taking): Promise<Recorded> {
  const { userId } = caller;
  const recorded = await receiveFormFiles<Recorded>(deps, {
    req,
    userId,
    parts: PARTS,
    newKey: () => `${KEY_PREFIX}${intake.documentId}/${newId()}`,
    async validate(fields) {
      await intake.judge(fields);
      return 'store';
    },
    async record({ fields, files: [file] }) {
      if (!file) throw invalid(MISSING);
      const formKey = key && withForm(key, { fields, files: [file] });
      const result = await withIdempotencyKey(deps.db, { caller, key: formKey }, async (tx): Promise<Recorded> => {
        const objectKey = await recordWithinQuota(tx, { quotas: deps.quotas, userId, file });
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
