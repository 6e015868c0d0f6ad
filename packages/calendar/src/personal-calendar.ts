import {
  type CalendarEntry,
  type CalendarObject,
  expandOccurrences,
} from '@atrium/proto-events/events/meeting-calendar';

type Recurrence = NonNullable<CalendarObject['master']>['recurrence'];

export type Entry = CalendarEntry & {
  recurrenceId: string | null;
  meetingId: string | null;
  recurrence: Recurrence;
  excludedStarts: readonly string[];
};

/**
 * A unit of a user's calendar: the series with its modified occurrences, or a single occurrence that the user is
 * invited to individually. `name` identifies it within the user's calendar; `fingerprint` changes with everything that
 * the calendar shows.
 */
export type CalendarSlice = { name: string; entries: Entry[]; fingerprint: string };

/** Name of the slice that contains the series or the single meeting itself. */
export const MASTER = 'whole';

/** For each user of a calendar object, the slices that belong in their calendar. */
type PersonalCalendar = {
  userIds: ReadonlySet<string>;
  slicesFor: (userId: string) => Map<string, CalendarSlice>;
};

/** Splits a calendar object by user: each calendar contains the meetings that the user is invited to. */
export function personalCalendar(object: CalendarObject | undefined): PersonalCalendar {
  if (!object) return { userIds: new Set(), slicesFor: () => new Map() };
  const occurrences = expandOccurrences(object).map((occurrence) =>
    prepareEntry({ ...occurrence, recurrence: null, excludedStarts: [] }),
  );
  const master = object.master && prepareEntry({ ...object.master, recurrenceId: null, meetingId: null });
  const preparedEntries = master ? [master, ...occurrences] : occurrences;
  return {
    userIds: new Set(preparedEntries.flatMap(({ entry }) => entry.participantIds)),
    slicesFor: (userId) => {
      const invitedOccurrences = occurrences.filter(({ userIds }) => userIds.has(userId));
      if (!master?.userIds.has(userId)) {
        return new Map(
          invitedOccurrences.map(({ entry, fingerprintFor }) => {
            const name = entry.recurrenceId ?? MASTER;
            return [name, { name, entries: [entry], fingerprint: fingerprintFor(userId) }];
          }),
        );
      }
      const uninvitedOccurrences = occurrences.filter(({ userIds }) => !userIds.has(userId));
      const uninvitedStarts = uninvitedOccurrences.flatMap(({ entry }) => entry.recurrenceId ?? []);
      const entry = {
        ...master.entry,
        excludedStarts: [...master.entry.excludedStarts, ...uninvitedStarts].toSorted(),
      };
      const fingerprint =
        [master, ...invitedOccurrences].map(({ fingerprintFor }) => fingerprintFor(userId)).join('\n') +
        entry.excludedStarts.join();
      return new Map([
        [
          MASTER,
          {
            name: MASTER,
            entries: [entry, ...invitedOccurrences.map((occurrence) => occurrence.entry)],
            fingerprint,
          },
        ],
      ]);
    },
  };
}

type PreparedEntry = { entry: Entry; userIds: ReadonlySet<string>; fingerprintFor: (userId: string) => string };

/** Excludes other participants and their RSVPs from the fingerprint, so that an RSVP causes no emails to others. */
function prepareEntry(entry: Entry): PreparedEntry {
  const { participantIds, answers: rsvps, excludedStarts: _, ...visibleFields } = entry;
  const fingerprint = JSON.stringify(Object.entries(visibleFields).toSorted());
  const statuses = new Map(rsvps.map(({ userId, status }) => [userId, status]));
  return {
    entry,
    userIds: new Set(participantIds),
    fingerprintFor: (userId) => `${fingerprint} ${statuses.get(userId) ?? 'pending'}`,
  };
}
