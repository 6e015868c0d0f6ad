import { SearchField } from '#ui/fields/search-field.tsx';
import { Select } from '#ui/fields/select.tsx';
import { FilterBar } from '#ui/filter-bar.tsx';
import { Box, Caption } from '#ui/layout/primitives.ts';
import { PRIORITY_FILTERS, STATUS_FILTERS, type TrackerFilterState } from './project-filters.ts';

type Props = { place: TrackerFilterState; onChange: (changes: Partial<TrackerFilterState>, kind?: 'push') => void };

/** Filters under which users may look for cancelled projects. */
const CANCELLED_FILTERS: readonly string[] = ['planning', 'paused'];

export function ProjectFilterBar({ place, onChange }: Props) {
  const status = known(STATUS_FILTERS, place.status);
  const priority = known(PRIORITY_FILTERS, place.priority);
  return (
    <Box $below={4}>
      <FilterBar
        activeCount={[status, priority].filter((value) => value !== 'all').length}
        search={
          <SearchField
            label="Search projects by name or description"
            placeholder="Search projects"
            value={place.search}
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
      </FilterBar>
      {CANCELLED_FILTERS.includes(status) && (
        <Caption $above={2}>
          Cancelled projects are listed under Planning. The totals above count them as Paused.
        </Caption>
      )}
    </Box>
  );
}

/** The URL may hold any value. */
function known<Value extends string>(options: readonly { value: Value }[], value: string): Value | 'all' {
  return options.find((option) => option.value === value)?.value ?? 'all';
}
