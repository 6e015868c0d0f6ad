import { subjectOf } from '../event.ts';
import * as meetingClosing from '../events/meeting-closing.ts';
import * as meetings from '../events/meetings.ts';
import { type Action, affectsFields, type ExemptEvents, type FanoutRow, type LiveUpdate, row } from './live-update.ts';

type MeetingEventData = {
  meetingId: string;
  organizerId: string;
  participantIds: string[];
  version: number;
  removedIds?: string[];
  changed?: string[];
};

const meeting =
  (action: Action) =>
  (data: MeetingEventData): LiveUpdate => ({
    audience: { users: [...new Set([data.organizerId, ...data.participantIds, ...(data.removedIds ?? [])])] },
    // An event of several occurrences names one; browsers refetch any open meeting.
    change: {
      resource: 'meeting',
      id: data.meetingId,
      action,
      version: data.version,
      tags: ['meetings', 'own-meetings'],
    },
  });

/** Names the changed fields, because calendar lists show none of them. */
const contentChanged = (data: MeetingEventData & { changed: string[] }): LiveUpdate => {
  const update = meeting('updated')(data);
  return { ...update, change: { ...update.change, changed: data.changed } };
};

/** A summary may have been written with the closing. */
const closedMeeting = (data: MeetingEventData & { summary: string }): LiveUpdate =>
  contentChanged({ ...data, changed: ['closing', ...(data.summary === '' ? [] : ['summary'])] });

const reopenedMeeting = (data: MeetingEventData): LiveUpdate => contentChanged({ ...data, changed: ['closing'] });

/** Administrators see every meeting, beside their own. */
const forAdmins =
  <Data>(toUpdate: (data: Data) => LiveUpdate) =>
  (data: Data): LiveUpdate => {
    const update = toUpdate(data);
    return { audience: { users: [], admins: true }, change: { ...update.change, tags: ['meetings'] } };
  };

type OccurrencesChangedData = {
  occurrences: readonly { meetingId: string; userIds: string[] }[];
  changed?: string[] | undefined;
};

/** Each user receives only the occurrences that they can see. */
const changedOccurrences = ({ occurrences, changed }: OccurrencesChangedData): LiveUpdate[] =>
  occurrences.map(({ meetingId: id, userIds }) => ({
    audience: { users: userIds },
    change: {
      resource: 'meeting',
      id,
      action: 'updated',
      version: 0,
      tags: ['meetings', 'own-meetings'],
      ...(changed && { changed }),
    },
  }));

type RoomEventData = { roomId: string; action: Action; changed: string[]; version: number };

const room = ({ roomId: id, action, changed, version }: RoomEventData): LiveUpdate => ({
  audience: 'everyone',
  change: {
    resource: 'room',
    id,
    action,
    version,
    // Meetings show the name of their room.
    tags: ['rooms', ...(affectsFields(changed, 'name') ? ['room-names' as const] : [])],
    ...(action === 'updated' && { changed }),
  },
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
