import { useCallback, useSyncExternalStore } from 'react';
import { flushSync } from 'react-dom';

/** Whether a media query matches: `useMedia(theme.media.small)`. Only to skip rendering; use CSS otherwise. */
export function useMedia(rule: string): boolean {
  const query = rule.replace('@media ', '');
  const subscribe = useCallback(
    (listener: () => void) => {
      const list = window.matchMedia(query);
      list.addEventListener('change', listener);
      return () => list.removeEventListener('change', listener);
    },
    [query],
  );
  return useSyncExternalStore(subscribe, () => window.matchMedia(query).matches);
}

const paper = () => window.matchMedia('print');

let isBetween = false;

function subscribe(onChange: () => void): () => void {
  const media = paper();
  // The browser lays out the pages right after the event.
  const notify = () => flushSync(onChange);
  // Set here and not in a capture listener: Chromium calls the listeners of the window in registration order.
  const begin = () => {
    isBetween = true;
    notify();
  };
  const end = () => {
    isBetween = false;
    notify();
  };
  media.addEventListener('change', notify);
  window.addEventListener('beforeprint', begin);
  window.addEventListener('afterprint', end);
  return () => {
    media.removeEventListener('change', notify);
    window.removeEventListener('beforeprint', begin);
    window.removeEventListener('afterprint', end);
  };
}

export function useIsPrinting(): boolean {
  return useSyncExternalStore(subscribe, () => isBetween || paper().matches);
}
