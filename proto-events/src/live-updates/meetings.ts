import { subjectOf } from '../event.ts';
import * as meetingClosing from '../events/meeting-closing.ts';
import * as meetings from '../events/meetings.ts';
import { type Action, type ExemptEvents, type FanoutRow, type LiveUpdate, row, toScope } from './live-update.ts';

type MeetingEventData = {
  meetingId: string;
  organizerId: string;
  participantIds: string[];
  version: number;
  removedIds?: string[];
  project?: string | null | undefined;
  changed?: string[];
};

const meeting =
  (action: Action) =>
  (data: MeetingEventData): LiveUpdate => ({
    topics: ['meetings'],
    audience: { users: [...new Set([data.organizerId, ...data.participantIds, ...(data.removedIds ?? [])])] },
    // An event of several occurrences names one; browsers refetch any open meeting.
    changes: [{ resource: 'meeting', id: data.meetingId, action, version: data.version, ...toScope(data) }],
  });

/** Names the changed fields, because calendar lists show none of them. */
const contentChanged = (data: MeetingEventData & { changed: string[] }): LiveUpdate => {
  const update = meeting('updated')(data);
  return { ...update, changes: update.changes.map((change) => ({ ...change, changed: data.changed })) };
};

/** A summary may have been written with the closing. */
const closedMeeting = (data: MeetingEventData & { summary: string }): LiveUpdate =>
  contentChanged({ ...data, changed: ['closing', ...(data.summary === '' ? [] : ['summary'])] });

const reopenedMeeting = (data: MeetingEventData): LiveUpdate => contentChanged({ ...data, changed: ['closing'] });

/** Administrators receive the changes of every meeting. Their own lists need no refetch, as they attend few. */
const forAdmins =
  <Data>(toUpdate: (data: Data) => LiveUpdate) =>
  (data: Data): LiveUpdate => {
    const update = toUpdate(data);
    const changes = update.changes.map((change) => ({ ...change, asAdmin: true as const }));
    return { ...update, audience: { users: [], admins: true }, changes };
  };

type OccurrencesChangedData = {
  occurrences: readonly { meetingId: string; userIds: string[] }[];
  changed?: string[] | undefined;
};

/** Each user receives only the occurrences that they can see. */
const changedOccurrences = ({ occurrences, changed }: OccurrencesChangedData): LiveUpdate[] =>
  occurrences.map(({ meetingId: id, userIds }) => ({
    topics: ['meetings'],
    audience: { users: userIds },
    changes: [{ resource: 'meeting', id, action: 'updated', version: 0, ...(changed && { changed }) }],
  }));

type RoomEventData = { roomId: string; action: Action; changed: string[]; version: number };

const room = ({ roomId: id, action, changed, version }: RoomEventData): LiveUpdate => ({
  topics: ['meetings'],
  audience: 'everyone',
  changes: [{ resource: 'room', id, action, version, ...(action === 'updated' && { changed }) }],
});

export const FANOUT: readonly FanoutRow[] = [
  row(meetings.meetingScheduled, meeting('created'), forAdmins(meeting('created'))),
  row(meetings.meetingUpdated, meeting('updated'), forAdmins(meeting('updated'))),
  row(meetings.meetingResponded, meeting('updated'), forAdmins(meeting('updated'))),
  row(meetings.meetingCancelled, meeting('deleted'), forAdmins(meeting('deleted'))),
  row(meetings.occurrencesChanged, changedOccurrences),
  row(meetings.roomChanged, room),
  row(meetingClosing.meetingContentChanged, contentChanged, forAdmins(contentChanged)),
  row(meetingClosing.meetingClosed, closedMeeting, forAdmins(closedMeeting)),
  row(meetingClosing.meetingReopened, reopenedMeeting, forAdmins(reopenedMeeting)),
];

export const NOT_FANNED_OUT: ExemptEvents = {
  [subjectOf(meetings.feedCreated)]: 'its owner gets an email, and the browser that created the feed shows it',
  [subjectOf(meetings.calendarAttached)]: 'only calendars need it, and the change itself has its own event',
  [subjectOf(meetings.meetingDue)]: 'the meeting does not change; the notifications service publishes the reminders',
  [subjectOf(meetingClosing.decisionMade)]:
    'its meeting is published by meetings.meeting.closed or meetings.content.changed',
};
