import type { AccessReason } from '@atrium/proto-events/http/document-access';
import { isActive } from '@atrium/service-kit/directory/active-users';
import { AppError, notFound } from '@atrium/service-kit/errors/app-error';
import type { Caller } from '@atrium/service-kit/http/authenticate';
import type { Deps } from '../deps.ts';
import type { DocumentRow } from '../documents/document-repository.ts';
import { canManage, EXPLAIN_DENIED } from '../documents/policy.ts';
import { requireReadable } from '../documents/require-readable.ts';
import { findAccessPaths } from './access-repository.ts';
import { listSharesTo } from './grant-repository.ts';
import { presentShare } from './list-shares.ts';
import { toReader } from './to-reader.ts';

type ExplainAccessParams = { id: string; user?: string | undefined };

/** All access paths of a user to a document. */
export async function explainAccess(deps: Deps, caller: Caller, { id, user = caller.userId }: ExplainAccessParams) {
  const document = await requireReadable(deps.db, caller, id);
  if (user !== caller.userId && !canManage(caller, document)) throw new AppError('forbidden', EXPLAIN_DENIED);
  const person = deps.directory.user(user);
  if (!person || person.deleted) throw notFound('User');
  const reasons = await findReasons(deps, { caller, document, reader: toReader(person) });
  return { user: deps.directory.summary(user), canOpen: isActive(person) && reasons.length > 0, reasons };
}

type ReasonParams = { caller: Caller; document: DocumentRow; reader: [string, string[]] };

async function findReasons(
  { db, directory }: Deps,
  { caller, document, reader }: ReasonParams,
): Promise<AccessReason[]> {
  const [paths, shares] = await Promise.all([
    findAccessPaths(db, document.id, reader),
    listSharesTo(db, document.id, reader),
  ]);
  const others = paths.filter((kind) => kind !== 'shared');
  return [
    ...others.map((kind) => ({
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
