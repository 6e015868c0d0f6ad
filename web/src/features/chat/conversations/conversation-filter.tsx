import { ListFilter as ListFilterIcon } from 'lucide-react';
import type { KeyboardEvent, RefObject } from 'react';
import { styled } from 'styled-components';
import { SearchField } from '#ui/fields/search-field.tsx';
import { IconButton } from '#ui/icon-button.tsx';
import { Tooltip } from '#ui/overlays/tooltip.tsx';
import { theme } from '#ui/theme.ts';
import type { ListFilter } from './conversation-sections.ts';

type Props = {
  filter: ListFilter;
  onChange: (filter: ListFilter) => void;
  /** The element that contains the links. */
  rows: RefObject<HTMLElement | null>;
};

export function ConversationFilter({ filter, onChange, rows }: Props) {
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'ArrowDown' && event.key !== 'Enter') return;
    if (event.altKey || !(event.target instanceof HTMLInputElement)) return;
    const first = rows.current?.querySelector('a');
    if (!first) return;
    event.preventDefault();
    if (event.key === 'Enter') first.click();
    else first.focus();
  };
  return (
    <Bar role="search" onKeyDownCapture={onKeyDown}>
      <SearchField
        label="Filter conversations"
        placeholder="Filter"
        value={filter.text}
        onChange={(text) => onChange({ ...filter, text })}
      />
      <Tooltip text="Unread only">
        <IconButton
          label="Unread only"
          aria-pressed={filter.isUnreadOnly}
          onPress={() => onChange({ ...filter, isUnreadOnly: !filter.isUnreadOnly })}
        >
          <ListFilterIcon />
        </IconButton>
      </Tooltip>
    </Bar>
  );
}

const Bar = styled.div`
  display: flex;
  flex: none;
  align-items: center;
  gap: ${theme.space[1]};
  padding: 0 ${theme.space[3]} ${theme.space[3]} ${theme.space[5]};
  > :first-child {
    flex: 1 1 0;
  }
  button[aria-pressed='true'] {
    background: ${theme.color.accentSoft};
    color: ${theme.color.accent};
  }
  ${theme.media.small} {
    padding: 0 ${theme.space[2]} ${theme.space[2]} ${theme.space[4]};
  }
`;
