import type { User } from '@atrium/proto-events/people';
import { ChartLine, ScrollText, UserPlus } from 'lucide-react';
import { type ReactNode, Suspense, useState } from 'react';
import { canManageUsers } from '#entities/user/roles.ts';
import { useInvitations } from '#entities/user/use-users.ts';
import { PendingInvitations } from '#features/users/invitations/pending-invitations.tsx';
import type { UserAction } from '#features/users/user-actions-menu.tsx';
import { UserFigures, UserList } from '#features/users/user-list.tsx';
import { useOverlayHistory } from '#lib/hooks/use-overlay-history.ts';
import { useUrlState } from '#lib/hooks/use-url-state.ts';
import { lazyNamed } from '#lib/lazy.ts';
import { useCurrentUser } from '#lib/session/session.ts';
import { Button } from '#ui/button.tsx';
import { ButtonLink } from '#ui/button-link.tsx';
import { Page } from '#ui/pages/page.tsx';
import { Tabs } from '#ui/pages/tabs.tsx';

const InviteDialog = lazyNamed(() => import('#features/users/invitations/invite-dialog.tsx'), 'InviteDialog');
const UserActionDialog = lazyNamed(() => import('#features/users/user-action-dialog.tsx'), 'UserActionDialog');

const UserOverlay = lazyNamed(() => import('#features/users/user-action-dialog.tsx'), 'UserOverlay');

/** The open form or confirmation; unlike a viewed or edited user, it is not in the URL. */
type Opened = { kind: 'none' | 'invite' } | { kind: Exclude<UserAction, 'view' | 'edit'>; user: User };

export default function UserManagement() {
  const canManage = canManageUsers(useCurrentUser());
  const [opened, setOpened] = useState<Opened>({ kind: 'none' });
  const userOverlay = useOverlayHistory('user', 'edit');
  const [listedUser, setListedUser] = useState<User>();
  const close = () => setOpened({ kind: 'none' });
  const act = (kind: UserAction, user: User) => {
    if (kind !== 'view' && kind !== 'edit') return setOpened({ kind, user });
    setListedUser(user);
    userOverlay.open(kind === 'edit' ? 'edit' : 'user', user._id);
  };
  const users = <UserList canManage={canManage} onAction={act} />;
  return (
    <Page
      title="User Management"
      subtitle="Manage people, roles, and access"
      actions={
        canManage && (
          <>
            <ButtonLink to="/user-management/statistics" icon={<ChartLine />}>
              Statistics
            </ButtonLink>
            <ButtonLink to="/activity" icon={<ScrollText />}>
              Activity
            </ButtonLink>
            <Button variant="primary" icon={<UserPlus />} onPress={() => setOpened({ kind: 'invite' })}>
              Invite User
            </Button>
          </>
        )
      }
    >
      <UserFigures />
      {canManage ? <Lists users={users} /> : users}
      <Suspense fallback={null}>
        {opened.kind === 'invite' && <InviteDialog onClose={close} />}
        {userOverlay.opened && (
          <UserOverlay
            action={canManage && userOverlay.opened.name === 'edit' ? 'edit' : 'view'}
            id={userOverlay.opened.id}
            listed={listedUser}
            onClose={userOverlay.close}
          />
        )}
        {'user' in opened && <UserActionDialog action={opened.kind} user={opened.user} onClose={close} />}
      </Suspense>
    </Page>
  );
}

const PLACE = { tab: 'users', page: '1', search: '', role: '', status: '', department: '' };

/** The users, and for administrators the pending invitations. */
function Lists({ users }: { users: ReactNode }) {
  const [{ tab }, setPlace] = useUrlState(PLACE);
  const pendingCount = useInvitations(true).data?.total;
  return (
    <Tabs
      label="People"
      selected={tab === 'invitations' ? 'invitations' : 'users'}
      onSelect={(selectedTab) => setPlace({ ...PLACE, tab: selectedTab }, 'push')}
      items={[
        { key: 'users', label: 'Users', content: users },
        { key: 'invitations', label: 'Pending invitations', count: pendingCount, content: <PendingInvitations /> },
      ]}
    />
  );
}
