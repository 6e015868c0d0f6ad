import type { ReactElement } from 'react';
import { Tooltip as AriaTooltip, TooltipTrigger } from 'react-aria-components/Tooltip';
import { styled } from 'styled-components';
import { theme } from '../theme.ts';

/** A short label on hover and focus. `children` must be focusable for React Aria. */
export function Tooltip({ text, children }: { text: string; children: ReactElement }) {
  return (
    <TooltipTrigger delay={400} closeDelay={80}>
      {children}
      <Bubble offset={6}>{text}</Bubble>
    </TooltipTrigger>
  );
}

const Bubble = styled(AriaTooltip)`
  max-width: 280px;
  padding: 5px 9px;
  border-radius: ${theme.radius.sm};
  background: ${theme.color.text};
  color: ${theme.color.ground};
  font: 500 ${theme.text.xs};
  box-shadow: ${theme.shadow.float};
  transition: opacity ${theme.motion.fast};
  &[data-entering],
  &[data-exiting] {
    opacity: 0;
  }
`;
