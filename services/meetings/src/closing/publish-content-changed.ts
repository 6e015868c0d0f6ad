import { meetingContentChanged } from '@atrium/proto-events/events/meeting-closing';
import { appendEvent } from '@atrium/service-kit/messaging/outbox';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import { type MeetingRow, readMeeting } from '../meetings/meeting-repository.ts';
import { listOtherViewers, publishOccurrenceChanges } from '../series/occurrence-changes.ts';

type Recorded = {
  changed: string[];
  actorId: string | null;
  /** The changed meetings of the series, if several. */
  of?: readonly string[];
};

/** Fields edited in forms: a change makes open forms stale, unlike RSVPs or responses to decisions. */
const IN_FORMS = ['notes', 'summary', 'agendaItems'];

/**
 * Increments the version of the meetings and publishes the changed fields, none of which is in calendars. Returns the new version of the
 * given meeting.
 */
export async function publishContentChanged(
  tx: Queryable,
  meetingId: string,
  { changed, actorId, of = [meetingId] }: Recorded,
): Promise<number> {
  await countVersions(tx, of, changed);
  const row = await readMeeting(tx, meetingId);
  await appendEvent(tx, {
    event: meetingContentChanged,
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
  const others = of.filter((one) => one !== meetingId);
  const viewers = await listOtherViewers(tx, meetingId, others);
  await publishOccurrenceChanges(tx, viewers, { aggregate: meetingId, actorId, changed });
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
