import { describe, expect, it } from '@jest/globals';
import { buildProject } from '#test/build-project.ts';
import { assigneeFilterOptions, assigneeOptions } from './assignees.tsx';

const person = (digit: string, firstName: string) => ({ _id: digit.repeat(24), firstName, lastName: 'Brandt' });
const lena = { ...person('1', 'Lena'), status: 'active' as const };
const maya = { ...person('2', 'Maya'), status: 'active' as const };
const otto = { ...person('3', 'Otto'), status: 'inactive' as const };
const deletedMember = { ...person('4', 'Deleted'), deleted: true as const };
const outsider = person('5', 'Olga');

const project = buildProject({ projectManager: lena, teamMembers: [otto, maya, deletedMember] });

const ids = (options: { value: string }[]) => options.map(({ value }) => value);

describe('task assignees', () => {
  it('include active project members, the current user first', () => {
    expect(ids(assigneeOptions(project, maya))).toEqual([maya._id, lena._id]);
  });

  it('include the current assignee, even if inactive or no longer in the project', () => {
    expect(ids(assigneeOptions(project, lena, otto))).toEqual([lena._id, maya._id, otto._id]);
    expect(ids(assigneeOptions(project, lena, outsider))).toEqual([lena._id, maya._id, outsider._id]);
    expect(ids(assigneeOptions(project, lena, maya))).toEqual([lena._id, maya._id]);
  });

  it('are all available as filter options', () => {
    expect(ids(assigneeFilterOptions(project, lena))).toEqual([lena._id, otto._id, maya._id, deletedMember._id]);
  });
});
