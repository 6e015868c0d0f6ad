import type { SearchType } from '@atrium/proto-events/http/search/everything';
import { styled } from 'styled-components';
import { bareButton, focusRing } from '#ui/mixins.ts';
import { theme } from '#ui/theme.ts';
import { SEARCH_TYPES, TYPE_LABELS } from './result.ts';

type Props = { type: SearchType | undefined; onChange: (type: SearchType | undefined) => void };

/** Reached with Tab. Pressing the selected type again selects all. */
export function TypeFilter({ type, onChange }: Props) {
  return (
    <Row role="group" aria-label="Types">
      {SEARCH_TYPES.map((option) => (
        <Chip
          key={option}
          type="button"
          aria-pressed={option === type}
          onClick={() => onChange(option === type ? undefined : option)}
        >
          {TYPE_LABELS[option]}
        </Chip>
      ))}
    </Row>
  );
}

const Row = styled.div`
  flex: none;
  display: flex;
  gap: ${theme.space[1]};
  padding: ${theme.space[2]} ${theme.space[4]};
  border-bottom: 1px solid ${theme.color.line};
  overflow-x: auto;
  scrollbar-width: none;
`;

const Chip = styled.button`
  ${bareButton}
  ${focusRing}
  flex: none;
  width: auto;
  min-height: 28px;
  padding: 0 ${theme.space[3]};
  border: 1px solid ${theme.color.line};
  border-radius: 999px;
  color: ${theme.color.text2};
  font: 500 ${theme.text.sm};
  cursor: pointer;
  &:hover {
    color: ${theme.color.text};
  }
  &[aria-pressed='true'] {
    border-color: ${theme.color.accent};
    background: ${theme.color.accentSoft};
    color: ${theme.color.text};
  }
  ${theme.media.small} {
    min-height: 44px;
  }
`;
