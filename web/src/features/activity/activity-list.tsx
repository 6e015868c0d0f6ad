import { ACTIVITY_KINDS } from '@atrium/proto-events/http/activity';
import { ScrollText } from 'lucide-react';
import { styled } from 'styled-components';
import { type ActivityFilters, KIND_LABELS, useActivity } from '#entities/activity/activity.ts';
import { PersonFilter } from '#entities/user/person-filter.tsx';
import { useUrlState } from '#lib/hooks/use-url-state.ts';
import { useClampedPage } from '#lib/query/use-clamped-page.ts';
import { Select } from '#ui/fields/select.tsx';
import { filterStyles } from '#ui/filter-bar.tsx';
import { SelfRemovingButton } from '#ui/forms/self-removing-button.tsx';
import { AsyncContent } from '#ui/pages/async-content.tsx';
import { Card } from '#ui/pages/card.tsx';
import { EmptyState } from '#ui/pages/empty-state.tsx';
import { Pagination } from '#ui/pages/pagination.tsx';
import { SkeletonRows } from '#ui/pages/skeleton.tsx';
import { theme } from '#ui/theme.ts';
import { DatePicker } from '#ui/times/date-picker.tsx';
import { ActivityTable } from './activity-table.tsx';

type Props = {
  filters: ActivityFilters;
  onChange: (changes: Partial<ActivityFilters>, step: 'push' | 'replace') => void;
};

const ALL = 'all';
const KINDS = [
  { value: ALL, label: 'All Activity' },
  ...ACTIVITY_KINDS.map((kind) => ({ value: String(kind), label: KIND_LABELS[kind] })),
];

/** Any change resets the list to the first page. */
function ActivityFilterBar({ filters, onChange }: Props) {
  const choose = (field: 'user' | 'from' | 'to') => (value: string) => onChange({ [field]: value, page: '1' }, 'push');
  return (
    <Bar role="search">
      <PersonFilter label="Person" placeholder="Everyone" value={filters.user} onChange={choose('user')} />
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

/** The activity log, paginated and filtered by the URL. */
export function ActivityList() {
  const [filters, setFilters] = useUrlState(NO_FILTERS);
  const answer = useActivity(true, filters);
  const { data } = answer;
  useClampedPage(data, (page) => setFilters({ page: String(page) }));
  const turnPage = (page: number) => setFilters({ page: String(page) }, 'push');
  return (
    <Card footer={data && data.total > 0 ? <Pagination {...data} onPage={turnPage} /> : undefined}>
      <ActivityFilterBar filters={filters} onChange={setFilters} />
      <AsyncContent query={answer} failure="Failed to load activity" skeletons={<SkeletonRows count={8} />}>
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
