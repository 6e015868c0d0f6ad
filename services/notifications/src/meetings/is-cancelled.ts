import type { EventOf } from '@atrium/proto-events/event';
import { meetingCancelled, type meetingScheduled } from '@atrium/proto-events/events/meetings';
import type { Details } from '../activity/record-activity.ts';
import type { Store } from '../store/store.ts';

type Facts = Pick<EventOf<typeof meetingScheduled>['data'], 'meetingId' | 'calendarId' | 'recurrence'>;
type Told = { occurredAt: string; data: Pick<Facts, 'meetingId' | 'calendarId'> & Partial<Pick<Facts, 'recurrence'>> };

/** By how much the clocks of two pods that tell of one meeting may differ. */
const CLOCKS_DIFFER_MS = 60_000;

/** What the record keeps of a cancellation, by which it is found: of a series it is told under the id of any of its meetings. */
export const whatIsCancelled = ({ calendarId, recurrence }: Facts): Details => ({
  calendarId,
  isSeries: recurrence !== null,
});

/**
 * Whether what an event is about, a meeting or a whole series, has been cancelled when that comes to be handled, as one of the dead
 * letters may long after. Asked of the record of what happened; what is cancelled never comes again.
 */
export async function isCancelled({ activities }: Store, { occurredAt, data }: Told): Promise<boolean> {
  const { meetingId, calendarId, recurrence = null } = data;
  const { type } = meetingCancelled;
  // A series goes on without the meeting that it is told of by.
  if (recurrence === null && (await activities.exists({ type, subjectId: meetingId }))) return true;
  const at = { $gte: new Date(Date.parse(occurredAt) - CLOCKS_DIFFER_MS) };
  const series = { 'details.calendarId': calendarId, 'details.isSeries': true };
  return (await activities.exists({ type, at, ...series })) !== null;
}
