import { AppError, notFound } from '@atrium/service-kit/errors/app-error';
import type { Caller } from '@atrium/service-kit/http/authenticate';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import { findFailure } from '../uploads/attachment-saves.ts';
import { type DocumentRow, findReadable } from './document-repository.ts';

/** Throws `not_found` if the caller cannot read the document, with the reason if it is an attachment that could not be saved. */
export async function requireReadable(db: Queryable, caller: Caller, id: string): Promise<DocumentRow> {
  const document = await findReadable(db, caller, id);
  if (document) return document;
  const failure = await findFailure(db, caller.userId, id);
  throw failure === undefined ? notFound('Document') : new AppError('not_found', failure);
}
