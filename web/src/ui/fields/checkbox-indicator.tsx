import { Check, Minus } from 'lucide-react';
import { styled } from 'styled-components';
import { theme } from '../theme.ts';

export const ToggleIndicator = styled.span<{ $on: boolean }>`
  flex: none;
  background: ${({ $on }) => ($on ? theme.color.accent : theme.color.lineStrong)};
  transition: background ${theme.motion.fast};
`;

export function CheckboxIndicator({
  isChecked,
  isIndeterminate = false,
  isRound = false,
}: {
  isChecked: boolean;
  isIndeterminate?: boolean;
  /** Of a single choice. */
  isRound?: boolean;
}) {
  return (
    <Box $on={isChecked || isIndeterminate} $isRound={isRound} aria-hidden="true">
      {isIndeterminate ? <Minus /> : <Check />}
    </Box>
  );
}

const Box = styled(ToggleIndicator)<{ $isRound: boolean }>`
  display: grid;
  place-items: center;
  width: 18px;
  height: 18px;
  border: 1px solid ${({ $on }) => ($on ? theme.color.accent : theme.color.lineStrong)};
  border-radius: ${({ $isRound }) => ($isRound ? theme.radius.full : '5px')};
  ${({ $on }) => !$on && `background: ${theme.color.surface};`}
  && svg {
    width: 14px;
    height: 14px;
    stroke-width: 3;
    color: ${theme.color.onAccent};
    opacity: ${({ $on }) => ($on ? 1 : 0)};
  }
`;
