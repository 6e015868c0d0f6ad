import { FolderKanban, MoreHorizontal, Pencil, Plus, Trash2 } from 'lucide-react';
import { styled } from 'styled-components';
import { Avatar } from '#entities/user/avatar.tsx';
import { AvatarStack } from '#entities/user/avatar-stack.tsx';
import { displayName, roleLabel } from '#entities/user/user-labels.ts';
import { sampleUsers } from '#test/sample-users.ts';
import { Badge } from '#ui/badge.tsx';
import { Banner } from '#ui/banner.tsx';
import { Button } from '#ui/button.tsx';
import { IconButton } from '#ui/icon-button.tsx';
import { Inline } from '#ui/layout/primitives.ts';
import { Notice } from '#ui/notice.tsx';
import { Menu, MenuItem, MenuSeparator } from '#ui/overlays/menu.tsx';
import { Tooltip } from '#ui/overlays/tooltip.tsx';
import { Card } from '#ui/pages/card.tsx';
import { EmptyState } from '#ui/pages/empty-state.tsx';
import { ErrorState } from '#ui/pages/error-state.tsx';
import { Pagination } from '#ui/pages/pagination.tsx';
import { ProgressBar } from '#ui/pages/progress-bar.tsx';
import { SkeletonRows } from '#ui/pages/skeleton.tsx';
import { StatCards } from '#ui/pages/stat-cards.tsx';
import { Table } from '#ui/pages/table.tsx';
import { Pill, type PillTone } from '#ui/pill.tsx';
import { Spinner } from '#ui/spinner.tsx';
import { RelativeTime } from '#ui/times/relative-time.tsx';

const tones: PillTone[] = ['accent', 'success', 'warning', 'danger', 'info', 'neutral'];
const variants = ['primary', 'secondary', 'ghost', 'danger'] as const;
const hourAgo = new Date(Date.now() - 3_700_000).toISOString();

export function GalleryDisplay() {
  return (
    <>
      <Banner action={<Button size="sm">Retry</Button>} onDismiss={() => undefined}>
        Server is currently unavailable. Some features may not work properly.
      </Banner>
      <StatCards
        label="Figures"
        stats={[
          { label: 'Active Projects', value: 12 },
          { label: 'Completed Projects', value: 34 },
          { label: 'Overdue Projects', value: 3, tone: 'danger' },
          { label: 'Team Members', value: undefined },
        ]}
      />
      <Inline $gap={3} $wraps>
        {variants.map((variant) => (
          <Button key={variant} variant={variant} icon={<Plus />}>
            {variant}
          </Button>
        ))}
        <Button variant="primary" isBusy>
          Saving
        </Button>
        <Button isDisabled>Disabled</Button>
        <Button size="sm">Small</Button>
        <Tooltip text="Edit the project">
          <IconButton label="Edit">
            <Pencil />
          </IconButton>
        </Tooltip>
        <Spinner label="Loading" />
      </Inline>
      <Inline $gap={3} $wraps>
        {tones.map((tone) => (
          <Pill key={tone} tone={tone}>
            {tone}
          </Pill>
        ))}
        <Badge count={7} label="unread" />
        <Badge count={120} label="unread" tone="accent" />
        {sampleUsers.map((user, index) => (
          <Avatar key={user._id} user={user} presence={index % 2 ? 'online' : 'offline'} />
        ))}
        <AvatarStack users={sampleUsers} max={3} />
        <RelativeTime time={hourAgo} />
      </Inline>
      <Columns>
        <PeopleTable />
        <Card title="States" action={<a href="/">View All</a>}>
          <EmptyState
            icon={<FolderKanban />}
            title="No projects yet"
            hint="Projects bring people, meetings, and documents together."
            action={<Button icon={<Plus />}>Create Your First Project</Button>}
          />
        </Card>
        <Card title="Broken">
          <ErrorState
            title="Failed to load projects"
            detail="Network error - please check your connection"
            onRetry={() => undefined}
          />
        </Card>
        <Card title="Loading">
          <SkeletonRows />
        </Card>
      </Columns>
      <Notice tone="danger">This invitation has expired. Please contact your administrator for a new invite.</Notice>
      <Notice>An administrator can help you.</Notice>
      <Pagination page={4} totalPages={12} total={117} onPage={() => undefined} />
    </>
  );
}

function PeopleTable() {
  return (
    <Card title="People">
      <Table
        label="People"
        rows={sampleUsers}
        keyOf={(user) => user._id}
        columns={[
          {
            key: 'name',
            header: 'Name',
            cell: (user) => (
              <Inline as="span" $gap={3}>
                <Avatar user={user} />
                {displayName(user)}
              </Inline>
            ),
          },
          { key: 'role', header: 'Role', isSecondary: true, cell: (user) => roleLabel(user.role) },
          {
            key: 'load',
            header: 'Load',
            isSecondary: true,
            cell: (user) => <ProgressBar value={user.firstName.length * 14} label="Load" />,
          },
          {
            key: 'menu',
            header: 'Actions',
            isHeaderHidden: true,
            align: 'end',
            width: '64px',
            cell: () => <RowMenu />,
          },
        ]}
      />
    </Card>
  );
}

function RowMenu() {
  return (
    <Menu
      label="Actions"
      trigger={
        <IconButton label="Actions">
          <MoreHorizontal />
        </IconButton>
      }
    >
      <MenuItem icon={<Pencil />} onAction={() => undefined}>
        Edit
      </MenuItem>
      <MenuSeparator />
      <MenuItem icon={<Trash2 />} tone="danger" onAction={() => undefined}>
        Delete
      </MenuItem>
    </Menu>
  );
}

const Columns = styled.div`
  display: grid;
  grid-template-columns: repeat(auto-fit, minmax(min(440px, 100%), 1fr));
  gap: 24px;
`;
