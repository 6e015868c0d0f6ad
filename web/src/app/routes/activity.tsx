import { ShieldAlert } from 'lucide-react';
import { canManageUsers } from '#entities/user/roles.ts';
import { ActivityList } from '#features/activity/activity-list.tsx';
import { useCurrentUser } from '#lib/session/session.ts';
import { ButtonLink } from '#ui/button-link.tsx';
import { EmptyState } from '#ui/pages/empty-state.tsx';
import { Page } from '#ui/pages/page.tsx';

/** Shows sign-ins, denials, and changes to accounts and users. Only administrators see it, from User Management. */
export default function Activity() {
  const isAllowed = canManageUsers(useCurrentUser());
  return (
    <Page
      title="Activity"
      subtitle="Sign-ins, denied access, and changes to accounts and users"
      actions={isAllowed && <ButtonLink to="/user-management">User Management</ButtonLink>}
    >
      {isAllowed ? (
        <ActivityList />
      ) : (
        <EmptyState icon={<ShieldAlert />} title="Only administrators can read the activity log" />
      )}
    </Page>
  );
}
