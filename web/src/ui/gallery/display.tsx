import { FolderKanban, MoreHorizontal, Pencil, Plus, Trash2 } from 'lucide-react';
import { styled } from 'styled-components';
import { Badge } from '../badge.tsx';
import { Banner } from '../banner.tsx';
import { Button } from '../button.tsx';
import { IconButton } from '../icon-button.tsx';
import { Notice } from '../notice.tsx';
import { Menu, MenuItem, MenuLine } from '../overlays/menu.tsx';
import { Tooltip } from '../overlays/tooltip.tsx';
import { Card } from '../pages/card.tsx';
import { EmptyState } from '../pages/empty-state.tsx';
import { ErrorState } from '../pages/error-state.tsx';
import { Pagination } from '../pages/pagination.tsx';
import { SkeletonRows } from '../pages/skeleton.tsx';
import { StatCards } from '../pages/stat-cards.tsx';
import { Table } from '../pages/table.tsx';
import { Avatar } from '../people/avatar.tsx';
import { AvatarStack } from '../people/avatar-stack.tsx';
import { displayName, roleLabel } from '../people/person.ts';
import { Pill, type PillTone } from '../pill.tsx';
import { ProgressBar } from '../progress-bar.tsx';
import { Spinner } from '../spinner.tsx';
import { RelativeTime } from '../times/relative-time.tsx';
import { people } from './people.ts';

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
      <Row>
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
      </Row>
      <Row>
        {tones.map((tone) => (
          <Pill key={tone} tone={tone}>
            {tone}
          </Pill>
        ))}
        <Badge count={7} label="unread" />
        <Badge count={120} label="unread" tone="accent" />
        {people.map((person, index) => (
          <Avatar key={person._id} person={person} presence={index % 2 ? 'online' : 'offline'} />
        ))}
        <AvatarStack people={people} max={3} />
        <RelativeTime time={hourAgo} />
      </Row>
      <Columns>
        <PeopleTable />
        <Card title="States" action={<a href="/">View All</a>}>
          <EmptyState
            icon={<FolderKanban />}
            title="No projects yet"
            hint="Projects bring people, meetings and documents together."
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
        rows={people}
        keyOf={(person) => person._id}
        columns={[
          {
            key: 'name',
            header: 'Name',
            cell: (person) => (
              <Cell>
                <Avatar person={person} />
                {displayName(person)}
              </Cell>
            ),
          },
          { key: 'role', header: 'Role', isSecondary: true, cell: (person) => roleLabel(person.role) },
          {
            key: 'load',
            header: 'Load',
            isSecondary: true,
            cell: (person) => <ProgressBar value={person.firstName.length * 14} label="Load" isValueShown />,
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
      <MenuLine />
      <MenuItem icon={<Trash2 />} tone="danger" onAction={() => undefined}>
        Delete
      </MenuItem>
    </Menu>
  );
}

const Row = styled.div`
  display: flex;
  flex-wrap: wrap;
  align-items: center;
  gap: 12px;
`;

const Cell = styled.span`
  display: flex;
  align-items: center;
  gap: 12px;
`;

const Columns = styled.div`
  display: grid;
  grid-template-columns: repeat(auto-fit, minmax(min(440px, 100%), 1fr));
  gap: 24px;
`;
