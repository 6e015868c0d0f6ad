import { buildUser } from '@atrium/test-kit/build-user';
import { describe, expect, it } from '@jest/globals';
import { findProjectsByNames, findUsersByNames } from './find-by-names.ts';

const CALLER = 'c'.repeat(24);
const users = ['Ann', 'Anna', 'Ben'].map((firstName) => buildUser({ firstName, lastName: 'Lee' }));
const [ann, anna, ben] = users.map(({ _id }) => _id) as [string, string, string];

function createDirectory() {
  let reads = 0;
  return {
    users: () => {
      reads += 1;
      return users.values();
    },
    countReads: () => reads,
  };
}

describe('users by names', () => {
  it('are found in one pass through the directory, with ids and the caller', () => {
    const directory = createDirectory();
    expect(findUsersByNames(directory, ['ben', 'me', 'ann lee', ann], CALLER).toSorted()).toEqual(
      [ben, CALLER, ann, anna, ann].toSorted(),
    );
    expect(directory.countReads()).toBe(1);
  });

  it('are those of the first ten names', () => {
    const others = Array.from({ length: 9 }, (_, index) => `other${index}`);
    expect(findUsersByNames(createDirectory(), [...others, 'ben', 'anna'], CALLER)).toEqual([ben]);
  });
});

describe('projects by names', () => {
  const projects = [
    ['1', 'Customer Portal', false],
    ['2', 'Old Portal', true],
    ['3', 'Store', false],
  ].map(([digit, name, deleted]) => ({
    _id: String(digit).repeat(24),
    name: String(name),
    managerId: CALLER,
    memberIds: [],
    deleted: deleted === true,
    version: 1,
  }));
  const find = (...values: string[]) => findProjectsByNames({ projects: () => projects.values() }, values);

  it('are found by the beginnings of words and by ids, without deleted ones', () => {
    expect(find('#portal')).toEqual(['1'.repeat(24)]);
    expect(find('cust port')).toEqual(['1'.repeat(24)]);
    expect(find('3'.repeat(24), 'ortal')).toEqual(['3'.repeat(24)]);
  });
});
