import type { Project } from '@atrium/proto-events/http/projects';
import { HEALTH_OPTIONS } from '#entities/project/health-pill.tsx';
import { SearchField } from '#ui/fields/search-field.tsx';
import { Select } from '#ui/fields/select.tsx';
import { FilterBar } from '#ui/filter-bar.tsx';
import { Box, Caption } from '#ui/layout/primitives.ts';

type ProjectFilterState = { search: string; status: string; priority: string; health: string; shown: string };

export const NO_FILTERS: ProjectFilterState = { search: '', status: 'all', priority: 'all', health: 'all', shown: '1' };

/** Statuses by the label on the card. A map, because the URL may contain "constructor". */
const STATUSES = new Map<string, readonly Project['status'][]>([
  ['active', ['in-progress']],
  ['completed', ['completed']],
  ['paused', ['on-hold']],
  ['planning', ['not-started', 'cancelled']],
]);

const PRIORITIES = new Map<string, readonly Project['priority'][]>([
  ['high', ['urgent', 'high']],
  ['medium', ['medium']],
  ['low', ['low']],
]);

const STATUS_FILTERS = [
  { value: 'all', label: 'All Status' },
  { value: 'active', label: 'Active' },
  { value: 'completed', label: 'Completed' },
  { value: 'paused', label: 'Paused' },
  { value: 'planning', label: 'Planning' },
] as const;

const PRIORITY_FILTERS = [
  { value: 'all', label: 'All Priority' },
  { value: 'high', label: 'High/Urgent' },
  { value: 'medium', label: 'Medium' },
  { value: 'low', label: 'Low' },
] as const;

const HEALTH_FILTERS = [
  { value: 'all', label: 'All Health' },
  ...HEALTH_OPTIONS,
  { value: 'none', label: 'Not reported' },
] as const;

export function filterQuery({ search, status, priority, health }: Omit<ProjectFilterState, 'shown'>) {
  return {
    search,
    status: STATUSES.get(status)?.join(',') ?? '',
    priority: PRIORITIES.get(priority)?.join(',') ?? '',
    health: parseOption(HEALTH_FILTERS, health).replace('all', ''),
  };
}

export function isFiltered(filters: ProjectFilterState): boolean {
  return Object.values(filterQuery(filters)).some((value) => value !== '');
}

type Props = { filters: ProjectFilterState; onChange: (changes: Partial<ProjectFilterState>, kind?: 'push') => void };

const FILTERS_WITH_CANCELLED_NOTE: readonly string[] = ['planning', 'paused'];

export function ProjectFilterBar({ filters, onChange }: Props) {
  const status = parseOption(STATUS_FILTERS, filters.status);
  const priority = parseOption(PRIORITY_FILTERS, filters.priority);
  const health = parseOption(HEALTH_FILTERS, filters.health);
  return (
    <Box $below={4}>
      <FilterBar
        activeCount={[status, priority, health].filter((value) => value !== 'all').length}
        search={
          <SearchField
            label="Search projects by name or description"
            placeholder="Search projects"
            value={filters.search}
            onChange={(search) => onChange({ search })}
          />
        }
      >
        <Select
          label="Status"
          isLabelHidden
          options={STATUS_FILTERS}
          value={status}
          onChange={(chosen) => onChange({ status: chosen }, 'push')}
        />
        <Select
          label="Priority"
          isLabelHidden
          options={PRIORITY_FILTERS}
          value={priority}
          onChange={(chosen) => onChange({ priority: chosen }, 'push')}
        />
        <Select
          label="Health"
          isLabelHidden
          options={HEALTH_FILTERS}
          value={health}
          onChange={(chosen) => onChange({ health: chosen }, 'push')}
        />
      </FilterBar>
      {FILTERS_WITH_CANCELLED_NOTE.includes(status) && (
        <Caption $above={2}>
          Cancelled projects are listed under Planning. The totals above count them as Paused.
        </Caption>
      )}
    </Box>
  );
}

/** Returns an option from the URL, which may contain any value. */
function parseOption<Value extends string>(options: readonly { value: Value }[], value: string): Value | 'all' {
  return options.find((option) => option.value === value)?.value ?? 'all';
}
