let areLoaded = false;

/** Whether everything that the current screen may open, and the screens of the navigation, need no network. */
export function setChunksLoaded(value: boolean): void {
  areLoaded = value;
}

export const areChunksLoaded = (): boolean => areLoaded;
