import type { Project } from '@atrium/proto-events/http/projects';
import { describe, expect, it } from '@jest/globals';
import { countOf } from './use-dashboard-counts.ts';

const someone = { _id: '65f0c0ffee0000000000000a', firstName: 'Lena', lastName: 'Brandt' };

const project = (status: Project['status'], deadline: string | null = null): Project => ({
  _id: '65f0c0ffee0000000000000b',
  name: 'Portal',
  description: 'Relaunch',
  priority: 'high',
  status,
  projectManager: someone,
  teamMembers: [],
  progress: 0,
  budget: null,
  startDate: null,
  deadline,
  endDate: null,
  createdBy: someone._id,
  createdAt: '2020-01-01T00:00:00.000Z',
  updatedAt: '2020-01-01T00:00:00.000Z',
  version: 1,
  abilities: { update: true, updateProgress: true, delete: true, manageMembers: true, createTasks: true },
  refusals: {},
});

const PAST = '2020-01-01T00:00:00.000Z';

describe('the counts of a dashboard without its figures', () => {
  it('take what is in progress or not started as active, and what is past and open as overdue', () => {
    const projects = [
      project('in-progress', PAST),
      project('not-started'),
      project('on-hold', PAST),
      project('completed', PAST),
      project('cancelled', PAST),
    ];
    expect(countOf(projects, '2026-11-22')).toEqual({ active: 2, completed: 1, overdue: 2 });
  });
});
