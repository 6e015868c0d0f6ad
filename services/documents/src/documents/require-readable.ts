import { AppError, notFound } from '@atrium/service-kit/http/app-error';
import type { Caller } from '@atrium/service-kit/http/authenticate';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import { findFailure } from '../uploads/attachment-saves.ts';
import { type DocumentRow, findReadable } from './document-repository.ts';

/** The document, where the caller may read it; throws `not_found`, as of one that there is not, with the reason where a save of theirs failed. */
export async function requireReadable(db: Queryable, caller: Caller, id: string): Promise<DocumentRow> {
  const document = await findReadable(db, caller, id);
  if (document) return document;
  const failure = await findFailure(db, caller.userId, id);
  throw failure === undefined ? notFound('Document') : new AppError('not_found', failure);
}
