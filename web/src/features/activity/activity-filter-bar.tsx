import { ACTIVITY_KINDS } from '@atrium/proto-events/http/activity';
import { styled } from 'styled-components';
import { KIND_LABELS } from '#entities/activity/activity-text.ts';
import type { ActivityFilters } from '#entities/activity/use-activity.ts';
import { PersonFilter } from '#entities/user/person-filter.tsx';
import { Select } from '#ui/fields/select.tsx';
import { filterStyles } from '#ui/filter-bar.tsx';
import { theme } from '#ui/theme.ts';
import { DatePicker } from '#ui/times/date-picker.tsx';

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
export function ActivityFilterBar({ filters, onChange }: Props) {
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
  padding: ${theme.space[3]} ${theme.space[5]};
  border-bottom: 1px solid ${theme.color.line};
  ${theme.media.compact} {
    padding: ${theme.space[3]} ${theme.space[4]};
  }
`;
