import { useEffect, useSyncExternalStore } from 'react';

function listen(onChange: () => void): () => void {
  document.addEventListener('fullscreenchange', onChange);
  return () => document.removeEventListener('fullscreenchange', onChange);
}

// Telephones of Apple know nothing of it.
const isFull = () => Boolean(document.fullscreenElement);

/** Whether the page takes the whole screen, and how to change that, where a browser can; it ends with whoever asked for it. */
export function useFullScreen() {
  const isOn = useSyncExternalStore(listen, isFull);
  useEffect(() => {
    return () => {
      if (isFull()) void document.exitFullscreen();
    };
  }, []);
  const toggle = () => {
    // Refused where nobody pressed anything, or by what the page stands in.
    const change = isFull() ? document.exitFullscreen() : document.documentElement.requestFullscreen();
    change.catch(() => undefined);
  };
  return { isOn, toggle: document.fullscreenEnabled ? toggle : undefined };
}
