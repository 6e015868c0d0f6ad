import type { EventOf } from '@atrium/proto-events/event';
import { meetingCancelled, type meetingScheduled } from '@atrium/proto-events/events/meetings';
import { projectDeleted, taskDeleted } from '@atrium/proto-events/events/projects';
import type { Store } from '../store/store.ts';
import type { Details } from './record-activity.ts';

/** Reads the activity records, which are written before any effect of an event. Deletions are final. */
export async function isProjectDeleted({ activities }: Store, projectId: string): Promise<boolean> {
  return (await activities.exists({ subjectId: projectId, type: projectDeleted.type })) !== null;
}

export async function isTaskDeleted({ activities }: Store, taskId: string): Promise<boolean> {
  return (await activities.exists({ subjectId: taskId, type: taskDeleted.type })) !== null;
}

export async function filterCurrentMembers(
  { projectPeople }: Store,
  { id, version }: { id: string; version: number },
  personIds: readonly string[],
): Promise<string[]> {
  const known = await projectPeople.findById(id).lean();
  const isNewer = known !== null && known.version > version;
  return personIds.filter((personId) => !isNewer || known.peopleIds.includes(personId));
}

type Facts = Pick<EventOf<typeof meetingScheduled>['data'], 'meetingId' | 'calendarId' | 'recurrence'>;
type MeetingEventFacts = {
  occurredAt: string;
  data: Pick<Facts, 'meetingId' | 'calendarId'> & Partial<Pick<Facts, 'recurrence'>>;
};

/** Clocks of pods that publish events about one meeting may differ by this much. */
const MAX_CLOCK_SKEW_MS = 60_000;

/** Cancellations of a series are found by these details, because their event may name any of its occurrences. */
export const cancellationDetails = ({ calendarId, recurrence }: Facts): Details => ({
  calendarId,
  isSeries: recurrence !== null,
});

export async function isMeetingCancelled(
  { activities }: Store,
  { occurredAt, data }: MeetingEventFacts,
): Promise<boolean> {
  const { meetingId, calendarId, recurrence = null } = data;
  const { type } = meetingCancelled;
  // A series continues without the occurrence that its event names.
  if (recurrence === null && (await activities.exists({ type, subjectId: meetingId }))) return true;
  const at = { $gte: new Date(Date.parse(occurredAt) - MAX_CLOCK_SKEW_MS) };
  const series = { 'details.calendarId': calendarId, 'details.isSeries': true };
  return (await activities.exists({ type, at, ...series })) !== null;
}
