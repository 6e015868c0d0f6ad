import { idle } from './idle.ts';
import { setChunksLoaded } from './loaded-chunks.ts';

const MANIFEST = 'meta[name="atrium-chunks"]';
const MAX_CONCURRENT = 2;

/** Written by `build/chunk-manifest.ts`, with the names of route modules and of the shell. */
type Manifest = Readonly<Record<string, { screen: string[]; onDemand: string[] }>>;

/** Only chunks that have loaded; a link in the page may also be pending or failed. */
const loadedChunks = new Set<string>();
let isRunning = false;

type Screens = { current: string; others: readonly string[] };

/** Loads the dialogs of the current screen, and other screens. */
export async function fetchScreenChunks({ current, others }: Screens, signal: AbortSignal): Promise<void> {
  // The page references the manifest of its own version.
  const manifestUrl = document.querySelector<HTMLMetaElement>(MANIFEST)?.content;
  if (!manifestUrl || signal.aborted || isRunning) return;
  isRunning = true;
  try {
    const response = await fetch(manifestUrl, { signal });
    const chunks = listChunks((await response.json()) as Manifest, { current, others });
    const pending = chunks.filter((chunk) => !loadedChunks.has(chunk));
    await Promise.all(Array.from({ length: MAX_CONCURRENT }, () => fetchNext(pending, signal)));
    if (!signal.aborted) setChunksLoaded(true);
  } catch {
    // The user is offline or has left the page. Missing chunks load on demand.
  } finally {
    isRunning = false;
  }
}

function listChunks(manifest: Manifest, { current, others }: Screens): string[] {
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
