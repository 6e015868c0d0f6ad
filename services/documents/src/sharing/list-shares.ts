import type { DocumentShare } from '@atrium/proto-events/http/document-access';
import type { Directory } from '@atrium/service-kit/directory/directory';
import type { Caller } from '@atrium/service-kit/http/authenticate';
import type { Deps } from '../deps.ts';
import { canManage } from '../documents/policy.ts';
import { requireReadable } from '../documents/require-readable.ts';
import { departmentRefOf } from './department-ref.ts';
import { listShareRows, type ShareRow } from './grant-repository.ts';

/** Readers also see the grantees in the document itself. */
export async function listShares({ db, directory }: Deps, caller: Caller, id: string) {
  const document = await requireReadable(db, caller, id);
  const rows = await listShareRows(db, id);
  return { data: rows.map((row) => presentShare(directory, row)), canRemove: canManage(caller, document) };
}

export function presentShare(directory: Directory, row: ShareRow): DocumentShare {
  return {
    ...granteeOf(directory, row),
    sharedBy: directory.summary(row.granted_by),
    sharedAt: row.created_at.toISOString(),
  };
}

function granteeOf(directory: Directory, { user_id, department_id, project_id }: ShareRow) {
  if (user_id !== null) return { kind: 'person' as const, user: directory.summary(user_id) };
  if (department_id !== null)
    return { kind: 'department' as const, department: departmentRefOf(directory, department_id) };
  if (project_id !== null) return { kind: 'project' as const, project: project_id };
  throw new Error('Share without grantee');
}
