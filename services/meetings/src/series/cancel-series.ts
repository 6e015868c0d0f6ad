import { meetingCancelled, meetingUpdated } from '@atrium/proto-events/events/meetings';
import { appendEvent } from '@atrium/service-kit/messaging/outbox';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import { seriesFacts } from '../meetings/meeting-facts.ts';
import { type MeetingRow, removeMeetings } from '../meetings/meeting-repository.ts';
import { invitedAlone } from './invited-alone.ts';
import { endSeriesBefore, partOf } from './series-part.ts';
import { findSeries, listOccurrences, removeSeries } from './series-repository.ts';

type Target = MeetingRow & { series_id: string };

/** Cancels a series from one of its meetings on, or all that is to come. What stays before it keeps its place in calendars. */
export async function cancelSeries(
  tx: Queryable,
  target: Target,
  { scope, actorId }: { scope: 'following' | 'all'; actorId: string },
): Promise<void> {
  const series = await findSeries(tx, target.series_id);
  const from = target.original_start ?? target.starts_at;
  const { members, head, pivot } = partOf(await listOccurrences(tx, series.id), { from, scope });
  await removeMeetings(
    tx,
    members.map(({ id }) => id),
  );
  const at = { id: target.id, version: target.version + 1 };
  if (head.length > 0) {
    const ended = await endSeriesBefore(tx, series, pivot);
    const change = { addedIds: [], removedIds: [], reinvited: false, changed: ['recurringEndDate'] };
    const data = { ...seriesFacts(ended, at), ...change, cancelledAlone: invitedAlone(series, members) };
    await appendEvent(tx, { event: meetingUpdated, data, aggregate: series.calendar_id, actorId });
    return;
  }
  await removeSeries(tx, series.id);
  const participantIds = [...new Set([...series.participant_ids, ...members.flatMap(({ user_ids }) => user_ids)])];
  const data = { ...seriesFacts({ ...series, sequence: series.sequence + 1 }, at), participantIds };
  await appendEvent(tx, { event: meetingCancelled, data, aggregate: series.calendar_id, actorId });
}
