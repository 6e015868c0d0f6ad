import { PRIORITY_OPTIONS } from '#entities/priority.ts';
import type { Option } from '#ui/fields/option.tsx';
import { SearchField } from '#ui/fields/search-field.tsx';
import { Select } from '#ui/fields/select.tsx';
import { FilterBar } from '#ui/filter-bar.tsx';
import { SelfRemovingButton } from '#ui/forms/self-removing-button.tsx';
import { Box } from '#ui/layout/primitives.ts';
import { type BoardFilterState, isBoardFiltered, WHOLE_BOARD } from './board-filters.ts';

type Props = {
  holders: readonly Option[];
  place: BoardFilterState;
  onChange: (changes: Partial<BoardFilterState>, kind?: 'push') => void;
};

/** `holders` are the options for the assignee filter. */
export function BoardFilterBar({ holders, place, onChange }: Props) {
  const priorities = [{ value: 'all', label: 'All priorities' }, ...PRIORITY_OPTIONS];
  const isPriority = priorities.some(({ value }) => value === place.priority);
  const { column: _column, ...noFilters } = WHOLE_BOARD;
  const priority = isPriority ? place.priority : 'all';
  return (
    <Box $below={3}>
      <FilterBar
        activeCount={[place.assignee, priority].filter((value) => value !== 'all').length}
        search={
          <SearchField
            label="Search tasks by title or description"
            placeholder="Search tasks"
            value={place.search}
            onChange={(search) => onChange({ search })}
          />
        }
        after={
          isBoardFiltered(place) && (
            <SelfRemovingButton variant="ghost" onPress={() => onChange(noFilters, 'push')}>
              Clear filters
            </SelfRemovingButton>
          )
        }
      >
        <Select
          label="Assignee"
          isLabelHidden
          options={[{ value: 'all', label: 'Everyone' }, ...holders]}
          value={place.assignee}
          onChange={(assignee) => onChange({ assignee }, 'push')}
        />
        <Select
          label="Priority"
          isLabelHidden
          options={priorities}
          value={priority}
          onChange={(chosen) => onChange({ priority: chosen }, 'push')}
        />
      </FilterBar>
    </Box>
  );
}
