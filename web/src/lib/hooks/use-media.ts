import { useCallback, useSyncExternalStore } from 'react';
import { flushSync } from 'react-dom';

/** Whether a media query matches: `useMedia(theme.media.small)`. Use it only to skip rendering, and CSS otherwise. */
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

const printMedia = () => window.matchMedia('print');

let isPrinting = false;

function subscribe(onChange: () => void): () => void {
  const media = printMedia();
  // The browser lays out the pages right after the event.
  const notify = () => flushSync(onChange);
  // These listeners set it, and not capture listeners: Chromium calls the listeners of the window in registration order.
  const begin = () => {
    isPrinting = true;
    notify();
  };
  const end = () => {
    isPrinting = false;
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
  return useSyncExternalStore(subscribe, () => isPrinting || printMedia().matches);
}
