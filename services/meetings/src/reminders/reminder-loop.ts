import { meetingDue } from '@atrium/proto-events/events/meeting-reminders';
import { preferencesOf } from '@atrium/proto-events/preferences';
import { isActive } from '@atrium/service-kit/directory/active-users';
import type { Directory } from '@atrium/service-kit/directory/directory';
import { appendEvent } from '@atrium/service-kit/messaging/outbox';
import type { Logger } from '@atrium/service-kit/observability/logger';
import type { Db, Queryable } from '@atrium/service-kit/postgres/postgres';
import { type PollingLoop, startPollingLoop } from '@atrium/service-kit/process/polling-loop';
import { meetingEventData } from '../meetings/meeting-event-data.ts';
import { readMeeting } from '../meetings/meeting-repository.ts';
import { type EarlyReminders, followEarlyReminders } from './early-reminders.ts';
import { listUpcoming, takeReminders, type UpcomingParticipant } from './reminder-repository.ts';

type Deps = { db: Db; directory: Directory; early: EarlyReminders };

/** Reminders per transaction. */
const BATCH_SIZE = 500;
const MINUTE_MS = 60_000;

/**
 * Publishes due reminders; safe to run concurrently on every pod, since a reminder and its record are one commit. Returns whether more are
 * due.
 */
async function sendDueReminders({ db, directory, early }: Deps): Promise<boolean> {
  const { now, coming } = await listUpcoming(db, early);
  const due = coming.filter((one) => isDue(directory, one, now));
  if (due.length === 0) return false;
  const taken = await db.transaction((tx) => publishReminders(tx, due.slice(0, BATCH_SIZE)));
  return taken > 0 && due.length > BATCH_SIZE;
}

/** Users missing from the directory are retried in the next round. */
function isDue(directory: Directory, { user_id, starts_at }: UpcomingParticipant, now: Date): boolean {
  const person = directory.user(user_id);
  if (!person || !isActive(person)) return false;
  const { reminderMinutes } = preferencesOf(person);
  return reminderMinutes !== null && starts_at.getTime() - reminderMinutes * MINUTE_MS <= now.getTime();
}

async function publishReminders(tx: Queryable, due: readonly UpcomingParticipant[]): Promise<number> {
  const taken = await takeReminders(tx, due);
  const meetingIds = [...new Set(taken.map(({ meeting_id }) => meeting_id))];
  for (const id of meetingIds) {
    const personIds = taken.filter(({ meeting_id }) => meeting_id === id).map(({ user_id }) => user_id);
    const facts = await meetingEventData(tx, await readMeeting(tx, id));
    await appendEvent(tx, {
      event: meetingDue,
      data: { ...facts, personIds },
      aggregate: facts.calendarId,
      actorId: null,
    });
  }
  return taken.length;
}

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
