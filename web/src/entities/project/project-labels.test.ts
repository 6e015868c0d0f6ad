import { describe, expect, it } from '@jest/globals';
import { dueDateLabel, dueDay, isOverdue } from './project-labels.ts';

const buildProject = (changes: object) => ({
  deadline: '2026-11-20T00:00:00.000Z',
  endDate: null,
  status: 'in-progress' as const,
  ...changes,
});

describe('project due date', () => {
  it('uses the deadline, otherwise the end date, independent of the time zone', () => {
    expect(dueDay(buildProject({}))).toBe('2026-11-20');
    expect(dueDay(buildProject({ deadline: null, endDate: '2026-12-01T00:00:00.000Z' }))).toBe('2026-12-01');
    expect(dueDay(buildProject({ deadline: null }))).toBe('');
  });

  it('is overdue from the next day, unless the project is completed or canceled', () => {
    expect(isOverdue(buildProject({}), '2026-11-20')).toBe(false);
    expect(isOverdue(buildProject({}), '2026-11-21')).toBe(true);
    expect(isOverdue(buildProject({ status: 'completed' }), '2026-11-21')).toBe(false);
    expect(isOverdue(buildProject({ status: 'cancelled' }), '2026-11-21')).toBe(false);
    expect(isOverdue(buildProject({ deadline: null }), '2026-11-21')).toBe(false);
  });

  it('labels the due date', () => {
    expect(dueDateLabel(buildProject({}), '2026-11-19')).toMatch(/^Due .*2026/);
    expect(dueDateLabel(buildProject({}), '2026-11-21')).toMatch(/^Overdue since .*2026/);
  });
});
