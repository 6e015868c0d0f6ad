import type { EventOf } from '@atrium/proto-events/event';
import type { meetingUpdated } from '@atrium/proto-events/events/meetings';
import { MAX_REMINDER_MINUTES } from '@atrium/proto-events/preferences';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';

type RemindedParticipant = { meeting_id: string; user_id: string; reminded_start: Date };

type StaleReminders = Pick<EventOf<typeof meetingUpdated>['data'], 'staleReminders'>;

/**
 * Locks the invitations before a change, so that no one is reminded of the old start (`claimReminders` skips locked
 * rows).
 */
export async function lockRemindedUsers(
  tx: Queryable,
  target: { meetingId: string } | { seriesId: string },
): Promise<RemindedParticipant[]> {
  const [column, id] = 'seriesId' in target ? ['series_id', target.seriesId] : ['id', target.meetingId];
  const { rows } = await tx.query<Omit<RemindedParticipant, 'reminded_start'> & { reminded_start: Date | null }>(
    `select p.meeting_id, p.user_id, p.reminded_start from participants p join meetings m on m.id = p.meeting_id
     where m.${column} = $1 and m.starts_at > now() and m.starts_at <= now() + make_interval(mins => $2)
     order by p.meeting_id, p.user_id for update of p`,
    [id, MAX_REMINDER_MINUTES],
  );
  return rows.flatMap(({ reminded_start, ...participant }) =>
    reminded_start === null ? [] : [{ ...participant, reminded_start }],
  );
}

export async function findStaleReminders(
  tx: Queryable,
  participants: readonly RemindedParticipant[],
): Promise<StaleReminders> {
  if (participants.length === 0) return {};
  const { rows } = await tx.query<{ meeting_id: string; user_id: string }>(
    `select p.meeting_id, p.user_id from participants p
     join unnest($1::text[], $2::text[], $3::timestamptz[]) as r (meeting_id, user_id, reminded_start)
       on r.meeting_id = p.meeting_id and r.user_id = p.user_id
     where date_trunc('milliseconds', p.starts_at) = r.reminded_start`,
    [
      participants.map(({ meeting_id }) => meeting_id),
      participants.map(({ user_id }) => user_id),
      participants.map(({ reminded_start }) => reminded_start),
    ],
  );
  const unchangedKeys = new Set(rows.map(toKey));
  return groupByStart(participants.filter((participant) => !unchangedKeys.has(toKey(participant))));
}

export async function findDeclinedReminders(
  tx: Queryable,
  { userId, meetingIds }: { userId: string; meetingIds: readonly string[] },
): Promise<StaleReminders> {
  const { rows } = await tx.query<RemindedParticipant>(
    `select meeting_id, user_id, reminded_start from participants
     where user_id = $1 and meeting_id = any($2) and starts_at > now() and reminded_start = starts_at`,
    [userId, meetingIds],
  );
  return groupByStart(rows);
}

const toKey = ({ meeting_id, user_id }: Omit<RemindedParticipant, 'reminded_start'>) => `${meeting_id} ${user_id}`;

function groupByStart(participants: readonly RemindedParticipant[]): StaleReminders {
  if (participants.length === 0) return {};
  const groups = Map.groupBy(
    participants,
    ({ meeting_id, reminded_start }) => `${meeting_id} ${reminded_start.getTime()}`,
  );
  const staleReminders = [...groups.values()].flatMap((group) => {
    const [participant] = group;
    if (!participant) return [];
    const { meeting_id: meetingId, reminded_start } = participant;
    return [{ meetingId, startTime: reminded_start.toISOString(), personIds: group.map(({ user_id }) => user_id) }];
  });
  return { staleReminders };
}
