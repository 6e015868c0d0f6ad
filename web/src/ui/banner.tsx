import { TriangleAlert, X } from 'lucide-react';
import type { ReactNode } from 'react';
import { styled } from 'styled-components';
import { IconButton } from './icon-button.tsx';
import { inlineStyles } from './mixins.ts';
import { theme } from './theme.ts';

type Props = {
  children: ReactNode;
  action?: ReactNode;
  onDismiss?: () => void;
  /** ARIA live role: a `status` waits for a pause. */
  role?: 'alert' | 'status';
};

/** A banner across the page about its overall state. */
export function Banner({ children, action, onDismiss, role = 'alert' }: Props) {
  return (
    <Bar role={role}>
      <TriangleAlert aria-hidden="true" />
      <p>{children}</p>
      {action}
      {onDismiss && (
        <IconButton label="Dismiss" onPress={onDismiss}>
          <X />
        </IconButton>
      )}
    </Bar>
  );
}

const Bar = styled.div`
  ${inlineStyles(3)}
  padding: ${theme.space[2]} ${theme.space[3]} ${theme.space[2]} ${theme.space[5]};
  border-bottom: 1px solid ${theme.color.line};
  background: ${theme.color.warningSoft};
  color: ${theme.color.warning};
  p {
    flex: 1;
    min-width: 0;
    font-weight: 500;
  }
  > svg {
    width: 18px;
    height: 18px;
  }
  ${theme.media.small} {
    flex-wrap: wrap;
    p {
      flex-basis: calc(100% - 40px);
    }
  }
`;
