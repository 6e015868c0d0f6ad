import type { Task } from '@atrium/proto-events/http/tasks';

/** Builds a task of `buildProject()` whose id consists of the letter; the caller has every permission. */
export function buildTask(letter: string, overrides: Partial<Task> = {}): Task {
  return {
    _id: letter.repeat(24),
    title: `Task ${letter}`,
    description: '',
    status: 'todo',
    priority: 'medium',
    project: 'b'.repeat(24),
    assignedTo: null,
    startDate: null,
    dueDate: null,
    progress: 0,
    commentCount: 0,
    completedAt: null,
    origin: null,
    createdBy: { _id: 'a'.repeat(24), firstName: 'Lena', lastName: 'Brandt' },
    createdAt: '2026-01-01T00:00:00.000Z',
    updatedAt: '2026-01-01T00:00:00.000Z',
    version: 1,
    membership: 'member',
    abilities: { update: true, updateStatus: true, comment: true, delete: true },
    ...overrides,
  };
}
