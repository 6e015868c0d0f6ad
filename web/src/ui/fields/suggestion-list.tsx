import { type ReactNode, type RefObject, useEffect } from 'react';
import { styled } from 'styled-components';
import { FloatingSurface } from '../floating-surface.tsx';
import { theme } from '../theme.ts';
import { rowStyles } from './row-styles.ts';

/** `id` is that of its element, to which `aria-activedescendant` of the field refers. */
export type SuggestedOption = { id: string; content: ReactNode; onChoose: () => void };

type Props = {
  /** That of the element, to which `aria-controls` of the field refers. */
  id: string;
  label: string;
  field: RefObject<HTMLElement | null>;
  placement: 'top start' | 'bottom start';
  offset?: number;
  /** The width in pixels; without one, that of the field. On a phone, it is as wide as the screen. */
  width?: number;
  options: readonly SuggestedOption[];
  activeId: string;
  onActive: (index: number) => void;
  onClose: () => void;
};

/** Options next to a text field, which keeps the focus (ARIA: combobox with a list box). */
export function SuggestionList({ id, label, field, placement, offset = 8, width, options, activeId, ...on }: Props) {
  const { onActive, onClose } = on;
  useEffect(() => {
    document.getElementById(activeId)?.scrollIntoView({ block: 'nearest' });
  }, [activeId]);
  return (
    <Surface
      isOpen
      isNonModal
      triggerRef={field}
      placement={placement}
      offset={offset}
      $width={width}
      onOpenChange={(isOpen) => isOpen || onClose()}
    >
      <List role="listbox" id={id} aria-label={label}>
        {options.map(({ id: optionId, content, onChoose }, index) => (
          <Option
            key={optionId}
            id={optionId}
            role="option"
            aria-selected={optionId === activeId}
            data-focused={optionId === activeId || undefined}
            onMouseDown={(event) => {
              // Focus stays in the field.
              event.preventDefault();
              // Options that load while the button is held would move this one away before the click.
              if (event.button === 0) onChoose();
            }}
            onMouseMove={() => onActive(index)}
            // Of assistive technology, which does not press.
            onClick={onChoose}
          >
            {content}
          </Option>
        ))}
      </List>
    </Surface>
  );
}

const Surface = styled(FloatingSurface)<{ $width: number | undefined }>`
  && {
    width: ${({ $width }) => ($width === undefined ? 'var(--trigger-width)' : `${$width}px`)};
    min-width: 0;
    max-width: calc(100vw - 24px);
    ${theme.media.small} {
      ${({ $width }) => $width !== undefined && 'width: calc(100vw - 24px);'}
    }
  }
`;

const List = styled.div`
  max-height: min(320px, 40dvh);
  overflow: auto;
  overscroll-behavior: contain;
`;

const Option = styled.div`
  ${rowStyles}
`;
