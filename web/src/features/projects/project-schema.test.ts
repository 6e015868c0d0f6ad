import type { Project } from '@atrium/proto-events/http/projects';
import { describe, expect, it } from '@jest/globals';
import { buildProject } from '#test/build-project.ts';
import { type EditProjectValues, editProjectSchema, newProjectSchema } from './project-schema.ts';

const id = '65f0c0ffee0000000000000a';
const project = (overrides: Partial<Project> = {}) => buildProject({ progress: 40, ...overrides });

function edit(current: Project, changes: Partial<EditProjectValues>) {
  const values = { name: 'Portal', description: 'Relaunch', priority: 'high', endDate: '', budget: null };
  const { status, progress } = current;
  return editProjectSchema(current).safeParse({ ...values, status, progress, ...changes });
}

const messages = (result: ReturnType<typeof edit>) => result.error?.issues.map((issue) => issue.message) ?? [];

describe('editProjectSchema', () => {
  it('rejects lower progress', () => {
    expect(messages(edit(project(), { progress: 20 }))).toEqual(['Progress cannot decrease from 40% to 20%']);
  });

  it('rejects changed progress unless in progress or completed', () => {
    expect(messages(edit(project({ status: 'on-hold' }), { progress: 60 }))).toEqual([
      'Progress can only be updated when status is "In Progress" or "Completed"',
    ]);
  });

  it('sends progress only if it was changed', () => {
    expect(edit(project({ status: 'on-hold' }), { name: 'New' }).data).not.toHaveProperty('progress');
    expect(edit(project(), { progress: 45 }).data).toMatchObject({ progress: 45 });
  });

  it('rejects reopening a completed project', () => {
    expect(messages(edit(project({ status: 'completed', progress: 100 }), { status: 'in-progress' }))).toEqual([
      'Cannot revert status from "Completed". Completed projects are final.',
    ]);
  });
});

describe('newProjectSchema', () => {
  const values = {
    name: 'Portal',
    description: 'Relaunch',
    projectManager: id,
    priority: 'high',
    status: 'not-started',
    teamMembers: [],
    startDate: '',
    deadline: '2026-12-01',
    budget: null,
  };

  it('sends days as entered', () => {
    expect(newProjectSchema.parse(values)).toMatchObject({ startDate: null, deadline: '2026-12-01T00:00:00.000Z' });
  });

  it('names each missing field', () => {
    const empty = { ...values, name: ' ', description: '', projectManager: '', priority: '', status: '' };
    const errorText = newProjectSchema.safeParse(empty).error?.issues.map((issue) => issue.message);
    expect(errorText).toEqual(
      expect.arrayContaining([
        'Project title is required',
        'Project description is required',
        'Please select a project manager',
        'Please select a priority level',
        'Please select an initial status',
      ]),
    );
  });
});
