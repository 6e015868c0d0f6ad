import { useSyncExternalStore } from 'react';

const paper = () => window.matchMedia('print');

function subscribe(notify: () => void): () => void {
  const media = paper();
  media.addEventListener('change', notify);
  window.addEventListener('beforeprint', notify);
  window.addEventListener('afterprint', notify);
  window.addEventListener('beforeprint', begin, { capture: true });
  window.addEventListener('afterprint', end, { capture: true });
  return () => {
    media.removeEventListener('change', notify);
    window.removeEventListener('beforeprint', notify);
    window.removeEventListener('afterprint', notify);
    window.removeEventListener('beforeprint', begin, { capture: true });
    window.removeEventListener('afterprint', end, { capture: true });
  };
}

let isBetween = false;
const begin = () => {
  isBetween = true;
};
const end = () => {
  isBetween = false;
};

/** Whether the page is being printed: then a list draws all its rows, not those in view alone. */
export function useIsPrinting(): boolean {
  return useSyncExternalStore(subscribe, () => isBetween || paper().matches);
}
