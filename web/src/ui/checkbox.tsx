import { Check, Minus } from 'lucide-react';
import type { ReactNode } from 'react';
import { Checkbox as AriaCheckbox, type CheckboxProps } from 'react-aria-components/Checkbox';
import { styled } from 'styled-components';
import { theme } from './theme.ts';

type Props = Omit<CheckboxProps, 'children' | 'className' | 'style'> & { children: ReactNode };

export function Checkbox({ children, ...rest }: Props) {
  return (
    <Root {...rest}>
      {({ isSelected, isIndeterminate }) => (
        <>
          <Box $on={isSelected || isIndeterminate}>{isIndeterminate ? <Minus /> : <Check />}</Box>
          <Words>{children}</Words>
        </>
      )}
    </Root>
  );
}

const Root = styled(AriaCheckbox)`
  display: flex;
  align-items: center;
  gap: ${theme.space[3]};
  min-height: 32px;
  cursor: pointer;
  &[data-disabled] {
    opacity: 0.5;
    cursor: default;
  }
  &[data-focus-visible] > span:first-of-type {
    box-shadow: ${theme.shadow.focus};
  }
  ${theme.media.small} {
    min-height: 44px;
  }
`;

const Box = styled.span<{ $on: boolean }>`
  display: grid;
  place-items: center;
  flex: none;
  width: 18px;
  height: 18px;
  border: 1px solid ${({ $on }) => ($on ? theme.color.accent : theme.color.lineStrong)};
  border-radius: 5px;
  background: ${({ $on }) => ($on ? theme.color.accent : theme.color.surface)};
  color: ${theme.color.onAccent};
  transition: background ${theme.motion.fast};
  svg {
    width: 14px;
    height: 14px;
    stroke-width: 3;
    opacity: ${({ $on }) => ($on ? 1 : 0)};
  }
`;

const Words = styled.span`
  min-width: 0;
`;
