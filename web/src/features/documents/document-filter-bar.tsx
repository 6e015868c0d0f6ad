import { X } from 'lucide-react';
import { styled } from 'styled-components';
import {
  type HubPlace,
  KIND_FILTERS,
  SORTS,
  VISIBILITY_FILTERS,
  WHOLE_HUB,
} from '../../entities/document/document-filters.ts';
import { PersonFilter } from '../../entities/person/person-filter.tsx';
import { ProjectField } from '../../entities/project/project-field.tsx';
import { isId } from '../../lib/is-id.ts';
import { Button } from '../../ui/button.tsx';
import { SearchField } from '../../ui/fields/search-field.tsx';
import { Select } from '../../ui/fields/select.tsx';
import { theme } from '../../ui/theme.ts';

type Props = {
  place: HubPlace;
  /** A choice is a step that Back undoes; typing is not. */
  onChange: (changes: Partial<HubPlace>, kind?: 'push') => void;
};

/** What the hub is narrowed to and how it is sorted. */
export function DocumentFilterBar({ place, onChange }: Props) {
  const choice = (
    label: string,
    name: 'type' | 'visibility' | 'sort',
    options: readonly { value: string; label: string }[],
  ) => (
    <Choice>
      <Select
        label={label}
        isLabelHidden
        options={options}
        value={options.some(({ value }) => value === place[name]) ? place[name] : WHOLE_HUB[name]}
        onChange={(value) => onChange({ [name]: value }, 'push')}
      />
    </Choice>
  );
  return (
    <Bar role="search">
      <Words>
        <SearchField
          label="Search by name, description, tag, uploader or text"
          placeholder="Search documents"
          value={place.search}
          onChange={(search) => onChange({ search })}
        />
      </Words>
      {choice('Type', 'type', KIND_FILTERS)}
      {choice('Visibility', 'visibility', VISIBILITY_FILTERS)}
      <Choice>
        <PersonFilter
          label="Uploaded by"
          placeholder="Any uploader"
          value={isId(place.by) ? place.by : ''}
          onChange={(by) => onChange({ by }, 'push')}
        />
      </Choice>
      {!isId(place.project) && (
        <Choice>
          <ProjectField
            label="Project"
            isLabelHidden
            placeholder="Any project"
            value=""
            onChange={(project) => onChange({ project }, 'push')}
          />
        </Choice>
      )}
      {choice('Order', 'sort', SORTS)}
      {place.tag !== '' && (
        <Button
          icon={<X />}
          aria-label={`Show documents without the tag ${place.tag}, too`}
          onPress={() => onChange({ tag: '' }, 'push')}
        >
          <Tag dir="auto">{place.tag}</Tag>
        </Button>
      )}
    </Bar>
  );
}

const Bar = styled.div`
  display: flex;
  flex-wrap: wrap;
  align-items: center;
  gap: ${theme.space[2]};
  margin-bottom: ${theme.space[4]};
`;

const Words = styled.div`
  display: flex;
  flex: 2 1 280px;
  min-width: 0;
`;

const Choice = styled.div`
  flex: 1 1 130px;
  min-width: 0;
`;

const Tag = styled.span`
  max-width: 160px;
  overflow: hidden;
  text-overflow: ellipsis;
`;
