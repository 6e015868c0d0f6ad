import { EventEmitter, once } from 'node:events';
import type { DirectoryDepartment, DirectoryUser, UserSummary } from '@atrium/proto-events/people';
import type { ProjectDirectory } from './project-directory.ts';

/** Users and departments in memory, published by the users service: reads call no other service. */
export type Directory = {
  user(id: string): DirectoryUser | undefined;
  department(id: string): DirectoryDepartment | undefined;
  departments(): IterableIterator<DirectoryDepartment>;
  /** Returns the name of a department or project, even of a deleted one. */
  groupName(type: 'department' | 'project', id: string): string | undefined;
  /** Returns a tombstone for a deleted or unknown user. */
  summary(id: string): UserSummary;
  /** Waits at most `ms` milliseconds, and returns whether the user matches. Used after a write in another service. */
  whenUser(id: string, matches: (user: DirectoryUser | undefined) => boolean, ms: number): Promise<boolean>;
  onUser(listener: (user: DirectoryUser) => void): void;
  users(): IterableIterator<DirectoryUser>;
  /** Returns the time since the directory was last confirmed to be complete; infinite before the first time. */
  ageMs(): number;
  /** Returns undefined before the first update. */
  sinceUpdateMs(): number | undefined;
  sizes(): { users: number; departments: number };
  confirm(): void;
  /** Called when the bucket was recreated empty: its owner must refill it, and the content of the directory remains. */
  onEmptied(listener: () => void): void;
  notifyEmptied(): void;
  putUser(user: DirectoryUser): void;
  putDepartment(department: DirectoryDepartment): void;
};

/** An older version never replaces a newer one. Without `projects`, `groupName` does not find projects. */
export function createDirectory(projects?: Pick<ProjectDirectory, 'project'>): Directory {
  const users = new Map<string, DirectoryUser>();
  const departments = new Map<string, DirectoryDepartment>();
  const changes = new EventEmitter().setMaxListeners(0);

  const internUser = createUserInterner();
  const getSummary = createSummaryCache();
  const department = (id: string) => departments.get(id);
  // Times of the monotonic clock.
  let confirmedAt = Number.NEGATIVE_INFINITY;
  let updatedAt: number | undefined;
  return {
    sinceUpdateMs: () => (updatedAt === undefined ? undefined : performance.now() - updatedAt),
    sizes: () => ({ users: users.size, departments: departments.size }),
    ageMs: () => performance.now() - confirmedAt,
    confirm() {
      confirmedAt = performance.now();
    },
    department,
    departments: () => departments.values(),
    groupName: (type, id) => (type === 'department' ? departments.get(id) : projects?.project(id))?.name,
    user: (id) => users.get(id),
    users: () => users.values(),
    summary: (id) => getSummary(id, users.get(id), department),
    onEmptied: (listener) => void changes.on('emptied', listener),
    notifyEmptied: () => void changes.emit('emptied'),
    onUser: (listener) => void changes.on('user', listener),
    putUser(user) {
      const existing = users.get(user._id);
      if (existing && existing.version > user.version) return;
      users.set(user._id, internUser(user));
      updatedAt = performance.now();
      changes.emit('user', user);
      changes.emit(user._id);
    },
    putDepartment(department) {
      const existing = departments.get(department._id);
      if (existing && existing.version > department.version) return;
      departments.set(department._id, department);
      updatedAt = performance.now();
    },
    async whenUser(id, matches, ms) {
      const deadline = AbortSignal.timeout(ms);
      while (!matches(users.get(id))) {
        const change = await once(changes, id, { signal: deadline }).catch(() => undefined);
        if (!change) return matches(users.get(id));
      }
      return true;
    },
  };
}

/** Interns the strings of users: a hundred thousand users have few distinct zones, departments, roles, and names. */
function createUserInterner(): (user: DirectoryUser) => DirectoryUser {
  const interned = new Map<string, string>();
  const intern = <T extends string>(text: T): T => {
    const existing = interned.get(text);
    if (existing === undefined) interned.set(text, text);
    return (existing ?? text) as T;
  };
  return (user) => ({
    ...user,
    firstName: intern(user.firstName),
    role: intern(user.role),
    status: intern(user.status),
    departmentId: user.departmentId === null ? null : intern(user.departmentId),
    timezone: intern(user.timezone),
  });
}

/** Caches a summary while the user and the department are unchanged: lists show the same few users again. */
function createSummaryCache() {
  const cache = new WeakMap<DirectoryUser, { department: DirectoryDepartment | undefined; summary: UserSummary }>();
  return (
    id: string,
    user: DirectoryUser | undefined,
    findDepartment: (id: string) => DirectoryDepartment | undefined,
  ): UserSummary => {
    if (!user || user.deleted) return { _id: id, firstName: 'Deleted', lastName: 'user', deleted: true };
    const department = user.departmentId === null ? undefined : findDepartment(user.departmentId);
    const cached = cache.get(user);
    if (cached && cached.department === department) return cached.summary;
    const summary = Object.freeze(summarize(user, department));
    cache.set(user, { department, summary });
    return summary;
  };
}

function summarize(user: DirectoryUser, department: DirectoryDepartment | undefined): UserSummary {
  return {
    _id: user._id,
    firstName: user.firstName,
    lastName: user.lastName,
    email: user.email,
    role: user.role,
    status: user.status,
    department: department ? { _id: department._id, name: department.name } : null,
    avatar: user.avatar,
    version: user.version,
  };
}
