import { useEffect } from 'react';
import { markAllChunksLoaded } from './loaded-chunks.ts';

const LIST = 'meta[name="atrium-pieces"]';
const MAX_CONCURRENT = 2;
/** No answer has come for so long, so that the first screen has what it asked for. */
const IDLE_MS = 2_000;
/** A page that never rests, or that nobody looks at, gets the next piece then. */
const IDLE_TIMEOUT_MS = 500;

/** What has come; a link in the page may be one that failed, or is still coming. */
const loaded = new Set<string>();
let isRunning = false;

/**
 * Once the first screen stands, fetches every other piece of the app, so that an open one needs the network for what people made alone.
 * The page names the list of its own version. On a metered network only what is opened is fetched.
 */
export function usePrefetchChunks(): void {
  useEffect(() => {
    if (isMetered()) return undefined;
    const stop = new AbortController();
    const begin = () => void prefetchChunks(stop.signal);
    whenNetworkIdle(begin, stop.signal);
    // What the network did not bring the first time.
    window.addEventListener('online', begin, { signal: stop.signal });
    return () => stop.abort();
  }, []);
}

async function prefetchChunks(signal: AbortSignal): Promise<void> {
  const list = document.querySelector<HTMLMetaElement>(LIST)?.content;
  if (!list || signal.aborted || isRunning) return;
  isRunning = true;
  try {
    const answer = await fetch(list, { signal });
    const pending = ((await answer.json()) as string[]).filter((chunk) => !loaded.has(chunk));
    await Promise.all(Array.from({ length: MAX_CONCURRENT }, () => fetchNext(pending, signal)));
    if (!signal.aborted) markAllChunksLoaded();
  } catch {
    // The network went, or the person did: what is missing is loaded when it is opened.
  } finally {
    isRunning = false;
  }
}

async function fetchNext(pending: string[], signal: AbortSignal): Promise<void> {
  for (let chunk = pending.shift(); chunk && !signal.aborted; chunk = pending.shift()) {
    // Only what has come is told to be a module: a module that could not be fetched is taken for missing until the page is loaded anew.
    const answer = await fetch(chunk, { signal });
    if (!answer.ok) throw new Error(chunk);
    await answer.arrayBuffer();
    // Reading a module takes a slow phone some milliseconds, which are not to be those of a touch.
    await idle();
    await preload(chunk);
    loaded.add(chunk);
  }
}

/** The browser keeps the module itself, so that importing it later asks for nothing. */
function preload(chunk: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const link = document.createElement('link');
    link.rel = 'modulepreload';
    link.crossOrigin = '';
    link.href = chunk;
    link.onload = () => resolve();
    link.onerror = () => {
      // Another link to it would be taken for a piece that is there.
      link.remove();
      reject(new Error(chunk));
    };
    document.head.append(link);
  });
}

/** What is fetched before would come in place of what the screen is waiting for. */
function whenNetworkIdle(work: () => void, signal: AbortSignal): void {
  const settle = () => {
    loads.disconnect();
    void idle().then(work);
  };
  let timer = setTimeout(settle, IDLE_MS);
  const loads = new PerformanceObserver((list) => {
    if (!list.getEntries().some(isApiResponse)) return;
    clearTimeout(timer);
    timer = setTimeout(settle, IDLE_MS);
  });
  loads.observe({ type: 'resource' });
  signal.addEventListener('abort', () => {
    clearTimeout(timer);
    loads.disconnect();
  });
}

function idle(): Promise<void> {
  return new Promise((resolve) => {
    if ('requestIdleCallback' in window) window.requestIdleCallback(() => resolve(), { timeout: IDLE_TIMEOUT_MS });
    else resolve();
  });
}

const isApiResponse = ({ name }: PerformanceEntry) => new URL(name).pathname.startsWith('/api/');

/** What browsers tell of the network (Network Information API); Firefox and Safari tell nothing. */
type Network = { saveData?: boolean; type?: string };

function isMetered(): boolean {
  const network = 'connection' in navigator ? (navigator.connection as Network | undefined) : undefined;
  return network?.saveData === true || network?.type === 'cellular';
}
