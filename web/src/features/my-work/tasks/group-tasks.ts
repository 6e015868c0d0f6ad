import type { Task } from '@atrium/proto-events/http/tasks';
import { addDays, type Day, dateOfDay, storedDay } from '#lib/time/day.ts';

export type GroupName = 'Overdue' | 'Today' | 'This week' | 'Later' | 'No due date';

/** `hasMore`: only the first of its tasks are loaded. */
export type TaskGroup = { name: GroupName; tasks: readonly Task[]; hasMore: boolean };

const GROUP_NAMES: readonly GroupName[] = ['Overdue', 'Today', 'This week', 'Later', 'No due date'];

type WeekContext = { today: Day; weekStart: number };
type GroupContext = WeekContext & { hasMore: boolean };

/** Groups tasks by due date, in the time zone of the browser. Groups without tasks are left out. */
export function groupTasks(tasks: readonly Task[], { hasMore, ...context }: GroupContext): TaskGroup[] {
  const lastDay = lastDayOfWeek(context);
  const groups = Map.groupBy(tasks, ({ dueDate }) => groupOf(storedDay(dueDate), context.today, lastDay));
  const names = GROUP_NAMES.filter((name) => groups.has(name));
  return names.map((name) => ({
    name,
    tasks: groups.get(name) ?? [],
    hasMore: hasMore && name === names.at(-1),
  }));
}

function groupOf(day: Day, today: Day, lastDay: Day): GroupName {
  if (day === '') return 'No due date';
  if (day < today) return 'Overdue';
  if (day === today) return 'Today';
  return day <= lastDay ? 'This week' : 'Later';
}

/** Weeks start with the weekday `weekStart`, as in `Date.getDay`. */
function lastDayOfWeek({ today, weekStart }: WeekContext): Day {
  const weekday = dateOfDay(today)?.getDay() ?? weekStart;
  return addDays(today, (weekStart + 6 - weekday + 7) % 7);
}
