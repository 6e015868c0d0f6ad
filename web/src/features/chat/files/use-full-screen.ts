import { type RefObject, useCallback, useSyncExternalStore } from 'react';
import { showFailure } from '../../../ui/overlays/show-failure.ts';

function subscribe(listener: () => void): () => void {
  document.addEventListener('fullscreenchange', listener);
  return () => document.removeEventListener('fullscreenchange', listener);
}

/** Shows an element on the whole screen, until it is pressed again or Escape is. */
export function useFullScreen(element: RefObject<HTMLElement | null>) {
  const isOn = useSyncExternalStore(
    subscribe,
    () => document.fullscreenElement !== null && document.fullscreenElement === element.current,
  );
  const toggle = useCallback(async () => {
    try {
      if (document.fullscreenElement) await document.exitFullscreen();
      else await element.current?.requestFullscreen();
    } catch (error) {
      showFailure(error, 'The whole screen cannot be used here');
    }
  }, [element]);
  return { isOn, toggle, isPossible: document.fullscreenEnabled };
}
