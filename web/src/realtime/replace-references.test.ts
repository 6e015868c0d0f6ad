import { describe, expect, it } from '@jest/globals';
import { buildProject } from '../../test/build-project.ts';
import { buildTask } from '../../test/build-task.ts';
import { buildUser } from '../../test/build-user.ts';
import { replaceReferences } from './replace-references.ts';

const lena = { ...buildUser('a', { firstName: 'Lena', lastName: 'Brandt' }) };
const renamed = { ...lena, lastName: 'Fischer', email: 'fischer@example.org', version: 2 };
const renaming = { id: lena._id, action: 'updated' as const, item: renamed };
const summary = ({ _id, firstName, lastName, version }: typeof lena) => ({ _id, firstName, lastName, version });

describe('replaceReferences', () => {
  it('renames a user wherever the response refers to them, with the fields of each reference', () => {
    const task = buildTask('c', { assignedTo: summary(lena), createdBy: { ...summary(lena), avatar: null } });
    const project = buildProject({ teamMembers: [summary(lena), buildUser('b')] });
    const data = { data: [task, project], total: 2 };
    const changed = replaceReferences(data, { ...renaming, item: { ...renamed, avatar: '/avatar.png' } });
    expect(changed).toEqual({
      data: [
        { ...task, assignedTo: summary(renamed), createdBy: { ...summary(renamed), avatar: '/avatar.png' } },
        {
          ...project,
          projectManager: { ...project.projectManager, lastName: 'Fischer' },
          teamMembers: [summary(renamed), buildUser('b')],
        },
      ],
      total: 2,
    });
  });

  it('keeps fields that belong to the resource, such as a permission', () => {
    const shares = [{ ...summary(lena), permission: 'view' }];
    expect(replaceReferences(shares, renaming)).toEqual([{ ...summary(renamed), permission: 'view' }]);
  });

  it('renames the department of users', () => {
    const department = { _id: 'd'.repeat(24), name: 'Design' };
    const users = [buildUser('a', { department }), buildUser('b')];
    const change = { id: department._id, action: 'updated' as const, item: { ...department, name: 'UX', version: 3 } };
    expect(replaceReferences(users, change)).toEqual([
      { ...users[0], department: { ...department, name: 'UX' } },
      users[1],
    ]);
  });

  it('shows a deleted user as the server does, with the fields of the resource', () => {
    const shares = { data: [{ ...summary(lena), permission: 'view' }], createdBy: lena._id };
    expect(replaceReferences(shares, { id: lena._id, action: 'deleted' })).toEqual({
      data: [{ _id: lena._id, firstName: 'Deleted', lastName: 'user', deleted: true, permission: 'view' }],
      createdBy: lena._id,
    });
  });

  it('ignores an earlier version than that of the reference', () => {
    const data = [summary({ ...renamed, version: 3 })];
    expect(replaceReferences(data, renaming)).toBe(data);
  });

  it('renames a reference without a version', () => {
    const { version: _version, ...reference } = summary(lena);
    expect(replaceReferences([reference], renaming)).toEqual([{ ...reference, lastName: 'Fischer' }]);
  });

  it('renames a user again in items that were renamed before', () => {
    const tasks = [buildTask('c', { assignedTo: summary(lena) }), buildTask('d')];
    const assigned = replaceReferences(tasks, { id: buildUser('b')._id, action: 'updated', item: buildUser('b') });
    const once = replaceReferences(assigned, renaming);
    const item = { ...renamed, lastName: 'Weber', version: 3 };
    expect(replaceReferences(once, { ...renaming, item })).toMatchObject([{ assignedTo: { lastName: 'Weber' } }, {}]);
  });

  it('returns the same object, and the same parts of it, where nothing changes', () => {
    const withoutUser = { data: [buildTask('c', { assignedTo: buildUser('b') })], total: 1 };
    const other = { ...renaming, id: 'e'.repeat(24) };
    for (const data of [withoutUser, [], null, undefined, 'text', { data: [summary(renamed)] }])
      expect(replaceReferences(data, data === withoutUser ? other : renaming)).toBe(data);
    const untouched = buildTask('f', { createdBy: buildUser('b') });
    const changed = replaceReferences([buildTask('c', { assignedTo: summary(lena) }), untouched], renaming);
    expect((changed as unknown[])[1]).toBe(untouched);
  });
});
