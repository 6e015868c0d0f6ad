import { AppError, notFound } from '@atrium/service-kit/errors/app-error';
import type { Caller } from '@atrium/service-kit/http/authenticate';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import { type DocumentRow, findReadable, lockReadable } from './document-repository.ts';
import { canManage, EDIT_DENIED } from './policy.ts';

/** If the document is an attachment that could not be saved, the `not_found` error states the reason. */
export async function requireReadable(db: Queryable, caller: Caller, id: string): Promise<DocumentRow> {
  const document = await findReadable(db, caller, id);
  if (document) return document;
  const { rows } = await db.query<{ failure: string }>(
    'select failure from attachment_saves where document_id = $1 and owner_id = $2 and failure is not null',
    [id, caller.userId],
  );
  throw rows[0] ? new AppError('not_found', rows[0].failure) : notFound('Document');
}

export async function assertManageable(db: Queryable, caller: Caller, id: string): Promise<void> {
  assertCanManage(caller, await findReadable(db, caller, id), EDIT_DENIED);
}

export async function lockManageable(
  tx: Queryable,
  caller: Caller,
  { id, denied = EDIT_DENIED }: { id: string; denied?: string },
): Promise<DocumentRow> {
  return assertCanManage(caller, await lockReadable(tx, caller, id), denied);
}

function assertCanManage(caller: Caller, document: DocumentRow | undefined, denied: string): DocumentRow {
  if (!document) throw notFound('Document');
  if (!canManage(caller, document)) throw new AppError('forbidden', denied);
  return document;
}
