import { type ReactNode, useContext, useEffect, useRef } from 'react';
import { OverlayTriggerStateContext } from 'react-aria-components/Dialog';
import { Popover, type PopoverProps } from 'react-aria-components/Popover';
import { useInRouterContext, useLocation, useNavigationType } from 'react-router-dom';
import { styled } from 'styled-components';
import { useStableCallback } from '#lib/hooks/use-stable-callback.ts';
import { theme } from './theme.ts';

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

type CloseOnBackProps = { onClose: () => void };

/**
 * Rendered in every open overlay: Back and Forward close it, since it belongs to its page. Overlays in the URL follow
 * that instead: `useOverlayHistory` ignores this.
 */
export function CloseOnBack({ onClose }: CloseOnBackProps) {
  return useInRouterContext() && <CloseOnPop onClose={onClose} />;
}

function ClosePopoverOnBack() {
  const state = useContext(OverlayTriggerStateContext);
  return <CloseOnBack onClose={() => state?.close()} />;
}

function CloseOnPop({ onClose }: CloseOnBackProps) {
  const { key } = useLocation();
  const navigation = useNavigationType();
  const openedAt = useRef(key);
  const close = useStableCallback(onClose);
  useEffect(() => {
    if (openedAt.current === key) return;
    openedAt.current = key;
    if (navigation === 'POP') close();
  }, [key, navigation, close]);
  return null;
}
