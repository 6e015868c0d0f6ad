import { Check } from 'lucide-react';
import { ToggleButton } from 'react-aria-components/ToggleButton';
import { styled } from 'styled-components';
import { useAllDepartments } from '#entities/department/use-departments.ts';
import { NO_DEPARTMENT, useUserPage } from '#entities/user/use-users.ts';
import { formatNumber } from '#lib/number-formats.ts';
import { captionStyles, ellipsis, focusRing } from '#ui/mixins.ts';
import { Skeleton, SkeletonBlock } from '#ui/pages/skeleton.tsx';
import { theme } from '#ui/theme.ts';

type Props = { selected: string; onSelect: (department: string) => void };

/** Shows the number of people per department. Pressing a tile filters by it; pressing it again clears the filter. */
export function DepartmentTiles({ selected, onSelect }: Props) {
  const { departments, hasFailed } = useTeamDepartments();
  const unassignedCount = useUserPage({ search: '', department: NO_DEPARTMENT, page: '1', limit: 1 }).data?.total ?? 0;
  if (departments === undefined) return hasFailed ? null : <TileSkeletons />;
  const tiles = [
    ...departments,
    { _id: NO_DEPARTMENT, name: 'No department', employeeCount: unassignedCount },
    // Empty departments are hidden, except one selected in the URL, which must be clearable.
  ].filter(({ _id, employeeCount }) => employeeCount > 0 || _id === selected);
  if (tiles.length === 0) return null;
  return (
    <Strip role="group" aria-label="Departments">
      {tiles.map(({ _id, name, employeeCount }) => (
        <Tile key={_id} isSelected={selected === _id} onChange={(isOn) => onSelect(isOn ? _id : '')}>
          <Count>{formatNumber(employeeCount)}</Count>
          <Check aria-hidden="true" />
          <Name title={name} dir="auto">
            {name}
          </Name>
        </Tile>
      ))}
    </Strip>
  );
}

/** Active departments, and inactive ones that still have people. */
export function useTeamDepartments() {
  const { data, error } = useAllDepartments();
  const departments = data?.data.filter(({ isActive, employeeCount }) => isActive || employeeCount > 0);
  return { departments, hasFailed: error !== undefined };
}

function TileSkeletons() {
  return (
    <Skeleton label="Loading departments">
      <Strip>
        {['one', 'two', 'three', 'four', 'five', 'six'].map((tile) => (
          <SkeletonBlock key={tile} height={72} />
        ))}
      </Strip>
    </Skeleton>
  );
}

const Strip = styled.div`
  display: grid;
  grid-template-columns: repeat(auto-fill, minmax(132px, 1fr));
  gap: ${theme.space[3]};
  margin-bottom: ${theme.space[5]};
  ${theme.media.small} {
    grid-template-columns: none;
    grid-auto-flow: column;
    grid-auto-columns: 140px;
    gap: ${theme.space[2]};
    margin: 0 calc(-1 * ${theme.space[4]}) ${theme.space[4]};
    padding: 4px ${theme.space[4]};
    overflow-x: auto;
    scroll-padding: ${theme.space[4]};
    scrollbar-width: none;
  }
`;

const Tile = styled(ToggleButton)`
  display: grid;
  grid-template-columns: minmax(0, 1fr) auto;
  align-items: center;
  gap: 2px ${theme.space[2]};
  padding: ${theme.space[3]} ${theme.space[4]};
  border: 1px solid ${theme.color.line};
  border-radius: ${theme.radius.lg};
  background: ${theme.color.surface};
  color: ${theme.color.text};
  box-shadow: ${theme.shadow.low};
  text-align: start;
  cursor: pointer;
  transition:
    background ${theme.motion.fast},
    border-color ${theme.motion.fast};
  &[data-hovered] {
    border-color: ${theme.color.lineStrong};
  }
  &[data-selected] {
    border-color: ${theme.color.accent};
    background: ${theme.color.accentSoft};
  }
  svg {
    width: 18px;
    height: 18px;
    visibility: hidden;
  }
  &[data-selected] svg {
    visibility: visible;
    color: ${theme.color.accent};
  }
  ${focusRing}
`;

const Count = styled.span`
  font: 600 20px / 28px var(--font);
  letter-spacing: -0.01em;
  font-variant-numeric: tabular-nums;
`;

const Name = styled.span`
  grid-column: 1 / -1;
  ${ellipsis}
  ${captionStyles}
  [data-selected] > & {
    color: ${theme.color.accent};
  }
`;
