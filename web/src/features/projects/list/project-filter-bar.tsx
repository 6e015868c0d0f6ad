import { Info } from 'lucide-react';
import { styled } from 'styled-components';
import { SearchField } from '../../../ui/fields/search-field.tsx';
import { Select } from '../../../ui/fields/select.tsx';
import { IconButton } from '../../../ui/icon-button.tsx';
import { Tooltip } from '../../../ui/overlays/tooltip.tsx';
import { theme } from '../../../ui/theme.ts';
import { PRIORITY_FILTERS, STATUS_FILTERS, type TrackerPlace } from './project-filters.ts';

type Props = { place: TrackerPlace; onChange: (changes: Partial<TrackerPlace>, kind?: 'push') => void };

const CANCELLED =
  'A cancelled project reads Planning on its card and is found under Planning here; the figures above count it as Paused.';

export function ProjectFilterBar({ place, onChange }: Props) {
  return (
    <Bar role="search">
      <SearchField
        label="Search projects by name or description"
        placeholder="Search projects"
        value={place.search}
        onChange={(search) => onChange({ search })}
      />
      <Choice>
        <Select
          label="Status"
          isLabelHidden
          options={STATUS_FILTERS}
          value={known(STATUS_FILTERS, place.status)}
          onChange={(status) => onChange({ status }, 'push')}
        />
      </Choice>
      <Choice>
        <Select
          label="Priority"
          isLabelHidden
          options={PRIORITY_FILTERS}
          value={known(PRIORITY_FILTERS, place.priority)}
          onChange={(priority) => onChange({ priority }, 'push')}
        />
      </Choice>
      <Tooltip text={CANCELLED}>
        <IconButton label="Where cancelled projects are">
          <Info />
        </IconButton>
      </Tooltip>
    </Bar>
  );
}

/** The address may hold anything. */
function known<Value extends string>(options: readonly { value: Value }[], value: string): Value | 'all' {
  return options.find((option) => option.value === value)?.value ?? 'all';
}

const Bar = styled.div`
  display: flex;
  flex-wrap: wrap;
  align-items: center;
  gap: ${theme.space[2]};
  margin-bottom: ${theme.space[4]};
  ${theme.media.small} {
    > :first-child {
      flex-basis: 100%;
    }
  }
`;

const Choice = styled.div`
  flex: 0 0 160px;
  min-width: 0;
  ${theme.media.small} {
    flex: 1 1 0;
  }
`;
