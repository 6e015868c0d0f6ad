import { styled } from 'styled-components';
import { PRIORITY_OPTIONS } from '../../../entities/priority.ts';
import type { Option } from '../../../ui/fields/option.tsx';
import { SearchField } from '../../../ui/fields/search-field.tsx';
import { Select } from '../../../ui/fields/select.tsx';
import { VanishingButton } from '../../../ui/forms/vanishing-button.tsx';
import { theme } from '../../../ui/theme.ts';
import { type BoardPlace, isBoardFiltered, WHOLE_BOARD } from './board-filters.ts';

type Props = {
  holders: readonly Option[];
  place: BoardPlace;
  onChange: (changes: Partial<BoardPlace>, kind?: 'push') => void;
};

/** `holders` are whom its tasks may be looked for by; `place` names nobody else. */
export function BoardFilterBar({ holders, place, onChange }: Props) {
  const priorities = [{ value: 'all', label: 'All priorities' }, ...PRIORITY_OPTIONS];
  const isPriority = priorities.some(({ value }) => value === place.priority);
  const { column: _column, ...noFilters } = WHOLE_BOARD;
  return (
    <Bar role="search">
      <SearchField
        label="Search tasks by title or description"
        placeholder="Search tasks"
        value={place.search}
        onChange={(search) => onChange({ search })}
      />
      <Choice>
        <Select
          label="Assignee"
          isLabelHidden
          options={[{ value: 'all', label: 'Everyone' }, ...holders]}
          value={place.assignee}
          onChange={(assignee) => onChange({ assignee }, 'push')}
        />
      </Choice>
      <Choice>
        <Select
          label="Priority"
          isLabelHidden
          options={priorities}
          value={isPriority ? place.priority : 'all'}
          onChange={(priority) => onChange({ priority }, 'push')}
        />
      </Choice>
      {isBoardFiltered(place) && (
        <VanishingButton variant="ghost" onPress={() => onChange(noFilters, 'push')}>
          Clear filters
        </VanishingButton>
      )}
    </Bar>
  );
}

const Bar = styled.div`
  display: flex;
  flex-wrap: wrap;
  align-items: center;
  gap: ${theme.space[2]};
  margin-bottom: ${theme.space[3]};
  ${theme.media.small} {
    > :first-child {
      flex-basis: 100%;
    }
  }
`;

const Choice = styled.div`
  flex: 0 0 180px;
  min-width: 0;
  ${theme.media.small} {
    flex: 1 1 0;
  }
`;
