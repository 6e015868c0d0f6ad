import { type ReactNode, useId, useState } from 'react';
import { css, styled } from 'styled-components';
import { Button } from './button.tsx';
import { theme } from './theme.ts';

export function useCollapsible(isOpenAtFirst = false) {
  const [isOpen, setOpen] = useState(isOpenAtFirst);
  const id = useId();
  return {
    isOpen,
    button: { 'aria-expanded': isOpen, 'aria-controls': id, onPress: () => setOpen(!isOpen) },
    content: { id, 'data-collapsed': !isOpen },
  };
}

export const collapsibleStyles = css`
  ${theme.media.small} {
    &[data-collapsed='true'] {
      display: none;
    }
  }
`;

type Props = { label: string; icon?: ReactNode; isOpenAtFirst?: boolean; children: ReactNode };

export function CollapsibleOnMobile({ label, icon, isOpenAtFirst = false, children }: Props) {
  const { button, content } = useCollapsible(isOpenAtFirst);
  return (
    <div>
      <MobileOnly>
        <Button {...button} icon={icon} isFullWidth>
          {label}
        </Button>
      </MobileOnly>
      <Content {...content}>{children}</Content>
    </div>
  );
}

/** Shown on phones only; the doubled selector outweighs the styles of a surrounding text. */
export const MobileOnly = styled.div`
  && {
    display: none;
  }
  ${theme.media.small} {
    && {
      display: block;
    }
  }
`;

/** Text that phones omit; the accessible name of the control must contain it. */
export const HiddenOnMobile = styled.span`
  ${theme.media.small} {
    display: none;
  }
`;

const Content = styled.div`
  ${collapsibleStyles}
  ${theme.media.small} {
    margin-top: ${theme.space[2]};
  }
`;
