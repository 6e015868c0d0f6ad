import type { Project } from '@atrium/proto-events/http/projects';
import { describe, expect, it } from '@jest/globals';
import { assigneeOptions, holderOptions } from './assignees.tsx';

const person = (digit: string, firstName: string) => ({ _id: digit.repeat(24), firstName, lastName: 'Brandt' });
const lena = { ...person('1', 'Lena'), status: 'active' as const };
const maya = { ...person('2', 'Maya'), status: 'active' as const };
const otto = { ...person('3', 'Otto'), status: 'inactive' as const };
const gone = { ...person('4', 'Deleted'), deleted: true as const };
const outside = person('5', 'Olga');

const project: Project = {
  _id: 'a'.repeat(24),
  name: 'Portal',
  description: 'Relaunch',
  priority: 'high',
  status: 'in-progress',
  projectManager: lena,
  teamMembers: [otto, maya, gone],
  progress: 0,
  budget: null,
  startDate: null,
  deadline: null,
  endDate: null,
  createdBy: lena._id,
  createdAt: '2026-01-01T00:00:00.000Z',
  updatedAt: '2026-01-01T00:00:00.000Z',
  version: 1,
  abilities: { update: true, updateProgress: true, delete: true, manageMembers: true, createTasks: true },
  refusals: {},
};

const ids = (options: { value: string }[]) => options.map(({ value }) => value);

describe('the people of a project', () => {
  it('can be given its tasks unless they are gone, whoever looks first', () => {
    expect(ids(assigneeOptions(project, maya))).toEqual([maya._id, lena._id]);
  });

  it('stand there, too, where they have the task, gone or not of the project', () => {
    expect(ids(assigneeOptions(project, lena, otto))).toEqual([lena._id, maya._id, otto._id]);
    expect(ids(assigneeOptions(project, lena, outside))).toEqual([lena._id, maya._id, outside._id]);
    expect(ids(assigneeOptions(project, lena, maya))).toEqual([lena._id, maya._id]);
  });

  it('can all be looked for by the tasks that they have', () => {
    expect(ids(holderOptions(project, lena))).toEqual([lena._id, otto._id, maya._id, gone._id]);
  });
});
