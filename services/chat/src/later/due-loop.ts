import type { Logger } from '@atrium/service-kit/observability/logger';
import { type PollingLoop, startPollingLoop } from '@atrium/service-kit/process/polling-loop';
import type { Deps } from '../deps.ts';
import { publishDueReminders } from './reminders.ts';
import { type FailedAttempts, sendDueMessages } from './send-scheduled.ts';

const INTERVAL_MS = 2_000;
const BATCH_SIZE = 100;

/** Sends scheduled messages and publishes reminders. Runs on every pod: each claims what no other one has locked. */
export function startDueLoop(deps: Deps, log: Logger): PollingLoop {
  const attempts: FailedAttempts = new Map();
  return startPollingLoop({
    name: 'scheduled messages and reminders',
    intervalMs: INTERVAL_MS,
    log,
    async round() {
      // Neither waits for the other to succeed.
      const results = await Promise.allSettled([
        publishDueReminders(deps, BATCH_SIZE),
        sendDueMessages(deps, BATCH_SIZE, attempts),
      ]);
      const errors = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []));
      if (errors.length > 0) throw new AggregateError(errors, 'Failed to process what is due');
      return results.some((result) => result.status === 'fulfilled' && result.value);
    },
  });
}
