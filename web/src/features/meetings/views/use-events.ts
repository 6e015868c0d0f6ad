import { useMemo, useState } from 'react';
import { useCalendarMeetings } from '#entities/meeting/use-meetings.ts';
import { useBusyTimes } from '#entities/meeting/use-planning.ts';
import { type CalendarEvent, eventOf } from '../layout/calendar-event.ts';
import { rangeOf, shownDays } from '../layout/shown-range.ts';
import type { Shown } from './use-shown.ts';

/** Why the events of the visible days are unknown; undefined if they are known. */
export type Unknown = 'loading' | 'failed' | undefined;

/** The events of the visible days, in one request and never from another one's response. For a colleague only busy times. */
export function useEvents({ view, day, whose, project, person }: Shown) {
  const days = useMemo(() => shownDays(view, day), [view, day]);
  const range = useMemo(() => rangeOf(days), [days]);
  const isOfPerson = whose === 'person';
  const isUnchosen = (whose === 'project' && project === '') || (isOfPerson && person === '');
  const meetings = useCalendarMeetings(
    isOfPerson || isUnchosen
      ? null
      : { ...range, whose: whose === 'mine' ? 'mine' : 'all', ...(whose === 'project' && { project }) },
  );
  const busy = useBusyTimes(isOfPerson && !isUnchosen ? { people: [person], ...range, except: null } : null);
  const ofMeetings = useMemo(() => (meetings.data?.data ?? []).map(eventOf), [meetings.data]);
  const ofBusy = useMemo(() => (busy.data?.data ?? []).flatMap((one) => one.busy.map(busyEvent)), [busy.data]);
  const answer = isOfPerson ? busy : meetings;
  const isKnown = isUnchosen || answer.data !== undefined;
  const unknown: Unknown = isKnown ? undefined : answer.error ? 'failed' : 'loading';
  const [hasBegun, setBegun] = useState(isKnown);
  if (isKnown && !hasBegun) setBegun(true);
  return {
    days,
    events: isUnchosen ? NONE : isOfPerson ? ofBusy : ofMeetings,
    answer,
    unknown,
    /** Whether anything was loaded yet; from then on the grid stays visible while other days load. */
    hasBegun,
    hasMore: !isOfPerson && meetings.data?.more === true,
    isUnchosen,
  };
}

const NONE: readonly CalendarEvent[] = [];

const busyEvent = ({ start, end }: { start: string; end: string }): CalendarEvent => ({
  id: `busy-${start}`,
  title: 'Busy',
  start: Date.parse(start),
  end: Date.parse(end),
  meeting: null,
});
