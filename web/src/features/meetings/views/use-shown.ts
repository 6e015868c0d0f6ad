import { useMemo } from 'react';
import { type Day, dateOfDay } from '#lib/day.ts';
import { useMedia } from '#lib/hooks/use-media.ts';
import { useToday } from '#lib/hooks/use-now.ts';
import { type HistoryStep, useUrlState } from '#lib/hooks/use-url-state.ts';
import { isId } from '#lib/is-id.ts';
import { theme } from '#ui/theme.ts';
import { VIEWS, type View } from '../layout/shown-range.ts';

const WHOSE = ['mine', 'all', 'project', 'person'] as const;
export type Whose = (typeof WHOSE)[number];

const PLACE = { view: '', date: '', of: 'mine', project: '', person: '' };

const oneOf = <Value extends string>(values: readonly Value[], given: string, otherwise: Value): Value =>
  values.find((value) => value === given) ?? otherwise;

/** The calendar's view, day, and owner, as stored in the URL. */
export function useShown() {
  const [place, setPlace] = useUrlState(PLACE);
  const today = useToday();
  const isSmall = useMedia(theme.media.small);
  const view: View = oneOf(VIEWS, place.view, isSmall ? 'day' : 'week');
  const day: Day = dateOfDay(place.date) ? place.date : today;
  const whose: Whose = oneOf(WHOSE, place.of, 'mine');
  const [project, person] = [place.project, place.person].map((id) => (isId(id) ? id : ''));
  const show = useMemo(
    () => ({
      view: (next: View, date: Day = day) => setPlace({ view: next, date }, 'push'),
      day: (next: Day, step: HistoryStep = 'push') => setPlace({ date: next }, step),
      whose: (of: Whose) => setPlace({ of }, 'push'),
      project: (id: string) => setPlace({ project: id }, 'push'),
      person: (id: string) => setPlace({ person: id }, 'push'),
    }),
    [setPlace, day],
  );
  return { view, day, today, whose, project: project ?? '', person: person ?? '', show };
}

export type Shown = ReturnType<typeof useShown>;
