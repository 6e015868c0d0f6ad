import { meetingRecorded } from '@atrium/proto-events/events/meeting-closing';
import { appendEvent } from '@atrium/service-kit/messaging/outbox';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import { type MeetingRow, readMeeting } from '../meetings/meeting-repository.ts';

type Recorded = { changed: string[]; actorId: string | null };

/** What people write into forms: one that was opened before is stale. Of what becomes of decisions none is, as of answers. */
const IN_FORMS = ['notes', 'summary', 'agendaItems'];

/** Counts a meeting's version up and tells those who look at it which of its fields, all in no calendar, changed; answers the version. */
export async function tellRecorded(tx: Queryable, meetingId: string, { changed, actorId }: Recorded): Promise<number> {
  const row = await countVersion(tx, meetingId, changed);
  await appendEvent(tx, {
    event: meetingRecorded,
    data: {
      meetingId,
      organizerId: row.organizer_id,
      participantIds: row.participants.map(({ id }) => id),
      project: row.project_id,
      version: row.version,
      changed,
    },
    aggregate: meetingId,
    actorId,
  });
  return row.version;
}

export async function countVersion(tx: Queryable, meetingId: string, changed: readonly string[]): Promise<MeetingRow> {
  const isEdit = changed.some((field) => IN_FORMS.includes(field));
  await tx.query(
    `update meetings set version = version + 1, updated_at = now(),
       edited_version = case when $2 then version + 1 else edited_version end where id = $1`,
    [meetingId, isEdit],
  );
  return readMeeting(tx, meetingId);
}
