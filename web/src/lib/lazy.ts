import { type ComponentType, lazy as reactLazy } from 'react';
import { waitForNetwork } from './wait-for-network.ts';

/** How a browser says that it could not load a module: Chrome, Firefox, Safari; and Vite of a stylesheet. A fault within one has words of its own. */
const LOAD_FAILURE = /dynamically imported module|importing a module script failed|unable to preload/i;
const RETRY_MS = 5_000;

/** What the app knows of the way to its pieces. */
type ChunkLoader = {
  /** Whether a piece cannot come now; tells so the first time. */
  isOffline(isRetry: boolean): Promise<boolean>;
  /** Tells about a piece that could not be loaded, the first time or again; answers whether to go on trying. */
  onMissing(isRetry: boolean): Promise<boolean>;
};

let loader: ChunkLoader = { isOffline: () => Promise.resolve(false), onMissing: () => Promise.resolve(false) };

/** Set once, where the app begins. */
export function configureChunkLoader(known: ChunkLoader): void {
  loader = known;
}

/**
 * Loads a piece of the app; where the network is away it waits for it, since what fails here takes the whole screen along with the
 * words on it. While the way is known to be cut nothing is tried: a module that could not be fetched once is never fetched again by
 * Chrome before 156 and by others, until the page is loaded anew.
 */
export async function loadChunk<Piece>(load: () => Promise<Piece>): Promise<Piece> {
  for (let isRetry = false; ; isRetry = true) {
    if (await loader.isOffline(isRetry)) {
      await waitForNetwork(RETRY_MS);
      continue;
    }
    try {
      return await load();
    } catch (error) {
      if (!(error instanceof Error && LOAD_FAILURE.test(error.message)) || !(await loader.onMissing(isRetry))) throw error;
      await waitForNetwork(RETRY_MS);
    }
  }
}

/** React's `lazy`, for pieces of this app. */
export const lazy: typeof reactLazy = (load) => reactLazy(() => loadChunk(load));

/** The same for a part that its module names: `lazyNamed(() => import('../features/projects/team-dialog.tsx'), 'TeamDialog')`. */
// biome-ignore lint/suspicious/noExplicitAny: as React's own `lazy` has it
export const lazyNamed = <Name extends string, Module extends Record<Name, ComponentType<any>>>(
  load: () => Promise<Module>,
  name: Name,
) => lazy(async () => ({ default: (await load())[name] }));
