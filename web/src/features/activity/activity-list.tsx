import { ACTIVITY_KINDS } from '@atrium/proto-events/http/activity';
import { ScrollText } from 'lucide-react';
import { styled } from 'styled-components';
import {
  type ActivityEntry,
  type ActivityFilters,
  actionLabel,
  addressText,
  detailsText,
  KIND_LABELS,
  subjectText,
  useActivity,
} from '#entities/activity/activity.ts';
import { UserFilter } from '#entities/user/user-filter.tsx';
import { displayName } from '#entities/user/user-labels.ts';
import { useUrlState } from '#lib/hooks/use-url-state.ts';
import { useClampedPage } from '#lib/query/paging.ts';
import { MobileOnly } from '#ui/collapsible.tsx';
import { Select } from '#ui/fields/select.tsx';
import { filterStyles } from '#ui/filter-bar.tsx';
import { SelfRemovingButton } from '#ui/forms/self-removing-button.tsx';
import { Text, TwoLineText } from '#ui/layout/primitives.ts';
import { AsyncContent } from '#ui/pages/async-content.tsx';
import { Card } from '#ui/pages/card.tsx';
import { EmptyState } from '#ui/pages/empty-state.tsx';
import { Pagination } from '#ui/pages/pagination.tsx';
import { SkeletonRows } from '#ui/pages/skeleton.tsx';
import { type Column, Table } from '#ui/pages/table.tsx';
import { Pill } from '#ui/pill.tsx';
import { theme } from '#ui/theme.ts';
import { DatePicker } from '#ui/times/date-picker.tsx';
import { RelativeTime } from '#ui/times/relative-time.tsx';

type Props = {
  filters: ActivityFilters;
  onChange: (changes: Partial<ActivityFilters>, step: 'push' | 'replace') => void;
};

const ALL = 'all';
const KINDS = [
  { value: ALL, label: 'All Activity' },
  ...ACTIVITY_KINDS.map((kind) => ({ value: String(kind), label: KIND_LABELS[kind] })),
];

function ActivityFilterBar({ filters, onChange }: Props) {
  const choose = (field: 'user' | 'from' | 'to') => (value: string) => onChange({ [field]: value, page: '1' }, 'push');
  return (
    <Bar role="search">
      <UserFilter label="Person" placeholder="Everyone" value={filters.user} onChange={choose('user')} />
      <Select
        label="Kind"
        isLabelHidden
        options={KINDS}
        value={filters.kind || ALL}
        onChange={(kind) => onChange({ kind: kind === ALL ? '' : kind, page: '1' }, 'push')}
      />
      <DatePicker label="From" value={filters.from} onChange={choose('from')} />
      <DatePicker label="To" value={filters.to} onChange={choose('to')} />
    </Bar>
  );
}

const Bar = styled.div`
  ${filterStyles}
  display: grid;
  grid-template-columns: repeat(auto-fit, minmax(min(100%, 180px), 1fr));
  align-items: end;
  gap: ${theme.space[2]};
  padding: ${theme.space[3]} ${theme.gutter.card};
  border-bottom: 1px solid ${theme.color.line};
`;

const NO_FILTERS = { user: '', kind: '', from: '', to: '', page: '1' };

export function ActivityList() {
  const [filters, setFilters] = useUrlState(NO_FILTERS);
  const activity = useActivity(true, filters);
  const { data } = activity;
  useClampedPage(data, (page) => setFilters({ page: String(page) }));
  const turnPage = (page: number) => setFilters({ page: String(page) }, 'push');
  return (
    <Card footer={data && data.total > 0 ? <Pagination {...data} onPage={turnPage} /> : undefined}>
      <ActivityFilterBar filters={filters} onChange={setFilters} />
      <AsyncContent query={activity} failure="Failed to load activity" skeletons={<SkeletonRows count={8} />}>
        {({ data: entries }) =>
          entries.length > 0 ? (
            <ActivityTable entries={entries} />
          ) : (
            <EmptyState
              icon={<ScrollText />}
              title="No activity found"
              hint="Nothing matches these filters."
              action={
                <SelfRemovingButton onPress={() => setFilters(NO_FILTERS, 'push')}>Clear filters</SelfRemovingButton>
              }
            />
          )
        }
      </AsyncContent>
    </Card>
  );
}

const COLUMNS: Column<ActivityEntry>[] = [
  { key: 'time', header: 'Time', width: '150px', isSecondary: true, cell: ({ at }) => <RelativeTime time={at} /> },
  { key: 'action', header: 'Action', width: '34%', cell: (entry) => <Action entry={entry} /> },
  { key: 'actor', header: 'By', width: '22%', cell: (entry) => <Actor entry={entry} /> },
  {
    key: 'target',
    header: 'About',
    isSecondary: true,
    cell: ({ target }) => target.title || <Text $tone="text3">–</Text>,
  },
  {
    key: 'address',
    header: 'Address',
    width: '150px',
    isSecondary: true,
    cell: (entry) => addressText(entry) ?? <Text $tone="text3">–</Text>,
  },
];

function ActivityTable({ entries }: { entries: readonly ActivityEntry[] }) {
  return <Table label="Activity" columns={COLUMNS} rows={entries} keyOf={({ _id }) => _id} />;
}

function Action({ entry }: { entry: ActivityEntry }) {
  const details = detailsText(entry);
  return (
    <TwoLineText>
      <strong>
        {actionLabel(entry.action)} {entry.outcome === 'failed' && <Pill tone="danger">Failed</Pill>}
        {entry.outcome === 'denied' && <Pill tone="warning">Denied</Pill>}
      </strong>
      {details && <small title={details}>{details}</small>}
      <MobileOnly as="small">
        <RelativeTime time={entry.at} />
      </MobileOnly>
    </TwoLineText>
  );
}

function Actor({ entry }: { entry: ActivityEntry }) {
  const { actor, email } = entry;
  return (
    <TwoLineText>
      <strong dir="auto">
        {actor ? displayName(actor) : (subjectText(entry) ?? <Text $tone="text3">Unknown</Text>)}
      </strong>
      {actor && email && <small title={email}>{email}</small>}
    </TwoLineText>
  );
}
