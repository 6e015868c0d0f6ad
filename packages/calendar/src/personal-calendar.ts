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
 * A unit of a user's calendar: the series with its deviating occurrences, or a single occurrence to which they are
 * invited individually. `name` identifies it within the user's calendar; `fingerprint` changes with everything that
 * the calendar shows.
 */
export type CalendarSlice = { name: string; entries: Entry[]; fingerprint: string };

export const WHOLE_SERIES = 'whole';

/** The calendars of a calendar object's users. */
type PersonalCalendar = {
  userIds: ReadonlySet<string>;
  slicesFor: (personId: string) => Map<string, CalendarSlice>;
};

/** Splits a calendar object by user: each calendar contains the meetings to which the user is invited. */
export function personalCalendar(object: CalendarObject | undefined): PersonalCalendar {
  if (!object) return { userIds: new Set(), slicesFor: () => new Map() };
  const occurrences = expandOccurrences(object).map((occurrence) =>
    prepare({ ...occurrence, recurrence: null, excludedStarts: [] }),
  );
  const master = object.master && prepare({ ...object.master, recurrenceId: null, meetingId: null });
  const all = master ? [master, ...occurrences] : occurrences;
  return {
    userIds: new Set(all.flatMap(({ entry }) => entry.participantIds)),
    slicesFor: (personId) => {
      const invited = occurrences.filter(({ userIds }) => userIds.has(personId));
      if (!master?.userIds.has(personId)) {
        return new Map(
          invited.map(({ entry, fingerprintFor }) => {
            const name = entry.recurrenceId ?? WHOLE_SERIES;
            return [name, { name, entries: [entry], fingerprint: fingerprintFor(personId) }];
          }),
        );
      }
      const missed = occurrences.filter(({ userIds }) => !userIds.has(personId));
      const without = missed.flatMap(({ entry }) => entry.recurrenceId ?? []);
      const entry = { ...master.entry, excludedStarts: [...master.entry.excludedStarts, ...without].toSorted() };
      const fingerprint =
        [master, ...invited].map(({ fingerprintFor }) => fingerprintFor(personId)).join('\n') +
        entry.excludedStarts.join();
      return new Map([
        [
          WHOLE_SERIES,
          { name: WHOLE_SERIES, entries: [entry, ...invited.map((occurrence) => occurrence.entry)], fingerprint },
        ],
      ]);
    },
  };
}

type Prepared = { entry: Entry; userIds: ReadonlySet<string>; fingerprintFor: (personId: string) => string };

/** Excludes other participants and their responses, so that responses trigger no emails to others. */
function prepare(entry: Entry): Prepared {
  const { participantIds, answers, excludedStarts: _, ...shown } = entry;
  const fingerprint = JSON.stringify(Object.entries(shown).toSorted());
  const statuses = new Map(answers.map(({ userId, status }) => [userId, status]));
  return {
    entry,
    userIds: new Set(participantIds),
    fingerprintFor: (personId) => `${fingerprint} ${statuses.get(personId) ?? 'pending'}`,
  };
}
