import { useContext, useEffect, useRef } from 'react';
import { OverlayTriggerStateContext } from 'react-aria-components/Dialog';
import { useInRouterContext, useLocation, useNavigationType } from 'react-router-dom';
import { useStableCallback } from '#lib/hooks/use-stable-callback.ts';

type Props = { onClose: () => void };

/**
 * Rendered in every open overlay: Back and Forward close it, since it belongs to its page. Overlays in the URL follow
 * that instead: `useOverlayHistory` ignores this.
 */
export function CloseOnBack({ onClose }: Props) {
  return useInRouterContext() && <CloseOnPop onClose={onClose} />;
}

/** The same for a popover, which has its own state. */
export function ClosePopoverOnBack() {
  const state = useContext(OverlayTriggerStateContext);
  return <CloseOnBack onClose={() => state?.close()} />;
}

function CloseOnPop({ onClose }: Props) {
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
