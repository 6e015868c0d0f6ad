import { ListFilter as ListFilterIcon, Search, X } from 'lucide-react';
import type { KeyboardEvent, RefObject } from 'react';
import { styled } from 'styled-components';
import { isComposing } from '#lib/forms/is-composing.ts';
import { NativeSearch, NativeSearchInput } from '#ui/fields/native-search.ts';
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
    if (event.altKey || isComposing(event)) return;
    const first = rows.current?.querySelector('a');
    if (event.key === 'Enter') first?.click();
    else if (event.key === 'ArrowDown') first?.focus();
    else if (event.key === 'Escape') onChange({ ...filter, text: '' });
    else return;
    event.preventDefault();
  };
  return (
    <Bar role="search">
      <NativeSearch>
        <Search aria-hidden="true" />
        <NativeSearchInput
          type="search"
          dir="auto"
          aria-label="Filter conversations"
          placeholder="Filter"
          autoComplete="off"
          value={filter.text}
          onChange={(event) => onChange({ ...filter, text: event.target.value })}
          onKeyDown={onKeyDown}
        />
        {filter.text !== '' && (
          <Clear>
            <IconButton label="Clear filter" excludeFromTabOrder onPress={() => onChange({ ...filter, text: '' })}>
              <X />
            </IconButton>
          </Clear>
        )}
      </NativeSearch>
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
  button[aria-pressed='true'] {
    background: ${theme.color.accentSoft};
    color: ${theme.color.accent};
  }
  ${theme.media.small} {
    padding: 0 ${theme.space[2]} ${theme.space[2]} ${theme.space[4]};
  }
`;

const Clear = styled.div`
  position: absolute;
  inset-block: 0;
  inset-inline-end: 2px;
  display: flex;
  align-items: center;
`;
