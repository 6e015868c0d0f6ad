import type { Project } from '@atrium/proto-events/http/projects';
import { describe, expect, it } from '@jest/globals';
import { buildProject } from '#test/build-project.ts';
import { countProjects } from './use-dashboard-counts.ts';

const project = (status: Project['status'], deadline: string | null = null) => buildProject({ status, deadline });

const PAST = '2020-01-01T00:00:00.000Z';

describe('dashboard counts without server statistics', () => {
  it('counts in-progress and not-started projects as active, and open ones past their due date as overdue', () => {
    const projects = [
      project('in-progress', PAST),
      project('not-started'),
      project('on-hold', PAST),
      project('completed', PAST),
      project('cancelled', PAST),
    ];
    expect(countProjects(projects, '2026-11-22')).toEqual({ active: 2, completed: 1, overdue: 2 });
  });
});
