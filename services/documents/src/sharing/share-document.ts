import { documentShared } from '@atrium/proto-events/events/documents';
import type { Document } from '@atrium/proto-events/http/documents';
import {
  assertActiveUsers,
  assignedDepartmentId,
  awaitActiveUsers,
  isActive,
} from '@atrium/service-kit/directory/active-users';
import type { Directory } from '@atrium/service-kit/directory/directory';
import { AppError, invalidField, notFound } from '@atrium/service-kit/errors/app-error';
import type { Caller } from '@atrium/service-kit/http/authenticate';
import { appendEvent } from '@atrium/service-kit/messaging/outbox';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import type { Deps } from '../deps.ts';
import { appendDocumentUpdated, findAudience, toEventData } from '../documents/append-document-events.ts';
import { changeDocument, type DocumentRow, lockReadable } from '../documents/document-repository.ts';
import { UNSHARE_DENIED } from '../documents/policy.ts';
import { presentDocument } from '../documents/present-document.ts';
import { lockManageable, requireReadable } from '../documents/require-document.ts';
import { assertProjectsExist, listProjectMembers } from '../projects/project-membership.ts';
import { countGrantees, filterReaders, type Grantees, insertGrants, removeGrants } from './share-repository.ts';

type Shares = { id: string } & { [Kind in keyof Grantees]?: Grantees[Kind] | undefined };

/** Responses contain all grantees, so their number is limited. */
const MAX_SHARED_USERS = 500;
const MAX_SHARED_GROUPS = 100;

const ACTIVE_USERS_REQUIRED = { field: 'userIds', message: 'Documents can be shared with active users only' };

/** Every reader may share. Existing grantees are not notified again. */
export async function shareDocument(deps: Deps, caller: Caller, shares: Shares): Promise<Document> {
  const { id } = shares;
  const grantees = toGrantees(shares);
  await awaitActiveUsers(deps.directory, grantees.userIds);
  if (grantees.projectIds.length > 0) {
    // Runs outside the transaction, because waiting for a new project may take seconds. Non-readers are rejected first.
    await requireReadable(deps.db, caller, id);
    await assertProjectsExist(deps.db, grantees.projectIds);
  }
  return deps.db.transaction(async (tx) => {
    const before = await lockReadable(tx, caller, id);
    if (!before) throw notFound('Document');
    assertActiveUsers(deps.directory, grantees.userIds, ACTIVE_USERS_REQUIRED);
    assertActiveDepartments(deps, grantees.departmentIds);
    const added = subtractGrantees(grantees, {
      ...currentGrantees(before),
      userIds: [before.uploaded_by, ...before.shared_with],
    });
    if (countGrantees(added) === 0) return presentDocument(deps, caller, before);
    assertGranteeLimit(added, before);
    const { departmentIds, projectIds } = added;
    const newReaders = await findNewlyGrantedReaders(tx, deps.directory, { documentId: id, departmentIds, projectIds });
    await insertGrants(tx, id, { ...added, grantedBy: caller.userId });
    const after = await changeDocument(tx, id, {});
    await appendEvent(tx, {
      event: documentShared,
      data: {
        ...toEventData(after, await findAudience(tx, after)),
        sharedWith: [...new Set([...added.userIds, ...newReaders])],
        ...(departmentIds.length > 0 && { sharedWithDepartments: [...departmentIds] }),
        ...(projectIds.length > 0 && { sharedWithProjects: [...projectIds] }),
      },
      aggregate: id,
      actorId: caller.userId,
    });
    return presentDocument(deps, caller, after);
  });
}

export async function unshareDocument(deps: Deps, caller: Caller, shares: Shares): Promise<void> {
  const { id } = shares;
  const grantees = toGrantees(shares);
  await deps.db.transaction(async (tx) => {
    const before = await lockManageable(tx, caller, { id, denied: UNSHARE_DENIED });
    const remaining = subtractGrantees(currentGrantees(before), grantees);
    if (countGrantees(remaining) === countGrantees(currentGrantees(before))) return;
    const previousAudience = await findAudience(tx, before);
    await removeGrants(tx, id, grantees);
    const row = await changeDocument(tx, id, {});
    await appendDocumentUpdated(tx, { row, changed: ['sharedWith'], actorId: caller.userId, previousAudience });
  });
}

const toGrantees = ({ userIds = [], departmentIds = [], projectIds = [] }: Shares): Grantees => ({
  userIds: [...new Set(userIds)],
  departmentIds: [...new Set(departmentIds)],
  projectIds: [...new Set(projectIds)],
});

const currentGrantees = ({ shared_with, shared_departments, shared_projects }: DocumentRow): Grantees => ({
  userIds: shared_with,
  departmentIds: shared_departments,
  projectIds: shared_projects,
});

const subtractGrantees = (grantees: Grantees, others: Grantees): Grantees => ({
  userIds: grantees.userIds.filter((id) => !others.userIds.includes(id)),
  departmentIds: grantees.departmentIds.filter((id) => !others.departmentIds.includes(id)),
  projectIds: grantees.projectIds.filter((id) => !others.projectIds.includes(id)),
});

function assertGranteeLimit(added: Grantees, before: DocumentRow): void {
  if (added.userIds.length > 0 && before.shared_with.length + added.userIds.length > MAX_SHARED_USERS) {
    throw new AppError('conflict', `A document can be shared with at most ${MAX_SHARED_USERS} people`);
  }
  const countGroups = ({ departmentIds, projectIds }: Grantees) => departmentIds.length + projectIds.length;
  if (countGroups(added) > 0 && countGroups(currentGrantees(before)) + countGroups(added) > MAX_SHARED_GROUPS) {
    throw new AppError(
      'conflict',
      `A document can be shared with at most ${MAX_SHARED_GROUPS} departments and projects`,
    );
  }
}

function assertActiveDepartments({ directory }: Deps, ids: readonly string[]): void {
  if (!ids.every((id) => directory.department(id)?.isActive)) {
    throw invalidField('departmentIds', 'Documents can be shared with active departments only');
  }
}

/**
 * As many as can be selected manually. Members of larger groups see the document in their lists, but are not notified.
 */
const MAX_NOTIFIED_USERS = 500;

type AddedGroups = Pick<Grantees, 'departmentIds' | 'projectIds'>;

/** Returns the active members who cannot read the document yet. Call it before the grants are inserted. */
async function findNewlyGrantedReaders(
  tx: Queryable,
  directory: Directory,
  { documentId, departmentIds, projectIds }: AddedGroups & { documentId: string },
): Promise<string[]> {
  if (departmentIds.length + projectIds.length === 0) return [];
  const projectMemberIds = new Set(await listProjectMembers(tx, projectIds));
  const departments = new Set<string | null>(departmentIds);
  const users = [...directory.users()].filter(
    (user) => isActive(user) && (projectMemberIds.has(user._id) || departments.has(assignedDepartmentId(user))),
  );
  if (users.length > MAX_NOTIFIED_USERS) return [];
  const readers = await filterReaders(tx, documentId, users);
  return users.map(({ _id }) => _id).filter((id) => !readers.has(id));
}
