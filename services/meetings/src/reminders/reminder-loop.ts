import type { Directory } from '@atrium/service-kit/directory/directory';
import type { Logger } from '@atrium/service-kit/observability/logger';
import type { Db } from '@atrium/service-kit/postgres/postgres';
import { type PollingLoop, startPollingLoop } from '@atrium/service-kit/process/polling-loop';
import { followEarlyReminders } from './early-reminders.ts';
import { sendDueReminders } from './remind-people.ts';

/** The precision of reminders. */
const POLL_INTERVAL_MS = 5_000;

/** Runs on every pod. */
export function startReminders({ db, directory, log }: { db: Db; directory: Directory; log: Logger }): PollingLoop {
  const early = followEarlyReminders(directory);
  return startPollingLoop({
    what: 'reminders',
    intervalMs: POLL_INTERVAL_MS,
    log,
    round: () => sendDueReminders({ db, directory, early }),
  });
}
