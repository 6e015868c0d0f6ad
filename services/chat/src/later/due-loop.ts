import type { Logger } from '@atrium/service-kit/observability/logger';
import { type PollingLoop, startPollingLoop } from '@atrium/service-kit/process/polling-loop';
import type { Deps } from '../deps.ts';
import { publishDueReminders } from './reminders.ts';
import { sendDueMessages } from './send-scheduled.ts';

const INTERVAL_MS = 2_000;
const BATCH_SIZE = 100;

/** Sends scheduled messages and publishes reminders. Runs on every pod: each claims what no other one has locked. */
export function startDueLoop(deps: Deps, log: Logger): PollingLoop {
  return startPollingLoop({
    name: 'scheduled messages and reminders',
    intervalMs: INTERVAL_MS,
    log,
    async round() {
      // First, so that a message that fails to be sent does not delay them.
      const hasMoreReminders = await publishDueReminders(deps, BATCH_SIZE);
      return (await sendDueMessages(deps, BATCH_SIZE)) || hasMoreReminders;
    },
  });
}
