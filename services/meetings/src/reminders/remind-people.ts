import { meetingDue } from '@atrium/proto-events/events/meeting-reminders';
import { preferencesOf } from '@atrium/proto-events/preferences';
import { isActive } from '@atrium/service-kit/directory/active-users';
import type { Directory } from '@atrium/service-kit/directory/directory';
import { appendEvent } from '@atrium/service-kit/messaging/outbox';
import type { Db, Queryable } from '@atrium/service-kit/postgres/postgres';
import { meetingFacts } from '../meetings/meeting-event-data.ts';
import { readMeeting } from '../meetings/meeting-repository.ts';
import type { EarlyReminders } from './early-reminders.ts';
import { type Coming, listComing, takeReminders } from './reminder-repository.ts';

type Deps = { db: Db; directory: Directory; early: EarlyReminders };

/** So many reminders are told of in one transaction. */
const BATCH = 500;
const MINUTE_MS = 60_000;

/**
 * One look over the meetings that begin soon: tells of everybody whose moment has come. Every pod may do it at any time, also twice: a
 * reminder and the note that it was told of are one commit. Answers whether there is more to do at once.
 */
export async function remindPeople({ db, directory, early }: Deps): Promise<boolean> {
  const { now, coming } = await listComing(db, early);
  const due = coming.filter((one) => isDue(directory, one, now));
  if (due.length === 0) return false;
  const taken = await db.transaction((tx) => tellOf(tx, due.slice(0, BATCH)));
  return taken > 0 && due.length > BATCH;
}

/** Whoever the directory does not know yet is looked at in the next round. */
function isDue(directory: Directory, { user_id, starts_at }: Coming, now: Date): boolean {
  const person = directory.user(user_id);
  if (!person || !isActive(person)) return false;
  const { reminderMinutes } = preferencesOf(person);
  return reminderMinutes !== null && starts_at.getTime() - reminderMinutes * MINUTE_MS <= now.getTime();
}

async function tellOf(tx: Queryable, due: readonly Coming[]): Promise<number> {
  const taken = await takeReminders(tx, due);
  const meetingIds = [...new Set(taken.map(({ meeting_id }) => meeting_id))];
  for (const id of meetingIds) {
    const personIds = taken.filter(({ meeting_id }) => meeting_id === id).map(({ user_id }) => user_id);
    const facts = await meetingFacts(tx, await readMeeting(tx, id));
    await appendEvent(tx, {
      event: meetingDue,
      data: { ...facts, personIds },
      aggregate: facts.calendarId,
      actorId: null,
    });
  }
  return taken.length;
}
