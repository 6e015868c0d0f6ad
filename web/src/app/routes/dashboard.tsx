import { Plus } from 'lucide-react';
import { Suspense, useState } from 'react';
import { styled } from 'styled-components';
import { canCreateProjects, canScheduleMeetings } from '#entities/user/roles.ts';
import { useUserStats } from '#entities/user/use-users.ts';
import { RecentProjects } from '#features/projects/recent-projects.tsx';
import { useDashboardCounts } from '#features/projects/use-dashboard-counts.ts';
import { UpcomingMeetings } from '#features/upcoming-meetings/upcoming-meetings.tsx';
import { useNow } from '#lib/hooks/use-now.ts';
import { useOverlayHistory } from '#lib/hooks/use-overlay-history.ts';
import { lazyNamed } from '#lib/lazy.ts';
import { useCurrentUser } from '#lib/session/session.ts';
import { formatTime } from '#lib/time/formats.ts';
import { Button } from '#ui/button.tsx';
import { Box } from '#ui/layout/primitives.ts';
import { Notice } from '#ui/notice.tsx';
import { Page } from '#ui/pages/page.tsx';
import { StatCards } from '#ui/pages/stat-cards.tsx';
import { theme } from '#ui/theme.ts';

const NewProjectDialog = lazyNamed(() => import('#features/projects/new-project-dialog.tsx'), 'NewProjectDialog');
const EditProjectDialog = lazyNamed(() => import('#features/projects/edit-project-dialog.tsx'), 'EditProjectDialog');

export default function Dashboard() {
  const user = useCurrentUser();
  const now = useNow();
  const [isCreating, setCreating] = useState(false);
  const { opened, open, close } = useOverlayHistory('edit');
  const create = canCreateProjects(user) ? () => setCreating(true) : undefined;
  return (
    <Page
      title="Team Dashboard"
      subtitle={formatTime(now, { weekday: 'long', day: 'numeric', month: 'long' })}
      actions={
        create && (
          <Button variant="primary" icon={<Plus />} onPress={create}>
            New Project
          </Button>
        )
      }
    >
      <Figures />
      <Columns>
        <RecentProjects onOpen={({ _id }) => open('edit', _id)} onCreate={create} />
        <UpcomingMeetings canSchedule={canScheduleMeetings(user)} />
      </Columns>
      <Suspense fallback={null}>
        {isCreating && <NewProjectDialog onClose={() => setCreating(false)} />}
        {opened && <EditProjectDialog key={opened.id} id={opened.id} onClose={close} />}
      </Suspense>
    </Page>
  );
}

/** A figure that failed to load is a dash or is counted from loaded data; the others remain. */
function Figures() {
  const { counts, hasFailed, retry } = useDashboardCounts();
  const userStats = useUserStats();
  return (
    <>
      <StatCards
        label="Team figures"
        stats={[
          { label: 'Active Projects', value: counts.active },
          { label: 'Completed Projects', value: counts.completed },
          { label: 'Overdue Projects', value: counts.overdue, tone: 'danger' },
          { label: 'Team Members', value: userStats.data?.total ?? (userStats.error ? '–' : undefined), to: '/team' },
        ]}
      />
      {hasFailed && (
        <Box $below={6}>
          <Notice tone="danger">
            <Box as="p" $below={2}>
              Failed to load dashboard data
            </Box>
            <Button size="sm" onPress={retry}>
              Retry
            </Button>
          </Notice>
        </Box>
      )}
    </>
  );
}

const Columns = styled.div`
  display: grid;
  grid-template-columns: minmax(0, 1.7fr) minmax(300px, 1fr);
  gap: ${theme.space[6]};
  align-items: start;
  ${theme.media.compact} {
    grid-template-columns: minmax(0, 1fr);
    gap: ${theme.space[4]};
  }
`;
