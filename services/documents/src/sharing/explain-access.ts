import type { AccessReason, DocumentShare } from '@atrium/proto-events/http/document-access';
import { isActive } from '@atrium/service-kit/directory/active-users';
import type { Directory } from '@atrium/service-kit/directory/directory';
import { AppError, notFound } from '@atrium/service-kit/errors/app-error';
import type { Caller } from '@atrium/service-kit/http/authenticate';
import type { Deps } from '../deps.ts';
import type { DocumentRow } from '../documents/document-repository.ts';
import { canManage, EXPLAIN_DENIED } from '../documents/policy.ts';
import { presentDepartment } from '../documents/present-document.ts';
import { requireReadable } from '../documents/require-document.ts';
import { type ReaderValues, readerOfUser } from '../documents/visibility.ts';
import { filterReaders, findAccessPaths, listShareRows, listSharesTo, type ShareRow } from './share-repository.ts';

type ExplainAccessParams = { id: string; user?: string | undefined };

export async function explainAccess(deps: Deps, caller: Caller, { id, user = caller.userId }: ExplainAccessParams) {
  const document = await requireReadable(deps.db, caller, id);
  if (user !== caller.userId && !canManage(caller, document)) throw new AppError('forbidden', EXPLAIN_DENIED);
  const reader = deps.directory.user(user);
  if (!reader || reader.deleted) throw notFound('User');
  const reasons = await findReasons(deps, { caller, document, reader: readerOfUser(reader) });
  return { user: deps.directory.summary(user), canOpen: isActive(reader) && reasons.length > 0, reasons };
}

type ReasonParams = { caller: Caller; document: DocumentRow; reader: ReaderValues };

async function findReasons(
  { db, directory }: Deps,
  { caller, document, reader }: ReasonParams,
): Promise<AccessReason[]> {
  const [paths, shares] = await Promise.all([
    findAccessPaths(db, document.id, reader),
    listSharesTo(db, document.id, reader),
  ]);
  const otherPaths = paths.filter((kind) => kind !== 'shared');
  return [
    ...otherPaths.map((kind) => ({
      kind,
      ...(kind === 'team' && document.project_id !== null && { project: document.project_id }),
      canRemove: false,
    })),
    ...shares.map((row) => ({
      kind: 'shared' as const,
      share: presentShare(directory, row),
      canRemove: canManage(caller, document),
    })),
  ];
}

type FindUsersWithoutAccessParams = { id: string; userIds: readonly string[] };

/** The result includes users who cannot sign in. */
export async function findUsersWithoutAccess(
  { db, directory }: Deps,
  caller: Caller,
  { id, userIds }: FindUsersWithoutAccessParams,
) {
  await requireReadable(db, caller, id);
  const uniqueIds = [...new Set(userIds)];
  const users = uniqueIds.flatMap((userId) => directory.user(userId) ?? []).filter(isActive);
  const readers = await filterReaders(db, id, users);
  const cannotOpen = uniqueIds.filter((userId) => !readers.has(userId)).map((userId) => directory.summary(userId));
  return { asked: uniqueIds.length, cannotOpen };
}

/** Allowed for all readers, because they also see the grantees in the document itself. */
export async function listShares({ db, directory }: Deps, caller: Caller, id: string) {
  const document = await requireReadable(db, caller, id);
  const rows = await listShareRows(db, id);
  return { data: rows.map((row) => presentShare(directory, row)), canRemove: canManage(caller, document) };
}

function presentShare(directory: Directory, row: ShareRow): DocumentShare {
  return {
    ...presentGrantee(directory, row),
    sharedBy: directory.summary(row.granted_by),
    sharedAt: row.created_at.toISOString(),
  };
}

function presentGrantee(directory: Directory, { user_id, department_id, project_id }: ShareRow) {
  if (user_id !== null) return { kind: 'person' as const, user: directory.summary(user_id) };
  if (department_id !== null)
    return { kind: 'department' as const, department: presentDepartment(directory, department_id) };
  if (project_id !== null) return { kind: 'project' as const, project: project_id };
  throw new Error('Share without grantee');
}
