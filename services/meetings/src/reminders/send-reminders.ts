import { meetingDue } from '@atrium/proto-events/events/meetings';
import type { DirectoryUser } from '@atrium/proto-events/people';
import { DEFAULT_PREFERENCES, preferencesOf } from '@atrium/proto-events/preferences';
import { isActive } from '@atrium/service-kit/directory/active-users';
import type { Directory } from '@atrium/service-kit/directory/directory';
import { appendEvent } from '@atrium/service-kit/messaging/outbox';
import type { Logger } from '@atrium/service-kit/observability/logger';
import type { Db, Queryable } from '@atrium/service-kit/postgres/postgres';
import { type PollingLoop, startPollingLoop } from '@atrium/service-kit/process/polling-loop';
import { meetingEventData } from '../events/meeting-event-data.ts';
import { readMeeting } from '../model/meeting-repository.ts';

type Deps = { db: Db; directory: Directory; early: EarlyReminders };

const BATCH_SIZE = 500;
const MINUTE_MS = 60_000;

async function sendDueReminders({ db, directory, early }: Deps): Promise<boolean> {
  const { now, upcoming } = await listUpcoming(db, early);
  const due = upcoming.filter((participant) => isDue(directory, participant, now));
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
  const taken = await claimReminders(tx, due);
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

const POLL_INTERVAL_MS = 5_000;

export function startReminders({ db, directory, log }: { db: Db; directory: Directory; log: Logger }): PollingLoop {
  const early = trackEarlyReminders(directory);
  return startPollingLoop({
    what: 'reminders',
    intervalMs: POLL_INTERVAL_MS,
    log,
    round: () => sendDueReminders({ db, directory, early }),
  });
}

type UpcomingParticipant = { meeting_id: string; user_id: string; starts_at: Date };

/** Reminders delayed by a restart or an outage are still sent this long after the start. */
const MAX_DELAY = `interval '1 minute'`;

const NOT_REMINDED = `p.response <> 'declined' and p.reminded_start is distinct from p.starts_at`;

/** Returns participants within the default lead time, those of `early` within theirs, and the database time. */
export async function listUpcoming(
  db: Queryable,
  early: EarlyReminders,
): Promise<{ now: Date; upcoming: UpcomingParticipant[] }> {
  const { rows } = await db.query<UpcomingParticipant & { now: Date }>({
    name: 'list-upcoming',
    text: `select upcoming.*, now() as now from (
             select p.meeting_id, p.user_id, p.starts_at
             from meetings m join participants p on p.meeting_id = m.id
             where m.starts_at > now() - ${MAX_DELAY} and m.starts_at <= now() + make_interval(mins => $1) and ${NOT_REMINDED}
             union all
             select p.meeting_id, p.user_id, p.starts_at
             from unnest($2::text[], $3::int[]) as early (user_id, minutes) join participants p on p.user_id = early.user_id
             where p.starts_at > now() + make_interval(mins => $1)
               and p.starts_at <= now() + make_interval(mins => early.minutes) and ${NOT_REMINDED}
           ) as upcoming order by starts_at, meeting_id, user_id`,
    values: [USUAL_MINUTES, [...early.keys()], [...early.values()]],
  });
  return { now: rows[0]?.now ?? new Date(), upcoming: rows };
}

/** Claims reminders for the transaction and returns them. Skips rows locked by another pod, an RSVP, or a move. */
async function claimReminders(tx: Queryable, due: readonly UpcomingParticipant[]): Promise<UpcomingParticipant[]> {
  const { rows } = await tx.query<UpcomingParticipant>(
    `with mine as (
       select p.meeting_id, p.user_id from participants p
       join unnest($1::text[], $2::text[], $3::timestamptz[]) as due (meeting_id, user_id, starts_at)
         on due.meeting_id = p.meeting_id and due.user_id = p.user_id
       where date_trunc('milliseconds', p.starts_at) = due.starts_at
         and ${NOT_REMINDED}
       for update of p skip locked
     )
     update participants p set reminded_start = p.starts_at from mine
     where p.meeting_id = mine.meeting_id and p.user_id = mine.user_id
     returning p.meeting_id, p.user_id, p.starts_at`,
    [due.map(({ meeting_id }) => meeting_id), due.map(({ user_id }) => user_id), due.map(({ starts_at }) => starts_at)],
  );
  return rows;
}

const USUAL_MINUTES = DEFAULT_PREFERENCES.reminderMinutes ?? 0;

/** Users with a longer lead time, in minutes. Only their own meetings are read further ahead. */
type EarlyReminders = ReadonlyMap<string, number>;

export function trackEarlyReminders(directory: Pick<Directory, 'users' | 'onUser'>): EarlyReminders {
  const early = new Map<string, number>();
  const follow = (user: DirectoryUser) => {
    const { reminderMinutes } = preferencesOf(user);
    if (isActive(user) && reminderMinutes !== null && reminderMinutes > USUAL_MINUTES)
      early.set(user._id, reminderMinutes);
    else early.delete(user._id);
  };
  for (const user of directory.users()) follow(user);
  directory.onUser(follow);
  return early;
}
