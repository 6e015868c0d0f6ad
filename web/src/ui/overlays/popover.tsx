import { Popover } from 'react-aria-components/Popover';
import { styled } from 'styled-components';
import { theme } from '../theme.ts';

/** The floating surface of menus, lists and calendars. */
export const FloatingSurface = styled(Popover)`
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

  &[data-entering],
  &[data-exiting] {
    opacity: 0;
    transform: translateY(-4px);
  }
  &[data-placement='top'][data-entering],
  &[data-placement='top'][data-exiting] {
    transform: translateY(4px);
  }
`;
