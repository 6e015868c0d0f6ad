import type { SearchType } from '@atrium/proto-events/http/search/everything';
import { styled } from 'styled-components';
import { formatNumber } from '#lib/number-formats.ts';
import { bareButton, captionStyles, focusRing, hiddenInPrint, inlineStyles } from '#ui/mixins.ts';
import { theme } from '#ui/theme.ts';
import type { SearchGroup } from '../found-results.tsx';
import { SEARCH_TYPES, TYPE_LABELS } from '../result.ts';

type Props = {
  groups: readonly SearchGroup[];
  type: SearchType | undefined;
  onType: (type: SearchType | undefined) => void;
};

/** The types with their number of results. A type that could not be searched has none. */
export function Facets({ groups, type, onType }: Props) {
  return (
    <List aria-label="Types">
      <Facet label="All" isSelected={type === undefined} onSelect={() => onType(undefined)} />
      {SEARCH_TYPES.map((option) => {
        const group = groups.find((candidate) => candidate.type === option);
        return (
          <Facet
            key={option}
            label={TYPE_LABELS[option]}
            count={group && countText(group)}
            isSelected={option === type}
            onSelect={() => onType(option)}
          />
        );
      })}
    </List>
  );
}

const countText = ({ total, more }: SearchGroup) => `${formatNumber(total)}${more ? '+' : ''}`;

type FacetProps = { label: string; count?: string | undefined; isSelected: boolean; onSelect: () => void };

function Facet({ label, count, isSelected, onSelect }: FacetProps) {
  return (
    <li>
      <Choice type="button" {...(isSelected && { 'aria-current': 'true' })} onClick={onSelect}>
        <span>{label}</span>
        {count !== undefined && <Count>{count}</Count>}
      </Choice>
    </li>
  );
}

const List = styled.ul`
  display: grid;
  gap: 2px;
  margin: 0;
  padding: 0;
  list-style: none;
  ${theme.media.compact} {
    display: flex;
    overflow-x: auto;
    scrollbar-width: none;
  }
  ${hiddenInPrint}
`;

const Choice = styled.button`
  ${bareButton}
  ${focusRing}
  ${inlineStyles(3)}
  justify-content: space-between;
  width: 100%;
  min-height: ${theme.control};
  padding: 0 ${theme.space[3]};
  border-radius: ${theme.radius.md};
  color: ${theme.color.text2};
  font-weight: 500;
  white-space: nowrap;
  cursor: pointer;
  &:hover {
    background: ${theme.color.hover};
    color: ${theme.color.text};
  }
  &[aria-current] {
    background: ${theme.color.accentSoft};
    color: ${theme.color.text};
  }
  ${theme.media.small} {
    min-height: 44px;
  }
`;

const Count = styled.span`
  ${captionStyles}
  font-variant-numeric: tabular-nums;
`;
