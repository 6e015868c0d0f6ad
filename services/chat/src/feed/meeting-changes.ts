import { type Action, type LiveUpdate, toScope } from './audience.ts';

type MeetingEventData = {
  meetingId: string;
  organizerId: string;
  participantIds: string[];
  version: number;
  removedIds?: string[];
  project?: string | null | undefined;
  changed?: string[];
};

export const meeting =
  (action: Action) =>
  (data: MeetingEventData): LiveUpdate => ({
    topics: ['meetings'],
    audience: { users: [...new Set([data.organizerId, ...data.participantIds, ...(data.removedIds ?? [])])] },
    // An event of several occurrences names one; browsers refetch any open meeting.
    changes: [{ resource: 'meeting', id: data.meetingId, action, version: data.version, ...toScope(data) }],
  });

/** Names the changed fields, because calendar lists show none of them. */
export const contentChanged = (data: MeetingEventData & { changed: string[] }): LiveUpdate =>
  withChangedFields(meeting('updated')(data), data.changed);

const withChangedFields = (update: LiveUpdate, changed: string[]): LiveUpdate => ({
  ...update,
  changes: update.changes.map((change) => ({ ...change, changed })),
});

/** A summary may have been written with the closing. */
export const closedMeeting = (data: MeetingEventData & { summary: string }): LiveUpdate =>
  contentChanged({ ...data, changed: ['closing', ...(data.summary === '' ? [] : ['summary'])] });

export const reopenedMeeting = (data: MeetingEventData): LiveUpdate =>
  contentChanged({ ...data, changed: ['closing'] });

type RoomEventData = { roomId: string; action: Action; changed: string[]; version: number };

export const room = ({ roomId: id, action, changed, version }: RoomEventData): LiveUpdate => ({
  topics: ['meetings'],
  audience: 'everyone',
  changes: [{ resource: 'room', id, action, version, ...(action === 'updated' && { changed }) }],
});

/** Administrators are notified of every meeting. Their own lists need no refetch, as they attend few. */
export const toAdmins =
  <Data>(toUpdate: (data: Data) => LiveUpdate) =>
  (data: Data): readonly LiveUpdate[] => {
    const update = toUpdate(data);
    const changes = update.changes.map((change) => ({ ...change, asAdmin: true as const }));
    return [{ ...update, audience: { users: [], admins: true }, changes }];
  };

type OccurrencesChangedData = {
  occurrences: readonly { meetingId: string; userIds: string[] }[];
  changed?: string[] | undefined;
};

/** Each user is notified only of the occurrences that they can see. */
const toOccurrenceUpdates = ({ occurrences, changed }: OccurrencesChangedData): LiveUpdate[] =>
  occurrences.map(({ meetingId: id, userIds }) => ({
    topics: ['meetings'],
    audience: { users: userIds },
    changes: [{ resource: 'meeting', id, action: 'updated', version: 0, ...(changed && { changed }) }],
  }));

export const firstOccurrence = (data: OccurrencesChangedData): LiveUpdate => {
  const [first] = toOccurrenceUpdates(data);
  if (!first) throw new Error('An event about changed occurrences names none');
  return first;
};

export const otherOccurrences = (data: OccurrencesChangedData): readonly LiveUpdate[] =>
  toOccurrenceUpdates(data).slice(1);
