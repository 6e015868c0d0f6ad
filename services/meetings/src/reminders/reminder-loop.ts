import type { Directory } from '@atrium/service-kit/directory/directory';
import type { Logger } from '@atrium/service-kit/observability/logger';
import type { Db } from '@atrium/service-kit/postgres/postgres';
import { type PollingLoop, startPollingLoop } from '@atrium/service-kit/process/polling-loop';
import { followEarlyReminders } from './early-reminders.ts';
import { remindPeople } from './remind-people.ts';

/** How exact a reminder is. */
const LOOK_MS = 5_000;

/** Looks for reminders that are due for as long as the process lives; every pod does. */
export function startReminders({ db, directory, log }: { db: Db; directory: Directory; log: Logger }): PollingLoop {
  const early = followEarlyReminders(directory);
  return startPollingLoop({
    what: 'reminders',
    everyMs: LOOK_MS,
    log,
    round: () => remindPeople({ db, directory, early }),
  });
}
