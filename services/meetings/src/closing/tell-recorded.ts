import { meetingRecorded } from '@atrium/proto-events/events/meeting-closing';
import { appendEvent } from '@atrium/service-kit/messaging/outbox';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import { type MeetingRow, readMeeting } from '../meetings/meeting-repository.ts';

type Recorded = {
  changed: string[];
  actorId: string | null;
  /** Of which meetings of its series, where it names one of several. */
  of?: readonly string[];
};

/** What people write into forms: one that was opened before is stale. Of what becomes of decisions none is, as of answers. */
const IN_FORMS = ['notes', 'summary', 'agendaItems'];

/**
 * Counts a meeting's version up, or of its series those of all that are meant, and tells those who look at them which fields, all in no calendar,
 * changed. Answers the version of the one.
 */
export async function tellRecorded(
  tx: Queryable,
  meetingId: string,
  { changed, actorId, of = [meetingId] }: Recorded,
): Promise<number> {
  await countVersions(tx, of, changed);
  const row = await readMeeting(tx, meetingId);
  const alsoRecorded = await listAlone(tx, meetingId, of);
  await appendEvent(tx, {
    event: meetingRecorded,
    data: {
      meetingId,
      organizerId: row.organizer_id,
      participantIds: row.participants.map(({ id }) => id),
      project: row.project_id,
      version: row.version,
      changed,
      ...(alsoRecorded.length > 0 && { alsoRecorded }),
    },
    aggregate: meetingId,
    actorId,
  });
  return row.version;
}

export async function countVersion(tx: Queryable, meetingId: string, changed: readonly string[]): Promise<MeetingRow> {
  await countVersions(tx, [meetingId], changed);
  return readMeeting(tx, meetingId);
}

async function countVersions(tx: Queryable, ids: readonly string[], changed: readonly string[]): Promise<void> {
  const isEdit = changed.some((field) => IN_FORMS.includes(field));
  await tx.query(
    `update meetings set version = version + 1, updated_at = now(),
       edited_version = case when $2 then version + 1 else edited_version end where id = any($1)`,
    [ids, isEdit],
  );
}

/** Of others than the one, each with those of its people who are not of that. */
async function listAlone(tx: Queryable, id: string, of: readonly string[]) {
  const others = of.filter((one) => one !== id);
  if (others.length === 0) return [];
  const { rows } = await tx.query<{ meetingId: string; aloneIds: string[] }>(
    `select meeting_id as "meetingId", array_agg(user_id order by position) as "aloneIds" from participants p
     where meeting_id = any($1)
       and not exists (select from participants of_one where of_one.meeting_id = $2 and of_one.user_id = p.user_id)
     group by meeting_id`,
    [others, id],
  );
  return rows;
}
