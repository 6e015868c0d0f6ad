import { describe, expect, it } from '@jest/globals';
import { pageQuery } from '../src/fields.ts';
import { createProjectBody, listProjects, updateProjectBody } from '../src/http/projects.ts';
import { createTaskBody, listMyTasks, listProjectTasks, listTasks } from '../src/http/tasks.ts';
import { sentences } from './sentences.ts';

const ID = 'a'.repeat(24);
const project = {
  name: 'Portal',
  description: 'For customers',
  projectManager: ID,
  priority: 'high',
  status: 'not-started',
};
const listErrors = (overrides: object) => sentences(createProjectBody, { ...project, ...overrides });

describe('a new project', () => {
  it('reports every missing field', () => {
    const expected = [
      'Project title is required',
      'Project description is required',
      'Please select a project manager',
      'Please select a priority level',
      'Please select an initial status',
    ];
    expect(sentences(createProjectBody, {})).toEqual(expected);
    const emptyBody = { name: ' ', description: '', projectManager: '', priority: '', status: '' };
    expect(sentences(createProjectBody, emptyBody)).toEqual(expect.arrayContaining(expected));
  });

  it('starts in one of three states', () => {
    for (const status of ['not-started', 'in-progress', 'on-hold']) expect(listErrors({ status })).toEqual([]);
    for (const status of ['completed', 'cancelled', 'done']) {
      expect(listErrors({ status })).toEqual(['Please select an initial status']);
    }
  });

  it('has one of four priorities', () => {
    for (const priority of ['urgent', 'high', 'medium', 'low']) expect(listErrors({ priority })).toEqual([]);
    expect(listErrors({ priority: 'highest' })).toEqual(['Invalid priority value']);
  });

  it('has an optional, non-negative budget', () => {
    for (const budget of [undefined, null, 0, 12.5, '1200', ' 12.50 ']) expect(listErrors({ budget })).toEqual([]);
    for (const budget of ['much', '', '-1', -1, '1e3', Number.NaN, Number.POSITIVE_INFINITY, {}, true]) {
      expect([budget, listErrors({ budget })]).toEqual([budget, ['Budget must be a valid number']]);
    }
    expect(createProjectBody.parse({ ...project, budget: '12.50' }).budget).toBe(12.5);
  });

  it('requires the manager as an id', () => {
    expect(listErrors({ projectManager: 'somebody' })).toEqual(['Invalid project manager selection']);
    expect(listErrors({ projectManager: ID.toUpperCase() })).toEqual(['Invalid project manager selection']);
  });

  it('is due in the years 0001 to 9999, in UTC', () => {
    const invalidDates = ['0000-01-01', '0001-01-01T00:00:00+10:00', '9999-12-31T23:59:59-10:00', 'soon', '', 5];
    for (const deadline of invalidDates)
      expect([deadline, listErrors({ deadline })]).toEqual([deadline, ['Invalid date']]);
    const validDates = ['0001-01-01', '0000-12-31T23:59:59-10:00', '9999-12-31T23:59:59Z', '9999-12-31'];
    for (const deadline of validDates) expect([deadline, listErrors({ deadline })]).toEqual([deadline, []]);
  });

  it('interprets a date as its start in UTC, and drops unknown fields', () => {
    const parsed = createProjectBody.parse({ ...project, deadline: '2027-03-01', progress: 90, isAdmin: true });
    expect(parsed.deadline).toBe('2027-03-01T00:00:00.000Z');
    expect(parsed).not.toHaveProperty('progress');
    expect(parsed).not.toHaveProperty('isAdmin');
    for (const deadline of ['tomorrow', '2027-02-30', 5]) expect(listErrors({ deadline })).toEqual(['Invalid date']);
  });
});

describe('a change to a project', () => {
  it('cannot remove the title or the description', () => {
    expect(sentences(updateProjectBody, { name: '', description: '  ' })).toEqual([
      'Project title is required',
      'Project description is required',
    ]);
    expect(sentences(updateProjectBody, {})).toEqual([]);
  });

  it('accepts a manager id of 24 characters only', () => {
    expect(sentences(updateProjectBody, { projectManager: 'x' })).toEqual(['Invalid project manager selection']);
  });

  it('has a progress between 0 and 100', () => {
    for (const progress of [0, 5, 100]) expect(sentences(updateProjectBody, { progress })).toEqual([]);
    for (const progress of [-1, 101, 2.5, '40', null])
      expect(sentences(updateProjectBody, { progress })).toHaveLength(1);
  });
});

describe('a task', () => {
  it('requires a title and a project', () => {
    expect(sentences(createTaskBody, {})).toEqual(['Task title is required', 'Project is required']);
  });
});

describe('a page', () => {
  it('has 10 entries by default and at most 100', () => {
    expect(pageQuery.parse({})).toEqual({ page: 1, limit: 10 });
    expect(pageQuery.parse({ page: '3', limit: '1000' })).toEqual({ page: 3, limit: 100 });
    for (const text of ['0', '-1', 'many', '1.5', ''])
      expect(pageQuery.parse({ page: text, limit: text })).toEqual({ page: 1, limit: 10 });
  });

  it('covers the first 10,000 rows of every list', () => {
    const narrowSearch = ['Narrow the search to see more'];
    expect(sentences(pageQuery, { page: '1000', limit: '10' })).toEqual([]);
    expect(sentences(pageQuery, { page: '1001' })).toEqual(narrowSearch);
    expect(sentences(pageQuery, { page: '101', limit: '1000' })).toEqual(narrowSearch);
    for (const list of [listProjects, listTasks, listMyTasks, listProjectTasks]) {
      expect(sentences(list.query, { page: '1000000' })).toEqual(narrowSearch);
    }
  });
});
