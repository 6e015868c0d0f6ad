import { type Action, type LiveUpdate, scopeOf } from './live-update.ts';

type MeetingFacts = {
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
  (data: MeetingFacts): LiveUpdate => ({
    topics: ['meetings'],
    audience: { users: [...new Set([data.organizerId, ...data.participantIds, ...(data.removedIds ?? [])])] },
    // Of several of a series it names one; browsers ask again for any that is open.
    changes: [{ resource: 'meeting', id: data.meetingId, action, version: data.version, ...scopeOf(data) }],
  });

/** What changed of it is in no list of calendars: browsers are told which fields. */
export const recorded = (data: MeetingFacts & { changed: string[] }): LiveUpdate =>
  naming(meeting('updated')(data), data.changed);

const naming = (told: LiveUpdate, changed: string[]): LiveUpdate => ({
  ...told,
  changes: told.changes.map((change) => ({ ...change, changed })),
});

/** Where there is a summary, it may be that of this moment. */
export const closed = (data: MeetingFacts & { summary: string }): LiveUpdate =>
  recorded({ ...data, changed: ['closing', ...(data.summary === '' ? [] : ['summary'])] });

export const reopened = (data: MeetingFacts): LiveUpdate => recorded({ ...data, changed: ['closing'] });

type RoomFacts = { roomId: string; action: Action; changed: string[]; version: number };

/** Everybody sees all rooms: whoever shows meetings hears of them. */
export const room = ({ roomId: id, action, changed, version }: RoomFacts): LiveUpdate => ({
  topics: ['meetings'],
  audience: 'everyone',
  changes: [{ resource: 'room', id, action, version, ...(action === 'updated' && { changed }) }],
});

/** Administrators are notified of every meeting, most of which they are not invited to: their own lists need no refetch. */
export const toAdmins =
  <Data>(tell: (data: Data) => LiveUpdate) =>
  (data: Data): readonly LiveUpdate[] => {
    const told = tell(data);
    const changes = told.changes.map((change) => ({ ...change, asAdmin: true as const }));
    return [{ ...told, audience: { users: [], admins: true }, changes }];
  };

type OccurrencesChanged = {
  occurrences: readonly { meetingId: string; userIds: string[] }[];
  changed?: string[] | undefined;
};

/** Each user is notified only of the occurrences that they can see. */
const occurrences = ({ occurrences: all, changed }: OccurrencesChanged): LiveUpdate[] =>
  all.map(({ meetingId: id, userIds }) => ({
    topics: ['meetings'],
    audience: { users: userIds },
    changes: [{ resource: 'meeting', id, action: 'updated', version: 0, ...(changed && { changed }) }],
  }));

export const firstOccurrence = (data: OccurrencesChanged): LiveUpdate => {
  const [first] = occurrences(data);
  if (!first) throw new Error('An event about changed occurrences names none');
  return first;
};

export const otherOccurrences = (data: OccurrencesChanged): readonly LiveUpdate[] => occurrences(data).slice(1);
