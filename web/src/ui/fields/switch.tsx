import type { ReactNode } from 'react';
import { Switch as AriaSwitch, type SwitchProps } from 'react-aria-components/Switch';
import { styled } from 'styled-components';
import { theme } from '../theme.ts';
import { ToggleMark, toggleStyles } from './toggle.tsx';

type Props = Omit<SwitchProps, 'children' | 'className' | 'style'> & { children: ReactNode };

/** A setting that applies immediately. */
export function Switch({ children, ...rest }: Props) {
  return (
    <Root {...rest}>
      {({ isSelected }) => (
        <>
          <Track $on={isSelected}>
            <Knob $on={isSelected} />
          </Track>
          {children}
        </>
      )}
    </Root>
  );
}

const Root = styled(AriaSwitch)`
  ${toggleStyles}
`;

const Track = styled(ToggleMark)`
  width: 36px;
  height: 20px;
  padding: 2px;
  border-radius: ${theme.radius.full};
`;

const Knob = styled.span<{ $on: boolean }>`
  display: block;
  width: 16px;
  height: 16px;
  border-radius: ${theme.radius.full};
  background: ${theme.color.surface};
  transform: translateX(${({ $on }) => ($on ? '16px' : '0')});
  transition: transform ${theme.motion.fast} ${theme.motion.ease};
`;
