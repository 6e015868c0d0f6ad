import { useMemo, useState } from 'react';
import { useCalendarMeetings } from '#entities/meeting/use-meetings.ts';
import { useBusyTimes } from '#entities/meeting/use-planning.ts';
import { useMedia } from '#lib/hooks/use-media.ts';
import { useToday } from '#lib/hooks/use-now.ts';
import { type HistoryStep, useUrlState } from '#lib/hooks/use-url-state.ts';
import { isId } from '#lib/paths.ts';
import { type Day, dateOfDay } from '#lib/time/day.ts';
import { theme } from '#ui/theme.ts';
import { type CalendarEvent, type LoadState, toCalendarEvent } from '../layout/calendar-event.ts';
import { shownDays, toRange, VIEWS, type View } from '../layout/shown-range.ts';

const WHOSE = ['mine', 'all', 'project', 'person'] as const;
export type Whose = (typeof WHOSE)[number];

const URL_DEFAULTS = { view: '', date: '', of: 'mine', project: '', person: '' };

const parseOption = <Value extends string>(values: readonly Value[], value: string, fallback: Value): Value =>
  values.find((option) => option === value) ?? fallback;

export function useCalendarView() {
  const [urlState, setUrlState] = useUrlState(URL_DEFAULTS);
  const today = useToday();
  const isSmall = useMedia(theme.media.small);
  const view: View = parseOption(VIEWS, urlState.view, isSmall ? 'day' : 'week');
  const day: Day = dateOfDay(urlState.date) ? urlState.date : today;
  const whose: Whose = parseOption(WHOSE, urlState.of, 'mine');
  const [project, person] = [urlState.project, urlState.person].map((id) => (isId(id) ? id : ''));
  const show = useMemo(
    () => ({
      view: (next: View, date: Day = day) => setUrlState({ view: next, date }, 'push'),
      day: (next: Day, step: HistoryStep = 'push') => setUrlState({ date: next }, step),
      whose: (of: Whose) => setUrlState({ of }, 'push'),
      project: (id: string) => setUrlState({ project: id }, 'push'),
      person: (id: string) => setUrlState({ person: id }, 'push'),
    }),
    [setUrlState, day],
  );
  return { view, day, today, whose, project: project ?? '', person: person ?? '', show };
}

export type CalendarView = ReturnType<typeof useCalendarView>;

export function useEvents({ view, day, whose, project, person }: CalendarView) {
  const days = useMemo(() => shownDays(view, day), [view, day]);
  const range = useMemo(() => toRange(days), [days]);
  const showsPerson = whose === 'person';
  const needsSelection = (whose === 'project' && project === '') || (showsPerson && person === '');
  const meetings = useCalendarMeetings(
    showsPerson || needsSelection
      ? null
      : { ...range, whose: whose === 'mine' ? 'mine' : 'all', ...(whose === 'project' && { project }) },
  );
  const busy = useBusyTimes(showsPerson && !needsSelection ? { people: [person], ...range, except: null } : null);
  const meetingEvents = useMemo(() => (meetings.data?.data ?? []).map(toCalendarEvent), [meetings.data]);
  const busyEvents = useMemo(() => (busy.data?.data ?? []).flatMap((row) => row.busy.map(busyEvent)), [busy.data]);
  const query = showsPerson ? busy : meetings;
  const isKnown = needsSelection || query.data !== undefined;
  const loadState: LoadState = isKnown ? undefined : query.error ? 'failed' : 'loading';
  const [hasLoadedOnce, setLoadedOnce] = useState(isKnown);
  if (isKnown && !hasLoadedOnce) setLoadedOnce(true);
  return {
    days,
    events: needsSelection ? NONE : showsPerson ? busyEvents : meetingEvents,
    query,
    loadState,
    /** Whether anything has been loaded; from then on, the grid stays visible while other days load. */
    hasLoadedOnce,
    hasMore: !showsPerson && meetings.data?.more === true,
    needsSelection,
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
