import type { DirectoryUser } from '@atrium/proto-events/people';
import type { DirectoryProject } from '@atrium/proto-events/project-directory';
import { assignedDepartmentId, isActive } from '@atrium/service-kit/directory/active-users';
import type { Directory } from '@atrium/service-kit/directory/directory';
import type { ProjectDirectory } from '@atrium/service-kit/directory/project-directory';
import type { Logger } from '@atrium/service-kit/observability/logger';
import type { Db, Queryable } from '@atrium/service-kit/postgres/postgres';
import { type PollingLoop, startPollingLoop } from '@atrium/service-kit/process/polling-loop';
import { insertSyncsOfGroups } from '../model/conversations/member-group-repository.ts';
import {
  type CopiedProject,
  type CopiedUser,
  filterNewerProjects,
  type MemberChange,
  saveProject,
  saveUsers,
} from '../model/directory-copy.ts';

const BATCH_SIZE = 1_000;
const INTERVAL_MS = 60_000;
const RETRY_DELAY_MS = 1_000;

type Deps = { db: Db; directory: Directory; projects: ProjectDirectory; log: Logger; onChanged: () => void };

/**
 * Copies users and projects to the database, where statements join them. Every pod copies what it receives: versions
 * decide, so that the order does not matter, and nothing is missed if one stops.
 */
export function startDirectoryCopy({ db, directory, projects, log, onChanged }: Deps): PollingLoop {
  const userIds = new Set([...directory.users()].map(({ _id }) => _id));
  const projectIds = new Set([...projects.projects()].map(({ _id }) => _id));
  const copyBatch = async () => {
    const users = takeBatch(userIds);
    const teams = takeBatch(projectIds);
    try {
      const isChanged = await copy(db, {
        users: users.flatMap((id) => directory.user(id) ?? []).map(toCopiedUser),
        projects: teams.flatMap((id) => projects.project(id) ?? []).map(toCopiedProject),
      });
      if (isChanged) onChanged();
    } catch (error) {
      for (const id of users) userIds.add(id);
      for (const id of teams) projectIds.add(id);
      throw error;
    }
    return userIds.size + projectIds.size > 0;
  };
  const loop = startPollingLoop({
    name: 'the copy of the directory',
    intervalMs: INTERVAL_MS,
    retryDelayMs: RETRY_DELAY_MS,
    round: copyBatch,
    log,
  });
  directory.onUser(({ _id }) => {
    userIds.add(_id);
    loop.wake();
  });
  projects.onProject(({ _id }) => {
    projectIds.add(_id);
    loop.wake();
  });
  return loop;
}

function takeBatch(ids: Set<string>): string[] {
  const batch = [...ids].slice(0, BATCH_SIZE);
  for (const id of batch) ids.delete(id);
  return batch;
}

const toCopiedUser = (user: DirectoryUser): CopiedUser => ({
  userId: user._id,
  departmentId: assignedDepartmentId(user),
  isActive: isActive(user),
  version: user.version,
});

const toCopiedProject = ({ _id, managerId, memberIds, deleted, version }: DirectoryProject): CopiedProject => ({
  projectId: _id,
  memberIds: deleted ? [] : [...new Set([managerId, ...memberIds])],
  version,
});

/** Any number that no other lock of this database has. */
const LOCK_ID = 311_008;

/**
 * Returns whether members of a group have changed. One pod at a time, so that each change is compared with the copy that it
 * replaces.
 */
async function copy(db: Db, { users, projects }: { users: CopiedUser[]; projects: CopiedProject[] }): Promise<boolean> {
  if (users.length + projects.length === 0) return false;
  return db.transaction(async (tx) => {
    await tx.query('select pg_advisory_xact_lock($1)', [LOCK_ID]);
    const changes = [...(await saveUsers(tx, users)), ...(await saveProjects(tx, projects))];
    if (changes.length === 0) return false;
    await insertSyncsOfGroups(tx, changes);
    return true;
  });
}

async function saveProjects(tx: Queryable, projects: CopiedProject[]): Promise<MemberChange[]> {
  const saved: MemberChange[] = [];
  const newer = projects.length > 0 ? await filterNewerProjects(tx, projects) : [];
  for (const project of newer) saved.push(...(await saveProject(tx, project)));
  return saved;
}
