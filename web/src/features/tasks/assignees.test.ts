import { describe, expect, it } from '@jest/globals';
import { buildProject } from '../../../test/a-project.ts';
import { assigneeOptions, holderOptions } from './assignees.tsx';

const person = (digit: string, firstName: string) => ({ _id: digit.repeat(24), firstName, lastName: 'Brandt' });
const lena = { ...person('1', 'Lena'), status: 'active' as const };
const maya = { ...person('2', 'Maya'), status: 'active' as const };
const otto = { ...person('3', 'Otto'), status: 'inactive' as const };
const gone = { ...person('4', 'Deleted'), deleted: true as const };
const outside = person('5', 'Olga');

const project = buildProject({ projectManager: lena, teamMembers: [otto, maya, gone] });

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
