import { useProjectStats } from '#entities/project/use-projects.ts';
import { StatCards } from '#ui/pages/stat-cards.tsx';

/** The tracker's counts: a cancelled project counts as paused here, but its card reads 'Planning'. */
export function ProjectStats() {
  const { data, error } = useProjectStats();
  const unknown = error ? '–' : undefined;
  return (
    <StatCards
      label="Project statistics"
      stats={[
        { label: 'Completed', value: data?.completed ?? unknown },
        { label: 'Active', value: data?.inProgress ?? unknown },
        { label: 'Planning', value: data?.notStarted ?? unknown },
        { label: 'Paused', value: data ? data.onHold + data.cancelled : unknown },
      ]}
    />
  );
}
