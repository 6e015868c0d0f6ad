import type { DirectoryUser } from '@atrium/proto-events/people';
import { describe, expect, it } from '@jest/globals';
import { awaitActiveUsers, isActive } from './active-users.ts';
import { createDirectory } from './directory.ts';

const ID = 'a'.repeat(24);
const DESIGN = 'd'.repeat(24);
const visibleFields = {
  _id: ID,
  firstName: 'Ada',
  lastName: 'Lovelace',
  email: 'ada@example.org',
  role: 'member',
  status: 'active',
  avatar: null,
} as const;
const ada: DirectoryUser = {
  ...visibleFields,
  departmentId: DESIGN,
  timezone: 'UTC',
  deleted: false,
  sessionsValidAfter: 0,
  version: 1,
};

describe('createDirectory', () => {
  it('shows a user with their department once the department has arrived', () => {
    const directory = createDirectory();
    directory.putUser(ada);
    expect(directory.summary(ID)).toMatchObject({ firstName: 'Ada', department: null });
    directory.putDepartment({ _id: DESIGN, name: 'Design', isActive: true, version: 1 });
    expect(directory.summary(ID)).toEqual({
      ...visibleFields,
      department: { _id: DESIGN, name: 'Design' },
      version: 1,
    });
  });

  it('shows only a tombstone for a deleted or unknown user', () => {
    const directory = createDirectory();
    const tombstone = { _id: ID, firstName: 'Deleted', lastName: 'user', deleted: true };
    expect(directory.summary(ID)).toEqual(tombstone);
    directory.putUser({ ...ada, deleted: true });
    expect(directory.summary(ID)).toEqual(tombstone);
  });

  it('keeps the newest version regardless of the order of arrival', () => {
    const directory = createDirectory();
    for (const version of [2, 1, 3, 2]) directory.putUser({ ...ada, version, firstName: `Ada ${version}` });
    expect(directory.user(ID)?.firstName).toBe('Ada 3');
    for (const version of [2, 1])
      directory.putDepartment({ _id: DESIGN, name: `Design ${version}`, isActive: true, version });
    expect(directory.department(DESIGN)?.name).toBe('Design 2');
  });

  it('resolves a wait immediately, once the user matches, or at the timeout', async () => {
    const directory = createDirectory();
    directory.putUser(ada);
    expect(await directory.whenUser(ID, (user) => user?.role === 'member', 1_000)).toBe(true);
    const waiting = directory.whenUser(ID, (user) => user?.role === 'admin', 5_000);
    directory.putUser({ ...ada, version: 2, bio: 'unrelated' } as DirectoryUser);
    directory.putUser({ ...ada, version: 3, role: 'admin' });
    expect(await waiting).toBe(true);
    expect(await directory.whenUser(ID, () => false, 20)).toBe(false);
  });
});

describe('awaitActiveUsers', () => {
  const hasResolved = async (waiting: Promise<void>) =>
    Promise.race([waiting.then(() => true), Promise.resolve(false)]);

  it('resolves once the user has accepted an invitation', async () => {
    const directory = createDirectory();
    const waiting = awaitActiveUsers(directory, [ID]);
    directory.putUser({ ...ada, status: 'inactive' });
    expect(await hasResolved(waiting)).toBe(false);
    directory.putUser({ ...ada, version: 2 });
    await waiting;
    expect(isActive(directory.user(ID))).toBe(true);
  });

  it.each([{ sessionsValidAfter: 1 }, { deleted: true }])('does not wait for a user with %j', async (overrides) => {
    const directory = createDirectory();
    directory.putUser({ ...ada, status: 'inactive', ...overrides });
    const startedAt = performance.now();
    await awaitActiveUsers(directory, [ID]);
    expect(performance.now() - startedAt).toBeLessThan(1_000);
  });
});
