import type { Meeting } from '@atrium/proto-events/http/meetings/meeting-fields';
import { CalendarDays, History } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { styled } from 'styled-components';
import {
  type TimeFilter,
  useMeetingList,
  useMeetingStats,
  useRefetchOnMeetingEnd,
} from '#entities/meeting/use-meetings.ts';
import { ProjectFilter } from '#entities/project/project-filter.tsx';
import { useUrlState } from '#lib/hooks/use-url-state.ts';
import { isId } from '#lib/paths.ts';
import { Button } from '#ui/button.tsx';
import { ActiveFilter } from '#ui/filter-bar.tsx';
import { CardPages } from '#ui/pages/card-pages.tsx';
import { EmptyState } from '#ui/pages/empty-state.tsx';
import { SkeletonCards } from '#ui/pages/skeleton-cards.tsx';
import { StatCards } from '#ui/pages/stat-cards.tsx';
import { Tabs } from '#ui/pages/tabs.tsx';
import { theme } from '#ui/theme.ts';
import { type MeetingAction, MeetingCard } from './meeting-card.tsx';

const URL_DEFAULTS = { tab: 'upcoming', page: '1', project: '', series: '' };

type Props = {
  onAction: (action: MeetingAction, meeting: Meeting) => void;
  onSchedule: (() => void) | undefined;
};

export function MeetingList(props: Props) {
  const [urlState, setUrlState] = useUrlState(URL_DEFAULTS);
  const selected: TimeFilter = urlState.tab === 'past' ? 'past' : 'upcoming';
  const page = Math.max(1, Math.trunc(Number(urlState.page)) || 1);
  const project = isId(urlState.project) ? urlState.project : '';
  const seriesId = isId(urlState.series) ? urlState.series : '';
  const allStats = useMeetingStats(project).data;
  // The statistics cover all series.
  const stats = seriesId === '' ? allStats : undefined;
  const content = (timeFilter: TimeFilter) => (
    <MeetingPage
      {...props}
      timeFilter={timeFilter}
      page={page}
      project={project}
      seriesId={seriesId}
      onAllSeries={() => setUrlState({ series: '', page: '1' }, 'push')}
      onPage={(next) => setUrlState({ page: String(next) }, 'push')}
    />
  );
  const section = useFocusOnChange(`${project} ${seriesId}`);
  return (
    <section aria-label="Meetings" ref={section} tabIndex={-1}>
      {project !== '' && (
        <ProjectFilter id={project} label="Meetings" onClear={() => setUrlState({ project: '', page: '1' }, 'push')} />
      )}
      <Tabs
        label="Upcoming and past meetings"
        selected={selected}
        onSelect={(tab) => setUrlState({ tab, page: '1' }, 'push')}
        items={[
          { key: 'upcoming', label: 'Upcoming', count: stats?.upcoming, content: content('upcoming') },
          { key: 'past', label: 'Past', count: stats?.completed, content: content('past') },
        ]}
      />
    </section>
  );
}

/** The pressed link or button is unmounted with the change, so focus moves to the list. */
function useFocusOnChange(filterKey: string) {
  const section = useRef<HTMLElement>(null);
  const lastFilterKey = useRef(filterKey);
  useEffect(() => {
    if (lastFilterKey.current !== filterKey) section.current?.focus({ preventScroll: true });
    lastFilterKey.current = filterKey;
  }, [filterKey]);
  return section;
}

type PageProps = Props & {
  timeFilter: TimeFilter;
  page: number;
  project: string;
  seriesId: string;
  onAllSeries: () => void;
  onPage: (page: number) => void;
};

function MeetingPage({ timeFilter, page, project, seriesId, onAllSeries, onPage, onAction, onSchedule }: PageProps) {
  const listsSeriesOnce = timeFilter === 'upcoming' && seriesId === '';
  const meetings = useMeetingList({ timeFilter, page, project, seriesId, ...(listsSeriesOnce && { series: 'once' }) });
  useRefetchOnMeetingEnd(meetings.data?.data);
  const title = meetings.data?.data[0]?.title ?? 'this series';
  return (
    <>
      {seriesId !== '' && (
        <ActiveFilter title={title} onClear={onAllSeries}>
          Dates of <strong dir="auto">{title}</strong>
        </ActiveFilter>
      )}
      <CardPages
        // A series is listed once, so the number of rows would contradict the tab's count.
        showsCount={!listsSeriesOnce}
        query={meetings}
        list={`${timeFilter} ${page} ${project} ${seriesId}`}
        as={Cards}
        card={(meeting) => <MeetingCard meeting={meeting} onAction={onAction} />}
        skeletons={
          <SkeletonCards
            label="Loading meetings"
            count={4}
            as={Cards}
            mark={{ width: 44, height: 48 }}
            beside={[42, 50, 24]}
          />
        }
        none={<NoMeetings timeFilter={timeFilter} isSeries={seriesId !== ''} onSchedule={onSchedule} />}
        failure={`Failed to load ${timeFilter} meetings`}
        onPage={onPage}
      />
    </>
  );
}

type NoMeetingsProps = Pick<PageProps, 'timeFilter' | 'onSchedule'> & { isSeries: boolean };

function NoMeetings({ timeFilter, isSeries, onSchedule }: NoMeetingsProps) {
  if (isSeries && timeFilter === 'upcoming')
    return <EmptyState icon={<CalendarDays />} title="No upcoming meetings" hint="This series has no more dates." />;
  if (timeFilter === 'past')
    return (
      <EmptyState
        icon={<History />}
        title="No past meetings"
        hint="Past meetings appear here with their notes and summary."
      />
    );
  return (
    <EmptyState
      icon={<CalendarDays />}
      title="No upcoming meetings"
      hint="Meetings you schedule or are invited to will appear here."
      action={onSchedule && <Button onPress={onSchedule}>Schedule Meeting</Button>}
    />
  );
}

const Cards = styled.ul`
  display: grid;
  gap: ${theme.space[3]};
`;

export function MeetingStats({ project }: { project: string }) {
  const { data, error } = useMeetingStats(project);
  const missing = error ? '–' : undefined;
  return (
    <StatCards
      label="Meeting statistics"
      stats={[
        { label: 'Upcoming', value: data?.upcoming ?? missing },
        { label: 'Completed', value: data?.completed ?? missing },
        { label: 'Total', value: data?.total ?? missing },
        { label: 'Today', value: data?.today ?? missing },
      ]}
    />
  );
}
