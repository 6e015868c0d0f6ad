import type { TaskStatus } from '@atrium/proto-events/http/tasks';
import { ToggleButton } from 'react-aria-components/ToggleButton';
import { ToggleButtonGroup } from 'react-aria-components/ToggleButtonGroup';
import { styled } from 'styled-components';
import { COLUMNS } from '#entities/task/task-labels.ts';
import { bareButton, focusRing } from '#ui/mixins.ts';
import { theme } from '#ui/theme.ts';

type Props = {
  counts: Partial<Record<TaskStatus, string>>;
  shown: string;
  onShow: (status: TaskStatus) => void;
};

/** Selects the visible column on a small screen. */
export function ColumnChoice({ counts, shown, onShow }: Props) {
  const choose = (keys: Set<string | number>) => {
    const column = COLUMNS.find(({ status }) => keys.has(status));
    if (column) onShow(column.status);
  };
  return (
    <Group
      aria-label="Column"
      selectionMode="single"
      disallowEmptySelection
      selectedKeys={[shown]}
      onSelectionChange={choose}
    >
      {COLUMNS.map(({ status, label }) => (
        <Choice key={status} id={status}>
          {label}
          <span>{counts[status] ?? ''}</span>
        </Choice>
      ))}
    </Group>
  );
}

const Group = styled(ToggleButtonGroup)`
  display: none;
  ${theme.media.small} {
    display: grid;
    grid-template-columns: repeat(4, auto);
    gap: 2px;
    margin-bottom: ${theme.space[3]};
    padding: 3px;
    border-radius: ${theme.radius.lg};
    background: ${theme.color.sunken};
  }
`;

const Choice = styled(ToggleButton)`
  display: flex;
  flex-wrap: wrap;
  align-items: center;
  justify-content: center;
  gap: 0 6px;
  min-height: 44px;
  padding: 0 4px;
  ${bareButton}
  border-radius: ${theme.radius.md};
  font: 500 ${theme.text.sm};
  color: ${theme.color.text2};
  span {
    font-variant-numeric: tabular-nums;
    color: ${theme.color.text3};
  }
  &[data-selected] {
    background: ${theme.color.selected};
    color: ${theme.color.text};
    box-shadow: ${theme.shadow.low};
  }
  ${focusRing}
`;
