import { type ComponentType, lazy as reactLazy } from 'react';
import { waitForNetwork } from './delays.ts';

/** Module load errors of Chrome, Firefox, Safari, and of Vite for stylesheets. */
const LOAD_FAILURE = /dynamically imported module|importing a module script failed|unable to preload/i;
const RETRY_MS = 5_000;

type ChunkLoader = {
  /** Returns whether the browser is offline, and notifies the user on the first attempt. */
  handleOffline(isRetry: boolean): Promise<boolean>;
  /** Returns whether to retry. Notifies the user or reloads the page if needed. */
  handleMissingChunk(isRetry: boolean): Promise<boolean>;
};

let loader: ChunkLoader = {
  handleOffline: () => Promise.resolve(false),
  handleMissingChunk: () => Promise.resolve(false),
};

export function configureChunkLoader(configured: ChunkLoader): void {
  loader = configured;
}

/**
 * Waits for the network, because an error would replace the whole screen. No import is attempted while
 * offline: Chrome before 156 and other browsers cache a failed import until the page is reloaded.
 */
export async function loadChunk<Module>(load: () => Promise<Module>): Promise<Module> {
  for (let isRetry = false; ; isRetry = true) {
    if (await loader.handleOffline(isRetry)) {
      await waitForNetwork(RETRY_MS);
      continue;
    }
    try {
      return await load();
    } catch (error) {
      if (!(error instanceof Error && LOAD_FAILURE.test(error.message)) || !(await loader.handleMissingChunk(isRetry)))
        throw error;
      await waitForNetwork(RETRY_MS);
    }
  }
}

export const lazy: typeof reactLazy = (load) => reactLazy(() => loadChunk(load));

// biome-ignore lint/suspicious/noExplicitAny: as React's own `lazy` has it
export const lazyNamed = <Name extends string, Module extends Record<Name, ComponentType<any>>>(
  load: () => Promise<Module>,
  name: Name,
) => lazy(async () => ({ default: (await load())[name] }));
