import type { EventOf } from '@atrium/proto-events/event';
import { meetingCancelled, type meetingScheduled } from '@atrium/proto-events/events/meetings';
import { projectDeleted, taskDeleted } from '@atrium/proto-events/events/projects';
import type { Store } from '../store/store.ts';
import type { Details } from './record-activity.ts';

/** Reads the activity records, which are written before any other effect of an event. Deletions are final. */
export async function isProjectDeleted({ activities }: Store, projectId: string): Promise<boolean> {
  return (await activities.exists({ subjectId: projectId, type: projectDeleted.type })) !== null;
}

export async function isTaskDeleted({ activities }: Store, taskId: string): Promise<boolean> {
  return (await activities.exists({ subjectId: taskId, type: taskDeleted.type })) !== null;
}

/** Removes users who are no longer members according to a version newer than `version`. */
export async function filterCurrentMembers(
  { projectMembers }: Store,
  { id, version }: { id: string; version: number },
  userIds: readonly string[],
): Promise<string[]> {
  const savedProject = await projectMembers.findById(id).lean();
  const isNewer = savedProject !== null && savedProject.version > version;
  return userIds.filter((userId) => !isNewer || savedProject.peopleIds.includes(userId));
}

type MeetingFields = Pick<EventOf<typeof meetingScheduled>['data'], 'meetingId' | 'calendarId' | 'recurrence'>;
type MeetingEvent = {
  occurredAt: string;
  data: Pick<MeetingFields, 'meetingId' | 'calendarId'> & Partial<Pick<MeetingFields, 'recurrence'>>;
};

/** Clocks of pods that publish events about one meeting may differ by this much. */
const MAX_CLOCK_SKEW_MS = 60_000;

/** Cancellations of a series are found by these details, because their event may name any of its occurrences. */
export const cancellationDetails = ({ calendarId, recurrence }: MeetingFields): Details => ({
  calendarId,
  isSeries: recurrence !== null,
});

export async function isMeetingCanceled({ activities }: Store, { occurredAt, data }: MeetingEvent): Promise<boolean> {
  const { meetingId, calendarId, recurrence = null } = data;
  const { type } = meetingCancelled;
  // A series continues without the occurrence that its event names.
  if (recurrence === null && (await activities.exists({ type, subjectId: meetingId }))) return true;
  const at = { $gte: new Date(Date.parse(occurredAt) - MAX_CLOCK_SKEW_MS) };
  const series = { 'details.calendarId': calendarId, 'details.isSeries': true };
  return (await activities.exists({ type, at, ...series })) !== null;
}
