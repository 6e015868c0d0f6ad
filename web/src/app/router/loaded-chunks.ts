let areAllLoaded = false;

/** Called by `prefetch-chunks.ts`, which loads with the shell; readers load first. */
export function markAllChunksLoaded(): void {
  areAllLoaded = true;
}

/** Whether every chunk is loaded and needs no network. */
export const areAllChunksLoaded = (): boolean => areAllLoaded;
