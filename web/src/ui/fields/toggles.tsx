import type { ReactNode } from 'react';
import { Checkbox as AriaCheckbox, type CheckboxProps as AriaCheckboxProps } from 'react-aria-components/Checkbox';
import { Switch as AriaSwitch, type SwitchProps as AriaSwitchProps } from 'react-aria-components/Switch';
import { css, styled } from 'styled-components';
import { inlineStyles } from '../mixins.ts';
import { theme } from '../theme.ts';
import { CheckboxIndicator, ToggleIndicator } from './checkbox-indicator.tsx';

const toggleStyles = css`
  ${inlineStyles(3)}
  min-height: 32px;
  cursor: pointer;
  &[data-disabled] {
    opacity: 0.5;
    cursor: default;
  }
  &[data-focus-visible] ${ToggleIndicator} {
    box-shadow: ${theme.shadow.focus};
  }
  ${theme.media.small} {
    min-height: 44px;
  }
`;

type CheckboxProps = Omit<AriaCheckboxProps, 'children' | 'className' | 'style'> & { children: ReactNode };

export function Checkbox({ children, ...rest }: CheckboxProps) {
  return (
    <CheckboxRoot {...rest}>
      {({ isSelected, isIndeterminate }) => (
        <>
          <CheckboxIndicator isChecked={isSelected} isIndeterminate={isIndeterminate} />
          <Label>{children}</Label>
        </>
      )}
    </CheckboxRoot>
  );
}

const CheckboxRoot = styled(AriaCheckbox)`
  ${toggleStyles}
`;

const Label = styled.span`
  min-width: 0;
`;

type SwitchProps = Omit<AriaSwitchProps, 'children' | 'className' | 'style'> & { children: ReactNode };

export function Switch({ children, ...rest }: SwitchProps) {
  return (
    <SwitchRoot {...rest}>
      {({ isSelected }) => (
        <>
          <Track $on={isSelected}>
            <Knob $on={isSelected} />
          </Track>
          {children}
        </>
      )}
    </SwitchRoot>
  );
}

const SwitchRoot = styled(AriaSwitch)`
  ${toggleStyles}
`;

const Track = styled(ToggleIndicator)`
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
