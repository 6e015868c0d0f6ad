import type { ReactNode } from 'react';
import { Popover, type PopoverProps } from 'react-aria-components/Popover';
import { styled } from 'styled-components';
import { theme } from '../theme.ts';
import { ClosePopoverOnBack } from './close-on-back.tsx';

/**
 * The surface of menus, lists, and calendars. It fades in and disappears immediately: while fading out it would still
 * receive presses, keys, and files, and one reopened then would have no focus.
 */
export function FloatingSurface({ children, ...rest }: Omit<PopoverProps, 'children'> & { children: ReactNode }) {
  return (
    <Surface {...rest}>
      <ClosePopoverOnBack />
      {children}
    </Surface>
  );
}

const Surface = styled(Popover)`
  min-width: var(--trigger-width, 160px);
  max-width: min(420px, calc(100vw - 16px));
  max-height: inherit;
  overflow: auto;
  padding: ${theme.space[1]};
  border: 1px solid ${theme.color.line};
  border-radius: ${theme.radius.lg};
  background: ${theme.color.surface};
  color: ${theme.color.text};
  box-shadow: ${theme.shadow.float};
  outline: none;
  transition:
    opacity ${theme.motion.fast},
    transform ${theme.motion.fast} ${theme.motion.ease};

  &[data-entering] {
    opacity: 0;
    transform: translateY(-4px);
  }
  &[data-placement='top'][data-entering] {
    transform: translateY(4px);
  }
  &[data-exiting] {
    transition: none;
  }
`;
