import { expect, it } from '@jest/globals';
import { buildTask } from '#test/build-task.ts';
import { groupTasks } from './group-tasks.ts';

const dueOn = (day: string | null) => buildTask('a', { title: day ?? 'none', dueDate: day && `${day}T00:00:00.000Z` });

const summarize = (days: readonly (string | null)[], today: string, weekStart: number) =>
  groupTasks(days.map(dueOn), { today, weekStart, hasMore: false }).map(({ name, tasks }) => [
    name,
    ...tasks.map(({ title }) => title),
  ]);

it('tasks are grouped by due date, and groups without tasks are left out', () => {
  const days = ['2026-11-24', '2026-11-25', '2026-11-26', '2026-11-29', '2026-11-30', null];
  // A Wednesday, in weeks from Monday.
  expect(summarize(days, '2026-11-25', 1)).toEqual([
    ['Overdue', '2026-11-24'],
    ['Today', '2026-11-25'],
    ['This week', '2026-11-26', '2026-11-29'],
    ['Later', '2026-11-30'],
    ['No due date', 'none'],
  ]);
  expect(summarize(['2026-11-26'], '2026-11-25', 1)).toEqual([['This week', '2026-11-26']]);
  expect(summarize([], '2026-11-25', 1)).toEqual([]);
});

it.each([
  [0, '2026-11-28'],
  [1, '2026-11-29'],
  [6, '2026-11-27'],
])('a week that starts with weekday %i ends on %s', (weekStart, lastDay) => {
  const days = ['2026-11-27', '2026-11-28', '2026-11-29', '2026-11-30'];
  const [thisWeek] = summarize(days, '2026-11-25', weekStart);
  expect(thisWeek?.[0]).toBe('This week');
  expect(thisWeek?.at(-1)).toBe(lastDay);
});

it('only the last group may lack tasks that are not loaded', () => {
  const tasks = ['2026-11-24', '2026-11-25'].map(dueOn);
  const groups = groupTasks(tasks, { today: '2026-11-25', weekStart: 1, hasMore: true });
  expect(groups.map(({ name, hasMore }) => [name, hasMore])).toEqual([
    ['Overdue', false],
    ['Today', true],
  ]);
});

it('on the last day of a week, the next day is later', () => {
  expect(summarize(['2026-11-29', '2026-11-30'], '2026-11-29', 1)).toEqual([
    ['Today', '2026-11-29'],
    ['Later', '2026-11-30'],
  ]);
});
