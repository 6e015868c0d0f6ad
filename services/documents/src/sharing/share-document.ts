import { documentShared, documentUpdated } from '@atrium/proto-events/events/documents';
import type { Document } from '@atrium/proto-events/http/documents';
import { assertActiveUsers, awaitActiveUsers } from '@atrium/service-kit/directory/active-users';
import { AppError, invalidField, notFound } from '@atrium/service-kit/errors/app-error';
import type { Caller } from '@atrium/service-kit/http/authenticate';
import { appendEvent } from '@atrium/service-kit/messaging/outbox';
import type { Deps } from '../deps.ts';
import { documentFacts, findAudience, joinAudiences } from '../documents/audience.ts';
import { changeDocument, type DocumentRow, lockReadable } from '../documents/document-repository.ts';
import { canManage, UNSHARE_DENIED } from '../documents/policy.ts';
import { presentDocument } from '../documents/present-document.ts';
import { requireReadable } from '../documents/require-readable.ts';
import { assertProjectsExist } from '../projects/assert-project-member.ts';
import { countGrantees, type Grantees, insertGrants, removeGrants } from './grant-repository.ts';
import { findNewlyGrantedReaders } from './newly-granted-readers.ts';

type Shares = { id: string } & { [Kind in keyof Grantees]?: Grantees[Kind] | undefined };

/** Responses contain all grantees, so their number is limited. */
const MAX_SHARED_USERS = 500;
const MAX_SHARED_GROUPS = 100;

const SHARED_WITH = { field: 'userIds', message: 'Documents can be shared with active users only' };

/** Shares a document with users, departments, and projects; every reader may share. Existing grantees are not notified again. */
export async function shareDocument(deps: Deps, caller: Caller, shares: Shares): Promise<Document> {
  const { id } = shares;
  const grantees = granteesOf(shares);
  await awaitActiveUsers(deps.directory, grantees.userIds);
  if (grantees.projectIds.length > 0) {
    // Before the transaction, because the next step may wait; and only for readers.
    await requireReadable(deps.db, caller, id);
    await assertProjectsExist(deps.db, grantees.projectIds);
  }
  return deps.db.transaction(async (tx) => {
    const before = await lockReadable(tx, caller, id);
    if (!before) throw notFound('Document');
    assertActiveUsers(deps.directory, grantees.userIds, SHARED_WITH);
    requireActiveDepartments(deps, grantees.departmentIds);
    const added = subtractGrantees(grantees, {
      ...sharesOf(before),
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
        ...documentFacts(after, await findAudience(tx, after)),
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
  const grantees = granteesOf(shares);
  await deps.db.transaction(async (tx) => {
    const before = await lockReadable(tx, caller, id);
    if (!before) throw notFound('Document');
    if (!canManage(caller, before)) throw new AppError('forbidden', UNSHARE_DENIED);
    const left = subtractGrantees(sharesOf(before), grantees);
    if (countGrantees(left) === countGrantees(sharesOf(before))) return;
    const audienceBefore = await findAudience(tx, before);
    await removeGrants(tx, id, grantees);
    const after = await changeDocument(tx, id, {});
    const audience = joinAudiences(audienceBefore, await findAudience(tx, after));
    await appendEvent(tx, {
      event: documentUpdated,
      data: { ...documentFacts(after, audience), changed: ['sharedWith'] },
      aggregate: id,
      actorId: caller.userId,
    });
  });
}

const granteesOf = ({ userIds = [], departmentIds = [], projectIds = [] }: Shares): Grantees => ({
  userIds: [...new Set(userIds)],
  departmentIds: [...new Set(departmentIds)],
  projectIds: [...new Set(projectIds)],
});

const sharesOf = ({ shared_with, shared_departments, shared_projects }: DocumentRow): Grantees => ({
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
  const groups = (of: Grantees) => of.departmentIds.length + of.projectIds.length;
  if (groups(added) > 0 && groups(sharesOf(before)) + groups(added) > MAX_SHARED_GROUPS) {
    throw new AppError(
      'conflict',
      `A document can be shared with at most ${MAX_SHARED_GROUPS} departments and projects`,
    );
  }
}

function requireActiveDepartments({ directory }: Deps, ids: readonly string[]): void {
  if (!ids.every((id) => directory.department(id)?.isActive)) {
    throw invalidField('departmentIds', 'Documents can be shared with active departments only');
  }
}
