import { useEffect } from 'react';
import { useLocation } from 'react-router-dom';
import { useCurrentUser } from '#lib/session/session.ts';
import type { fetchScreenChunks } from './fetch-chunks.ts';
import { idle } from './idle.ts';
import { setChunksLoaded } from './loaded-chunks.ts';
import { isMetered } from './metered.ts';
import { findScreen, listNavigationScreens } from './screens.ts';

/** The first screen counts as loaded when no API response arrives for this long. */
const IDLE_MS = 2_000;

/**
 * Loads the dialogs of the current screen and the other screens of the navigation while the page is idle. On metered
 * connections, everything is loaded on demand.
 */
export function usePrefetchChunks(): void {
  const isAdmin = useCurrentUser().role === 'admin';
  const screen = findScreen(useLocation().pathname);
  useEffect(() => {
    setChunksLoaded(false);
    const stop = new AbortController();
    const begin = () => {
      if (isMetered() || !navigator.onLine) return;
      void fetchChunks({ current: screen, others: listNavigationScreens(isAdmin) }, stop.signal);
    };
    whenNetworkIdle(begin, stop.signal);
    window.addEventListener('online', begin, { signal: stop.signal });
    return () => stop.abort();
  }, [screen, isAdmin]);
}

/** Not part of the first load. Without it, what is missing loads on demand. */
async function fetchChunks(...args: Parameters<typeof fetchScreenChunks>): Promise<void> {
  const loaded = await import('./fetch-chunks.ts').catch(() => null);
  await loaded?.fetchScreenChunks(...args);
}

/** Prefetching earlier would compete with the requests of the screen. */
function whenNetworkIdle(onIdle: () => void, signal: AbortSignal): void {
  const finish = () => {
    observer.disconnect();
    void idle().then(onIdle);
  };
  let timer = setTimeout(finish, IDLE_MS);
  const observer = new PerformanceObserver((list) => {
    if (!list.getEntries().some(isApiResponse)) return;
    clearTimeout(timer);
    timer = setTimeout(finish, IDLE_MS);
  });
  observer.observe({ type: 'resource' });
  signal.addEventListener('abort', () => {
    clearTimeout(timer);
    observer.disconnect();
  });
}

const isApiResponse = ({ name }: PerformanceEntry) => new URL(name).pathname.startsWith('/api/');
