import type { ReactNode } from 'react';
import { Checkbox as AriaCheckbox, type CheckboxProps } from 'react-aria-components/Checkbox';
import { styled } from 'styled-components';
import { CheckMark } from './check-mark.tsx';
import { toggleStyles } from './toggle.tsx';

type Props = Omit<CheckboxProps, 'children' | 'className' | 'style'> & { children: ReactNode };

export function Checkbox({ children, ...rest }: Props) {
  return (
    <Root {...rest}>
      {({ isSelected, isIndeterminate }) => (
        <>
          <CheckMark isOn={isSelected} isPartly={isIndeterminate} />
          <Label>{children}</Label>
        </>
      )}
    </Root>
  );
}

const Root = styled(AriaCheckbox)`
  ${toggleStyles}
`;

const Label = styled.span`
  min-width: 0;
`;
