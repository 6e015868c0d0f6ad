import { useMeetingStats } from '#entities/meeting/use-meetings.ts';
import { StatCards } from '#ui/pages/stat-cards.tsx';

/** The numbers of meetings visible to the user, optionally of one project. */
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
