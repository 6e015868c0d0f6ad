import type { User } from '@atrium/proto-events/people';
import { UserPlus } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { UserFigures } from '../../features/users/user-figures.tsx';
import { UserList } from '../../features/users/user-list.tsx';
import { canManagePeople } from '../../lib/permissions.ts';
import { useCurrentUser } from '../../lib/use-session.ts';
import { Button } from '../../ui/button.tsx';
import { Page } from '../../ui/page.tsx';

const InviteDialog = lazy(() =>
  import('../../features/users/invite-dialog.tsx').then((module) => ({ default: module.InviteDialog })),
);
const EditUserDialog = lazy(() =>
  import('../../features/users/edit-user-dialog.tsx').then((module) => ({ default: module.EditUserDialog })),
);
const UserDetailsDialog = lazy(() =>
  import('../../features/users/user-details-dialog.tsx').then((module) => ({ default: module.UserDetailsDialog })),
);

type Opened = { kind: 'none' | 'invite' } | { kind: 'view' | 'edit'; user: User };

export default function UserManagement() {
  const canManage = canManagePeople(useCurrentUser());
  const [opened, setOpened] = useState<Opened>({ kind: 'none' });
  const close = () => setOpened({ kind: 'none' });
  return (
    <Page
      title="User Management"
      subtitle="Who is in the workspace, and what they may do"
      actions={
        canManage && (
          <Button variant="primary" icon={<UserPlus />} onPress={() => setOpened({ kind: 'invite' })}>
            Invite User
          </Button>
        )
      }
    >
      <UserFigures />
      <UserList
        onView={(user) => setOpened({ kind: 'view', user })}
        onEdit={canManage ? (user) => setOpened({ kind: 'edit', user }) : undefined}
      />
      <Suspense fallback={null}>
        {opened.kind === 'invite' && <InviteDialog isOpen onClose={close} />}
        {opened.kind === 'view' && <UserDetailsDialog user={opened.user} isOpen onClose={close} />}
        {opened.kind === 'edit' && <EditUserDialog user={opened.user} isOpen onClose={close} />}
      </Suspense>
    </Page>
  );
}
