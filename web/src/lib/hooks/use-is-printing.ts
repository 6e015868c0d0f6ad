import { useSyncExternalStore } from 'react';
import { flushSync } from 'react-dom';

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

/** Whether the page is being printed, so that lists render all rows. */
export function useIsPrinting(): boolean {
  return useSyncExternalStore(subscribe, () => isBetween || paper().matches);
}
