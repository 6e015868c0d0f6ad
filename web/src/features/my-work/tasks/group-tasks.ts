import type { Task } from '@atrium/proto-events/http/tasks';
import { addDays, type Day, dateOfDay, storedDay } from '#lib/time/day.ts';

export type GroupName = 'Overdue' | 'Today' | 'This week' | 'Later' | 'No due date';

export type TaskGroup = { name: GroupName; tasks: readonly Task[] };

const GROUP_NAMES: readonly GroupName[] = ['Overdue', 'Today', 'This week', 'Later', 'No due date'];

type WeekContext = { today: Day; weekStart: number };

/** Groups tasks by due date, in the time zone of the browser. Groups without tasks are left out. */
export function groupTasks(tasks: readonly Task[], context: WeekContext): TaskGroup[] {
  const lastDay = lastDayOfWeek(context);
  const groups = Map.groupBy(tasks, ({ dueDate }) => groupOf(storedDay(dueDate), context.today, lastDay));
  return GROUP_NAMES.flatMap((name) => {
    const grouped = groups.get(name);
    return grouped ? [{ name, tasks: grouped }] : [];
  });
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
