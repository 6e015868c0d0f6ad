import { lazy as reactLazy } from 'react';

/** How a browser says that it could not load a module: Chrome, Firefox, Safari; and Vite of a stylesheet. A fault within one has words of its own. */
const MISSING = /dynamically imported module|importing a module script failed|unable to preload/i;
const AGAIN_MS = 5_000;

/** Whoever tells about a piece that could not be loaded, the first time or again; answers whether to go on trying. */
type OnMissing = (isAgain: boolean) => Promise<boolean>;

let onMissing: OnMissing = () => Promise.resolve(false);

/** Set once, where the app begins. */
export function whenPieceMissing(tell: OnMissing): void {
  onMissing = tell;
}

/**
 * Loads a piece of the app; where the network is away it waits for it, since what fails here takes the whole screen along with the
 * words on it.
 */
export async function patiently<Piece>(load: () => Promise<Piece>): Promise<Piece> {
  for (let isAgain = false; ; isAgain = true) {
    try {
      return await load();
    } catch (error) {
      if (!(error instanceof Error && MISSING.test(error.message)) || !(await onMissing(isAgain))) throw error;
      await backOnline();
    }
  }
}

/** React's `lazy`, for pieces of this app. */
export const lazy: typeof reactLazy = (load) => reactLazy(() => patiently(load));

function backOnline(): Promise<void> {
  return new Promise((resolve) => {
    const go = () => {
      clearTimeout(timer);
      window.removeEventListener('online', go);
      resolve();
    };
    const timer = setTimeout(go, AGAIN_MS);
    window.addEventListener('online', go);
  });
}
