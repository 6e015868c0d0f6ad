import { useEffect, useSyncExternalStore } from 'react';

function listen(onChange: () => void): () => void {
  document.addEventListener('fullscreenchange', onChange);
  return () => document.removeEventListener('fullscreenchange', onChange);
}

// Not supported on iPhones.
const isFull = () => Boolean(document.fullscreenElement);

/** Whether the page is in full screen, and a toggle if the browser supports it; exits on unmount. */
export function useFullScreen() {
  const isOn = useSyncExternalStore(listen, isFull);
  useEffect(() => {
    return () => {
      if (isFull()) void document.exitFullscreen();
    };
  }, []);
  const toggle = () => {
    // Rejected without a user gesture, or by a permissions policy.
    const change = isFull() ? document.exitFullscreen() : document.documentElement.requestFullscreen();
    change.catch(() => undefined);
  };
  return { isOn, toggle: document.fullscreenEnabled ? toggle : undefined };
}
