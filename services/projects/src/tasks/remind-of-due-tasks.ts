import { taskDue } from '@atrium/proto-events/events/projects';
import { isActive } from '@atrium/service-kit/directory/active-users';
import type { Directory } from '@atrium/service-kit/directory/directory';
import { appendEvents } from '@atrium/service-kit/messaging/outbox';
import type { Logger } from '@atrium/service-kit/observability/logger';
import type { Db } from '@atrium/service-kit/postgres/postgres';
import { type PollingLoop, startPollingLoop } from '@atrium/service-kit/process/polling-loop';
import { toTaskEventData } from './present-task.ts';
import { findRemindedDates, toLocalTime } from './reminder-times.ts';
import { claimDueTasks, type Reminder } from './task-repository.ts';

type Deps = { db: Db; directory: Pick<Directory, 'users'> };

const POLL_INTERVAL_MS = 30_000;
const BATCH_SIZE = 500;

/** Publishes open tasks that are due, when a day of their assignee starts: each once, until its reminder is reset. */
export function startTaskReminders({ log, ...deps }: Deps & { log: Logger }): PollingLoop {
  return startPollingLoop({
    name: 'task reminders',
    intervalMs: POLL_INTERVAL_MS,
    log,
    round: () => publishDueTasks(deps, new Date()),
  });
}

/** Returns whether there may be more. */
export async function publishDueTasks({ db, directory }: Deps, now: Date): Promise<boolean> {
  const reminders = listReminders(directory, now);
  if (reminders.length === 0) return false;
  const publishedCount = await db.transaction(async (tx) => {
    const rows = await claimDueTasks(tx, reminders, BATCH_SIZE);
    await appendEvents(
      tx,
      rows.map((row) => ({
        event: taskDue,
        data: { ...toTaskEventData(row), assignedTo: row.assignedTo, dueDate: row.dueDate },
        aggregate: row.id,
        actorId: null,
      })),
    );
    return rows.length;
  });
  return publishedCount === BATCH_SIZE;
}

function listReminders(directory: Deps['directory'], now: Date): Reminder[] {
  const usersByZone = Map.groupBy([...directory.users()].filter(isActive), ({ timezone }) => timezone);
  return [...usersByZone].flatMap(([timezone, users]) => {
    const localTime = toLocalTime(timezone, now);
    return users.flatMap((user) => {
      const dates = findRemindedDates(user, localTime);
      return dates ? [{ userId: user._id, ...dates }] : [];
    });
  });
}
