import { documentDeleted, documentRestored } from '@atrium/proto-events/events/documents';
import type { DeletedDocument } from '@atrium/proto-events/http/document-versions';
import type { Document } from '@atrium/proto-events/http/documents';
import { notFound } from '@atrium/service-kit/errors/app-error';
import type { Caller } from '@atrium/service-kit/http/authenticate';
import { toPage } from '@atrium/service-kit/http/page';
import type { Deps } from '../deps.ts';
import { appendDocumentEvent } from '../documents/append-document-events.ts';
import { findDocument } from '../documents/document-repository.ts';
import { DELETE_DENIED } from '../documents/policy.ts';
import { presentDocument } from '../documents/present-document.ts';
import { lockManageable } from '../documents/require-document.ts';
import {
  type DeletedRow,
  deleteFromTrash,
  listDeletedRows,
  moveToTrash,
  restoreFromTrash,
  TRASH_DAYS,
} from './trash-repository.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

export async function deleteDocument({ db }: Deps, caller: Caller, id: string): Promise<void> {
  await db.transaction(async (tx) => {
    const document = await lockManageable(tx, caller, { id, denied: DELETE_DENIED });
    await moveToTrash(tx, id, caller.userId);
    const row = { ...document, version: document.version + 1 };
    await appendDocumentEvent(tx, { event: documentDeleted, row, actorId: caller.userId });
  });
}

export async function listDeleted(deps: Deps, caller: Caller, page: { page: number; limit: number }) {
  const { rows, total } = await listDeletedRows(deps.db, caller, page);
  return toPage(
    rows.map((row) => presentDeleted(deps, row)),
    total,
    page,
  );
}

export async function restoreDocument(deps: Deps, caller: Caller, id: string): Promise<Document> {
  return deps.db.transaction(async (tx) => {
    const isRestored = await restoreFromTrash(tx, caller, id);
    const row = isRestored ? await findDocument(tx, id) : undefined;
    if (!row) throw notFound('Document');
    await appendDocumentEvent(tx, { event: documentRestored, row, actorId: caller.userId });
    return presentDocument(deps, caller, row);
  });
}

/** Publishes no event, because nobody can see documents in the trash. */
export async function purgeDocument({ db, remover }: Deps, caller: Caller, id: string): Promise<void> {
  if (!(await deleteFromTrash(db, caller, id))) throw notFound('Document');
  remover.wake();
}

function presentDeleted({ directory }: Deps, row: DeletedRow): DeletedDocument {
  return {
    _id: row.id,
    name: row.name,
    mimetype: row.mimetype,
    size: row.size,
    visibility: row.visibility,
    project: row.project_id,
    uploadedBy: directory.summary(row.uploaded_by),
    deletedBy: directory.summary(row.deleted_by),
    deletedAt: row.deleted_at.toISOString(),
    goneAt: new Date(row.deleted_at.getTime() + TRASH_DAYS * DAY_MS).toISOString(),
  };
}
