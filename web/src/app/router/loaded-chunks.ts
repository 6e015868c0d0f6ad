let areAllLoaded = false;

/** Told by `prefetch-chunks.ts`, which comes with the shell; who asks is there from the start. */
export function markAllChunksLoaded(): void {
  areAllLoaded = true;
}

/** Whether no piece of the app needs the network any more. */
export const areAllChunksLoaded = (): boolean => areAllLoaded;
