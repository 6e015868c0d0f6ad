import { ShieldAlert } from 'lucide-react';
import { canManageUsers } from '#entities/user/roles.ts';
import { Statistics } from '#features/charts/statistics/statistics.tsx';
import { useCurrentUser } from '#lib/session/session.ts';
import { ButtonLink } from '#ui/button-link.tsx';
import { EmptyState } from '#ui/pages/empty-state.tsx';
import { Page } from '#ui/pages/page.tsx';

/** Shows people, storage, and activity over time. Only administrators see it, from User Management. */
export default function StatisticsPage() {
  const isAllowed = canManageUsers(useCurrentUser());
  return (
    <Page
      title="Statistics"
      subtitle="People, storage, and activity over time"
      actions={isAllowed && <ButtonLink to="/user-management">User Management</ButtonLink>}
    >
      {isAllowed ? (
        <Statistics />
      ) : (
        <EmptyState icon={<ShieldAlert />} title="Only administrators can see the statistics of the workspace" />
      )}
    </Page>
  );
}
