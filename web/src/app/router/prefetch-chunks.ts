import { useEffect } from 'react';
import { markAllChunksLoaded } from './loaded-chunks.ts';

const LIST = 'meta[name="atrium-chunks"]';
const MAX_CONCURRENT = 2;
/** The first screen counts as loaded when no API response arrives for this long. */
const IDLE_MS = 2_000;
/** The deadline per chunk for pages that are never idle or are hidden. */
const IDLE_TIMEOUT_MS = 500;

/** Only chunks that have loaded; a link in the page may also be pending or failed. */
const loadedChunks = new Set<string>();
let isRunning = false;

/** The page references the manifest of its own version. On metered connections, chunks load on demand. */
export function usePrefetchChunks(): void {
  useEffect(() => {
    if (isMetered()) return undefined;
    const stop = new AbortController();
    const begin = () => void prefetchChunks(stop.signal);
    whenNetworkIdle(begin, stop.signal);
    window.addEventListener('online', begin, { signal: stop.signal });
    return () => stop.abort();
  }, []);
}

async function prefetchChunks(signal: AbortSignal): Promise<void> {
  const manifestUrl = document.querySelector<HTMLMetaElement>(LIST)?.content;
  if (!manifestUrl || signal.aborted || isRunning) return;
  isRunning = true;
  try {
    const response = await fetch(manifestUrl, { signal });
    const pending = ((await response.json()) as string[]).filter((chunk) => !loadedChunks.has(chunk));
    await Promise.all(Array.from({ length: MAX_CONCURRENT }, () => fetchNext(pending, signal)));
    if (!signal.aborted) markAllChunksLoaded();
  } catch {
    // The user is offline or has left the page. Missing chunks load on demand.
  } finally {
    isRunning = false;
  }
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

/** Network Information API; unavailable in Firefox and Safari. */
type Network = { saveData?: boolean; type?: string };

function isMetered(): boolean {
  const network = 'connection' in navigator ? (navigator.connection as Network | undefined) : undefined;
  return network?.saveData === true || network?.type === 'cellular';
}
