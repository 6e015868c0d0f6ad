import type { User } from '@atrium/proto-events/people';
import { Eye, MoreHorizontal, Pencil } from 'lucide-react';
import { styled } from 'styled-components';
import { Avatar } from '../../ui/avatar.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Menu, MenuItem } from '../../ui/menu.tsx';
import { displayName, roleLabel } from '../../ui/person.ts';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { theme } from '../../ui/theme.ts';
import { UserStatusPill } from './user-status-pill.tsx';

type Props = { users: readonly User[]; onView: (user: User) => void; onEdit?: ((user: User) => void) | undefined };

export function UserTable({ users, onView, onEdit }: Props) {
  const columns: Column<User>[] = [
    { key: 'name', header: 'Name', width: '34%', cell: (user) => <Who user={user} /> },
    { key: 'role', header: 'Role', width: '16%', isSecondary: true, cell: (user) => roleLabel(user.role) },
    {
      key: 'department',
      header: 'Department',
      width: '18%',
      isSecondary: true,
      cell: (user) => user.department?.name ?? <Faint>None</Faint>,
    },
    { key: 'status', header: 'Status', width: '120px', cell: (user) => <UserStatusPill user={user} /> },
    {
      key: 'lastLogin',
      header: 'Last sign-in',
      isSecondary: true,
      cell: (user) => (user.lastLogin ? <RelativeTime time={user.lastLogin} /> : <Faint>Never</Faint>),
    },
    {
      key: 'actions',
      header: 'Actions',
      isHeaderHidden: true,
      align: 'end',
      width: '72px',
      cell: (user) => <Actions user={user} onView={onView} onEdit={onEdit} />,
    },
  ];
  return <Table label="People" columns={columns} rows={users} keyOf={(user) => user._id} />;
}

function Who({ user }: { user: User }) {
  return (
    <Person>
      <Avatar person={user} size={36} />
      <span>
        <strong>{displayName(user)}</strong>
        <small>{user.email}</small>
      </span>
    </Person>
  );
}

function Actions({ user, onView, onEdit }: Pick<Props, 'onView' | 'onEdit'> & { user: User }) {
  return (
    <Menu
      label={`Actions for ${displayName(user)}`}
      trigger={
        <IconButton label={`Actions for ${displayName(user)}`}>
          <MoreHorizontal />
        </IconButton>
      }
    >
      <MenuItem icon={<Eye />} onAction={() => onView(user)}>
        View details
      </MenuItem>
      {onEdit && (
        <MenuItem icon={<Pencil />} onAction={() => onEdit(user)}>
          Edit
        </MenuItem>
      )}
    </Menu>
  );
}

const Person = styled.span`
  display: flex;
  align-items: center;
  gap: ${theme.space[3]};
  min-width: 0;
  > span:last-child {
    min-width: 0;
  }
  strong,
  small {
    display: block;
    overflow: hidden;
    text-overflow: ellipsis;
  }
  strong {
    font-weight: 500;
  }
  small {
    font: ${theme.text.sm};
    color: ${theme.color.text2};
  }
`;

const Faint = styled.span`
  color: ${theme.color.text3};
`;
