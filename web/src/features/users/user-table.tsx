import type { User } from '@atrium/proto-events/people';
import { AccountPill } from '#entities/user/account-status.tsx';
import { Avatar } from '#entities/user/avatar.tsx';
import { displayName, roleAndDepartment, roleLabel } from '#entities/user/user-labels.ts';
import { useCurrentUser } from '#lib/session/session.ts';
import { MobileOnly } from '#ui/collapsible.tsx';
import { Inline, Text, TwoLineText } from '#ui/layout/primitives.ts';
import { type Column, type Sorting, Table } from '#ui/pages/table.tsx';
import { RelativeTime } from '#ui/times/relative-time.tsx';
import { UserActionsMenu, type UserActionsProps } from './user-actions-menu.tsx';

type Props = Omit<UserActionsProps, 'user'> & { users: readonly User[]; sorting: Omit<Sorting, 'keys'> };

const SORTABLE = ['name', 'role', 'department', 'status', 'lastLogin'];

export function UserTable({ users, sorting, ...actions }: Props) {
  const isAdmin = useCurrentUser().role === 'admin';
  const columns: Column<User>[] = [
    { key: 'name', header: 'Name', width: '34%', cell: (user) => <NameCell user={user} /> },
    { key: 'role', header: 'Role', width: '16%', isSecondary: true, cell: (user) => roleLabel(user.role) },
    {
      key: 'department',
      header: 'Department',
      width: '18%',
      isSecondary: true,
      cell: (user) => (user.department ? <bdi>{user.department.name}</bdi> : <Text $tone="text3">None</Text>),
    },
    { key: 'status', header: 'Status', width: '120px', cell: (user) => <AccountPill user={user} /> },
    ...(isAdmin ? [lastSignIn] : []),
    {
      key: 'actions',
      header: 'Actions',
      isHeaderHidden: true,
      align: 'end',
      width: '72px',
      cell: (user) => <UserActionsMenu user={user} {...actions} />,
    },
  ];
  return (
    <Table
      label="Users"
      columns={columns}
      rows={users}
      keyOf={(user) => user._id}
      sorting={{ ...sorting, keys: SORTABLE }}
    />
  );
}

const lastSignIn: Column<User> = {
  key: 'lastLogin',
  header: 'Last sign-in',
  isSecondary: true,
  cell: (user) => (user.lastLogin ? <RelativeTime time={user.lastLogin} /> : <Text $tone="text3">Never</Text>),
};

function NameCell({ user }: { user: User }) {
  return (
    <Inline as="span" $gap={3}>
      <Avatar user={user} size={36} />
      <TwoLineText>
        <strong title={displayName(user)} dir="auto">
          {displayName(user)}
        </strong>
        <small title={user.email} dir="auto">
          {user.email}
        </small>
        <MobileOnly as="small">{roleAndDepartment(user)}</MobileOnly>
      </TwoLineText>
    </Inline>
  );
}
