import { meetingDue } from '@atrium/proto-events/events/meetings';
import type { DirectoryUser } from '@atrium/proto-events/people';
import { DEFAULT_PREFERENCES, resolvePreferences } from '@atrium/proto-events/preferences';
import { isActive } from '@atrium/service-kit/directory/active-users';
import type { Directory } from '@atrium/service-kit/directory/directory';
import { appendEvent } from '@atrium/service-kit/messaging/outbox';
import type { Logger } from '@atrium/service-kit/observability/logger';
import type { Db, Queryable } from '@atrium/service-kit/postgres/postgres';
import { type PollingLoop, startPollingLoop } from '@atrium/service-kit/process/polling-loop';
import { meetingEventData } from '../events/meeting-event-data.ts';
import { readMeeting } from '../model/meeting-repository.ts';

type Deps = { db: Db; directory: Directory; earlyReminders: EarlyReminders };

const BATCH_SIZE = 500;
const MINUTE_MS = 60_000;

async function sendDueReminders({ db, directory, earlyReminders }: Deps): Promise<boolean> {
  const { now, upcoming } = await listUpcomingParticipants(db, earlyReminders);
  const due = upcoming.filter((participant) => isDue(directory, participant, now));
  if (due.length === 0) return false;
  const claimedCount = await db.transaction((tx) => appendDueReminders(tx, due.slice(0, BATCH_SIZE)));
  return claimedCount > 0 && due.length > BATCH_SIZE;
}

/** Returns false for users missing from the directory, who are checked again in the next round. */
function isDue(directory: Directory, { user_id, starts_at }: UpcomingParticipant, now: Date): boolean {
  const user = directory.user(user_id);
  if (!user || !isActive(user)) return false;
  const { reminderMinutes } = resolvePreferences(user);
  return reminderMinutes !== null && starts_at.getTime() - reminderMinutes * MINUTE_MS <= now.getTime();
}

async function appendDueReminders(tx: Queryable, due: readonly UpcomingParticipant[]): Promise<number> {
  const claimedReminders = await claimReminders(tx, due);
  const meetingIds = [...new Set(claimedReminders.map(({ meeting_id }) => meeting_id))];
  for (const id of meetingIds) {
    const userIds = claimedReminders.filter(({ meeting_id }) => meeting_id === id).map(({ user_id }) => user_id);
    const eventData = await meetingEventData(tx, await readMeeting(tx, id));
    await appendEvent(tx, {
      event: meetingDue,
      data: { ...eventData, personIds: userIds },
      aggregate: eventData.calendarId,
      actorId: null,
    });
  }
  return claimedReminders.length;
}

const POLL_INTERVAL_MS = 5_000;

export function startReminders({ db, directory, log }: { db: Db; directory: Directory; log: Logger }): PollingLoop {
  const earlyReminders = trackEarlyReminders(directory);
  return startPollingLoop({
    name: 'reminders',
    intervalMs: POLL_INTERVAL_MS,
    log,
    round: () => sendDueReminders({ db, directory, earlyReminders }),
  });
}

type UpcomingParticipant = { meeting_id: string; user_id: string; starts_at: Date };

/** How long after the start a reminder delayed by a restart or an outage is still sent. */
const MAX_DELAY = `interval '1 minute'`;

const NOT_REMINDED = `p.response <> 'declined' and p.reminded_start is distinct from p.starts_at`;

/** Returns the participants within their lead times, or at least the default one, and the database time. */
export async function listUpcomingParticipants(
  db: Queryable,
  earlyReminders: EarlyReminders,
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
    values: [DEFAULT_MINUTES, [...earlyReminders.keys()], [...earlyReminders.values()]],
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

const DEFAULT_MINUTES = DEFAULT_PREFERENCES.reminderMinutes ?? 0;

/** Lead times longer than the default, in minutes by user. Only meetings of these users are read further ahead. */
type EarlyReminders = ReadonlyMap<string, number>;

export function trackEarlyReminders(directory: Pick<Directory, 'users' | 'onUser'>): EarlyReminders {
  const earlyReminders = new Map<string, number>();
  const trackUser = (user: DirectoryUser) => {
    const { reminderMinutes } = resolvePreferences(user);
    if (isActive(user) && reminderMinutes !== null && reminderMinutes > DEFAULT_MINUTES)
      earlyReminders.set(user._id, reminderMinutes);
    else earlyReminders.delete(user._id);
  };
  for (const user of directory.users()) trackUser(user);
  directory.onUser(trackUser);
  return earlyReminders;
}
