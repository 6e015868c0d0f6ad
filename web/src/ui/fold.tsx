import { type ReactNode, useId, useState } from 'react';
import { css, styled } from 'styled-components';
import { Button } from './button.tsx';
import { theme } from './theme.ts';

export function useFold(isOpenAtFirst = false) {
  const [isOpen, setOpen] = useState(isOpenAtFirst);
  const id = useId();
  return {
    isOpen,
    button: { 'aria-expanded': isOpen, 'aria-controls': id, onPress: () => setOpen(!isOpen) },
    content: { id, 'data-folded': !isOpen },
  };
}

export const foldStyles = css`
  ${theme.media.small} {
    &[data-folded='true'] {
      display: none;
    }
  }
`;

type Props = { label: string; icon?: ReactNode; isOpenAtFirst?: boolean; children: ReactNode };

export function FoldOnPhones({ label, icon, isOpenAtFirst = false, children }: Props) {
  const { button, content } = useFold(isOpenAtFirst);
  return (
    <div>
      <OnPhones>
        <Button {...button} icon={icon} isFullWidth>
          {label}
        </Button>
      </OnPhones>
      <Content {...content}>{children}</Content>
    </div>
  );
}

/** Shown on phones only; the doubled selector outweighs the styles of a surrounding text. */
export const OnPhones = styled.div`
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
export const BeyondPhones = styled.span`
  ${theme.media.small} {
    display: none;
  }
`;

const Content = styled.div`
  ${foldStyles}
  ${theme.media.small} {
    margin-top: ${theme.space[2]};
  }
`;
