import type { Task } from '@atrium/proto-events/http/tasks';
import { describe, expect, it } from '@jest/globals';
import { isOverdueTask, shortDay } from '#entities/task/task-labels.ts';
import { applyPendingMoves, countNetMoves, type Moves } from './use-task-moves.ts';

const someone = { _id: '65f0c0ffee0000000000000a', firstName: 'Lena', lastName: 'Brandt' };

function task(_id: string, changes: Partial<Task> = {}): Task {
  return {
    _id,
    title: _id,
    description: '',
    status: 'todo',
    priority: 'medium',
    project: '65f0c0ffee0000000000000b',
    assignedTo: null,
    startDate: null,
    dueDate: null,
    progress: 0,
    commentCount: 0,
    completedAt: null,
    origin: null,
    createdBy: someone,
    createdAt: '2026-11-20T12:00:00.000Z',
    updatedAt: '2026-11-20T12:00:00.000Z',
    version: 1,
    membership: 'member',
    abilities: { update: true, updateStatus: true, comment: true, delete: true },
    ...changes,
  };
}

const ids = (tasks: readonly Task[]) => tasks.map(({ _id }) => _id);
const buildMove = (movedTask: Task, to: Task['status']): Moves => new Map([[movedTask._id, { task: movedTask, to }]]);

describe('optimistic task move', () => {
  const card = task('card', { priority: 'high' });
  const inReview = [task('urgent', { priority: 'urgent', status: 'review' }), task('low', { priority: 'low' })];

  it('leaves its column and count immediately', () => {
    expect(ids(applyPendingMoves([card, task('other')], 'todo', buildMove(card, 'review')))).toEqual(['other']);
    expect(countNetMoves([card, task('other')], 'todo', buildMove(card, 'review'))).toBe(-1);
  });

  it("appears where the server will put it, with the column's status", () => {
    const displayedTasks = applyPendingMoves(inReview, 'review', buildMove(card, 'review'));
    expect(ids(displayedTasks)).toEqual(['urgent', 'card', 'low']);
    expect(displayedTasks[1]?.status).toBe('review');
    expect(countNetMoves(inReview, 'review', buildMove(card, 'review'))).toBe(1);
  });

  it('appears once if the loaded list already contains it', () => {
    const loadedTasks = [...inReview, { ...card, status: 'review' as const }];
    expect(ids(applyPendingMoves(loadedTasks, 'review', buildMove(card, 'review')))).toEqual(['urgent', 'low', 'card']);
    expect(countNetMoves(loadedTasks, 'review', buildMove(card, 'review'))).toBe(0);
  });

  it('is sorted by due date within its priority', () => {
    const dated = task('dated', { dueDate: '2026-11-25T00:00:00.000Z' });
    const others = [task('earlier', { dueDate: '2026-11-24T00:00:00.000Z' }), task('undated')];
    expect(ids(applyPendingMoves(others, 'done', buildMove(dated, 'done')))).toEqual(['earlier', 'dated', 'undated']);
  });
});

describe('task due day', () => {
  it('is overdue from the next day, unless the task is done', () => {
    const due = { dueDate: '2026-11-20T00:00:00.000Z', status: 'review' as const };
    expect(isOverdueTask(due, '2026-11-20')).toBe(false);
    expect(isOverdueTask(due, '2026-11-21')).toBe(true);
    expect(isOverdueTask({ ...due, status: 'done' }, '2026-11-21')).toBe(false);
  });

  it('includes the year only if it is not the current one', () => {
    expect(shortDay('2026-12-01', '2026-11-20')).not.toMatch(/2026/);
    expect(shortDay('2027-01-01', '2026-11-20')).toMatch(/2027/);
  });
});
