import { useEffect } from 'react';
import { useLocation } from 'react-router-dom';
import { useCurrentUser } from '#lib/session/session.ts';
import { setChunksLoaded } from './loaded-chunks.ts';
import { isMetered } from './metered.ts';
import { findScreen, listNavigationScreens } from './screens.ts';

const MANIFEST = 'meta[name="atrium-chunks"]';
const MAX_CONCURRENT = 2;
/** The first screen counts as loaded when no API response arrives for this long. */
const IDLE_MS = 2_000;
/** The deadline per chunk for pages that are never idle or are hidden. */
const IDLE_TIMEOUT_MS = 500;

/** Written by `build/chunk-manifest.ts`, with the names of route modules and of the shell. */
type Manifest = Readonly<Record<string, { screen: string[]; onDemand: string[] }>>;

/** Only chunks that have loaded; a link in the page may also be pending or failed. */
const loadedChunks = new Set<string>();
let isRunning = false;

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
      if (!isMetered()) void prefetchChunks(screen, listNavigationScreens(isAdmin), stop.signal);
    };
    whenNetworkIdle(begin, stop.signal);
    window.addEventListener('online', begin, { signal: stop.signal });
    return () => stop.abort();
  }, [screen, isAdmin]);
}

async function prefetchChunks(current: string, others: readonly string[], signal: AbortSignal): Promise<void> {
  // The page references the manifest of its own version.
  const manifestUrl = document.querySelector<HTMLMetaElement>(MANIFEST)?.content;
  if (!manifestUrl || signal.aborted || isRunning) return;
  isRunning = true;
  try {
    const response = await fetch(manifestUrl, { signal });
    const chunks = listChunks((await response.json()) as Manifest, current, others);
    const pending = chunks.filter((chunk) => !loadedChunks.has(chunk));
    await Promise.all(Array.from({ length: MAX_CONCURRENT }, () => fetchNext(pending, signal)));
    if (!signal.aborted) setChunksLoaded(true);
  } catch {
    // The user is offline or has left the page. Missing chunks load on demand.
  } finally {
    isRunning = false;
  }
}

function listChunks(manifest: Manifest, current: string, others: readonly string[]): string[] {
  const opened = [current, 'shell'].flatMap((name) => manifest[name]?.onDemand ?? []);
  const screens = [current, ...others].flatMap((name) => manifest[name]?.screen ?? []);
  return [...new Set([...opened, ...screens])];
}

async function fetchNext(pending: string[], signal: AbortSignal): Promise<void> {
  for (let chunk = pending.shift(); chunk && !signal.aborted; chunk = pending.shift()) {
    // Fetches the file before preloading the module: browsers cache a failed module until the page is reloaded.
    const response = await fetch(chunk, { signal });
    if (!response.ok) throw new Error(chunk);
    await response.arrayBuffer();
    // Parsing a module takes several milliseconds on a slow phone, which must not delay input.
    await idle();
    await preload(chunk);
    loadedChunks.add(chunk);
  }
}

function preload(chunk: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const link = document.createElement('link');
    link.rel = 'modulepreload';
    link.crossOrigin = '';
    link.href = chunk;
    link.onload = () => resolve();
    link.onerror = () => {
      // A second link would count as loaded.
      link.remove();
      reject(new Error(chunk));
    };
    document.head.append(link);
  });
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

function idle(): Promise<void> {
  return new Promise((resolve) => {
    if ('requestIdleCallback' in window) window.requestIdleCallback(() => resolve(), { timeout: IDLE_TIMEOUT_MS });
    else resolve();
  });
}

const isApiResponse = ({ name }: PerformanceEntry) => new URL(name).pathname.startsWith('/api/');
