import type { Task } from '@atrium/proto-events/http/tasks';
import { PRIORITY_OPTIONS } from '#entities/priority.ts';
import { isId } from '#lib/paths.ts';
import type { Option } from '#ui/fields/option.tsx';
import { SearchField } from '#ui/fields/search-field.tsx';
import { Select } from '#ui/fields/select.tsx';
import { FilterBar } from '#ui/filter-bar.tsx';
import { SelfRemovingButton } from '#ui/forms/self-removing-button.tsx';
import { Box } from '#ui/layout/primitives.ts';

export type BoardFilterState = { search: string; priority: string; assignee: string; column: string };

export const DEFAULT_FILTERS: BoardFilterState = { search: '', priority: 'all', assignee: 'all', column: 'todo' };

export type BoardFilters = Pick<BoardFilterState, 'search' | 'priority' | 'assignee'>;

export function validFilters(filters: BoardFilterState, people: readonly { value: string }[]): BoardFilterState {
  return people.some(({ value }) => value === filters.assignee)
    ? filters
    : { ...filters, assignee: DEFAULT_FILTERS.assignee };
}

export function boardQuery({ search, priority, assignee }: BoardFilters) {
  return { search, priority: parsePriority(priority) ?? '', ...(isId(assignee) ? { assignedTo: assignee } : {}) };
}

export function isBoardFiltered({ search, priority, assignee }: BoardFilters): boolean {
  return search !== '' || parsePriority(priority) !== undefined || isId(assignee);
}

function parsePriority(text: string): Task['priority'] | undefined {
  return PRIORITY_OPTIONS.find(({ value }) => value === text)?.value;
}

type Props = {
  assignees: readonly Option[];
  filters: BoardFilterState;
  onChange: (changes: Partial<BoardFilterState>, kind?: 'push') => void;
};

export function BoardFilterBar({ assignees, filters, onChange }: Props) {
  const priorities = [{ value: 'all', label: 'All priorities' }, ...PRIORITY_OPTIONS];
  const isPriority = priorities.some(({ value }) => value === filters.priority);
  const { column: _column, ...noFilters } = DEFAULT_FILTERS;
  const priority = isPriority ? filters.priority : 'all';
  return (
    <Box $below={3}>
      <FilterBar
        activeCount={[filters.assignee, priority].filter((value) => value !== 'all').length}
        search={
          <SearchField
            label="Search tasks by title or description"
            placeholder="Search tasks"
            value={filters.search}
            onChange={(search) => onChange({ search })}
          />
        }
        after={
          isBoardFiltered(filters) && (
            <SelfRemovingButton variant="ghost" onPress={() => onChange(noFilters, 'push')}>
              Clear filters
            </SelfRemovingButton>
          )
        }
      >
        <Select
          label="Assignee"
          isLabelHidden
          options={[{ value: 'all', label: 'Everyone' }, ...assignees]}
          value={filters.assignee}
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
