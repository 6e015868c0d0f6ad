import { X } from 'lucide-react';
import { styled } from 'styled-components';
import {
  DEFAULT_HUB_FILTERS,
  type HubFilterState,
  KIND_FILTERS,
  SORTS,
  VISIBILITY_FILTERS,
} from '#entities/document/document-filters.ts';
import { ProjectField } from '#entities/project/project-field.tsx';
import { UserFilter } from '#entities/user/user-filter.tsx';
import { isId } from '#lib/paths.ts';
import { Button } from '#ui/button.tsx';
import { SearchField } from '#ui/fields/search-field.tsx';
import { Select } from '#ui/fields/select.tsx';
import { FilterBar } from '#ui/filter-bar.tsx';
import { Box } from '#ui/layout/primitives.ts';

type Props = {
  filters: HubFilterState;
  /** `push` for selections, which Back undoes; typing replaces the history entry. */
  onChange: (changes: Partial<HubFilterState>, kind?: 'push') => void;
};

export function DocumentFilterBar({ filters, onChange }: Props) {
  const by = isId(filters.by) ? filters.by : '';
  const filterSelect = (
    label: string,
    name: 'type' | 'visibility' | 'sort',
    options: readonly { value: string; label: string }[],
  ) => (
    <Select
      label={label}
      isLabelHidden
      options={options}
      value={options.some(({ value }) => value === filters[name]) ? filters[name] : DEFAULT_HUB_FILTERS[name]}
      onChange={(value) => onChange({ [name]: value }, 'push')}
    />
  );
  return (
    <Box $below={4}>
      <FilterBar
        activeCount={countFilters({ ...filters, by })}
        search={
          <SearchField
            label="Search by name, description, tag, uploader or text"
            placeholder="Search documents"
            value={filters.search}
            onChange={(search) => onChange({ search })}
          />
        }
        after={
          filters.tag !== '' && (
            <Button
              icon={<X />}
              aria-label={`Remove the filter for the tag ${filters.tag}`}
              onPress={() => onChange({ tag: '' }, 'push')}
            >
              <Tag dir="auto">{filters.tag}</Tag>
            </Button>
          )
        }
      >
        {filterSelect('Type', 'type', KIND_FILTERS)}
        {filterSelect('Visibility', 'visibility', VISIBILITY_FILTERS)}
        <UserFilter
          label="Uploaded by"
          placeholder="All uploaders"
          value={by}
          onChange={(userId) => onChange({ by: userId }, 'push')}
        />
        {!isId(filters.project) && (
          <ProjectField
            label="Project"
            isLabelHidden
            placeholder="All projects"
            value=""
            onChange={(project) => onChange({ project }, 'push')}
          />
        )}
        {filterSelect('Sort by', 'sort', SORTS)}
      </FilterBar>
    </Box>
  );
}

const countFilters = ({ type, visibility, by }: HubFilterState) =>
  [type !== DEFAULT_HUB_FILTERS.type, visibility !== DEFAULT_HUB_FILTERS.visibility, by !== ''].filter(Boolean).length;

const Tag = styled.span`
  max-width: 160px;
  overflow: hidden;
  text-overflow: ellipsis;
`;
