let areAllLoaded = false;

export function markAllChunksLoaded(): void {
  areAllLoaded = true;
}

export const areAllChunksLoaded = (): boolean => areAllLoaded;
