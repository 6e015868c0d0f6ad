import type { CalendarObject } from '@atrium/proto-events/events/meeting-calendar';
import { type Action, scopeOf, type Told } from './told.ts';

type InvitedAlone = { meetingId: string; aloneIds: string[] }[] | undefined;
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
  (data: MeetingFacts): Told => ({
    topics: ['meetings'],
    audience: { users: [...new Set([data.organizerId, ...data.participantIds, ...(data.removedIds ?? [])])] },
    // Of several of a series it names one; browsers ask again for any that is open.
    changes: [{ resource: 'meeting', id: data.meetingId, action, version: data.version, ...scopeOf(data) }],
  });

/** What changed of it is in no list of calendars: browsers are told which fields. */
export const recorded = (data: MeetingFacts & { changed: string[] }): Told =>
  naming(meeting('updated')(data), data.changed);

const naming = (told: Told, changed: string[]): Told => ({
  ...told,
  changes: told.changes.map((change) => ({ ...change, changed })),
});

type AlsoRecorded = { alsoRecorded?: InvitedAlone; changed: string[] };

/** Of what changed of several meetings it names one, too. */
export const alsoRecorded = ({ alsoRecorded: others = [], changed }: AlsoRecorded) =>
  others.map((one) => naming(toldAlone(one), changed));

/** Where there is a summary, it may be that of this moment. */
export const closed = (data: MeetingFacts & { summary: string }): Told =>
  recorded({ ...data, changed: ['closing', ...(data.summary === '' ? [] : ['summary'])] });

type RoomFacts = { roomId: string; action: Action; changed: string[]; version: number };

/** Everybody sees all rooms: whoever shows meetings hears of them. */
export const room = ({ roomId: id, action, changed, version }: RoomFacts): Told => ({
  topics: ['meetings'],
  audience: 'everyone',
  changes: [{ resource: 'room', id, action, version, ...(action === 'updated' && { changed }) }],
});

/** Administrators hear of all meetings, and of most that they are none of theirs: what lists their own need not be asked for again. */
export const toAdmins =
  <Data, More = unknown>(tell: (data: Data) => Told, besides: (data: More) => readonly Told[] = () => []) =>
  (data: Data & More): readonly Told[] => {
    const told = tell(data);
    const changes = told.changes.map((change) => ({ ...change, asAdmin: true as const }));
    return [{ ...told, audience: { users: [], admins: true }, changes }, ...besides(data)];
  };

/** Of an answer to several meetings it names one: to the people of the others each of theirs. */
export const alsoAnswered = ({ alsoAnswered: others = [] }: { alsoAnswered?: InvitedAlone }) => others.map(toldAlone);

type Calendars = { calendar?: CalendarObject | undefined; calendarBefore?: CalendarObject | undefined };

/** Who is invited to single meetings of a series only hears of those, and of no other of it. */
export const alone = ({
  invitedAlone = [],
  cancelledAlone = [],
  ...calendars
}: { invitedAlone?: InvitedAlone; cancelledAlone?: InvitedAlone } & Calendars) => {
  const named = [...invitedAlone, ...cancelledAlone];
  // A change of the whole may be one of theirs, too.
  const others = guestsOf(calendars).filter((one) => !named.some(({ meetingId }) => meetingId === one.meetingId));
  return [...named, ...others].map(toldAlone);
};

const toldAlone = ({ meetingId: id, aloneIds }: { meetingId: string; aloneIds: string[] }): Told => ({
  topics: ['meetings'],
  audience: { users: aloneIds },
  changes: [{ resource: 'meeting', id, action: 'updated', version: 0 }],
});

function guestsOf({ calendar, calendarBefore }: Calendars): { meetingId: string; aloneIds: string[] }[] {
  const ofSeries = new Set([calendar, calendarBefore].flatMap((one) => one?.master?.participantIds ?? []));
  const guests = new Map<string, Set<string>>();
  // One meeting that is told of alone names its people itself.
  for (const { meetingId, participantIds = [] } of [calendar, calendarBefore].flatMap((one) =>
    one?.master ? one.occurrences : [],
  )) {
    const known = guests.get(meetingId) ?? [];
    guests.set(meetingId, new Set([...known, ...participantIds.filter((id) => !ofSeries.has(id))]));
  }
  return [...guests].flatMap(([meetingId, ids]) => (ids.size === 0 ? [] : [{ meetingId, aloneIds: [...ids] }]));
}
