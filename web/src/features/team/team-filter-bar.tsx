import { styled } from 'styled-components';
import { NO_DEPARTMENT } from '#entities/user/use-people.ts';
import { SearchField } from '#ui/fields/search-field.tsx';
import { Select } from '#ui/fields/select.tsx';
import { theme } from '#ui/theme.ts';
import { type TeamFilters, useTeamDepartments } from './use-team.ts';

type Props = {
  filters: TeamFilters;
  /** `push` for selections, which Back undoes; typing replaces the history entry. */
  onChange: (changes: Partial<TeamFilters>, kind: 'push' | 'replace') => void;
};

const ALL = 'all';

export function TeamFilterBar({ filters, onChange }: Props) {
  const { departments = [] } = useTeamDepartments();
  return (
    <Bar role="search">
      <SearchField
        label="Search team members"
        placeholder="Search by name or email"
        value={filters.search}
        onChange={(search) => onChange({ search, page: '1' }, 'replace')}
      />
      <Choice>
        <Select
          label="Department"
          isLabelHidden
          options={[
            { value: ALL, label: 'All Departments' },
            { value: NO_DEPARTMENT, label: 'No department' },
            ...departments.map(({ _id, name }) => ({ value: _id, label: name })),
          ]}
          value={filters.department || ALL}
          onChange={(chosen) => onChange({ department: chosen === ALL ? '' : chosen, page: '1' }, 'push')}
        />
      </Choice>
    </Bar>
  );
}

const Bar = styled.div`
  display: flex;
  flex-wrap: wrap;
  gap: ${theme.space[2]};
  max-width: 640px;
  margin-bottom: ${theme.space[4]};
`;

const Choice = styled.div`
  flex: 0 1 200px;
  ${theme.media.small} {
    flex: 1 1 100%;
  }
`;
