let areAllHere = false;

/** Told by `prefetch-chunks.ts`, which comes with the shell; who asks is there from the start. */
export function noteAllPiecesHere(): void {
  areAllHere = true;
}

/** Whether no piece of the app needs the network any more. */
export const isEverythingHere = (): boolean => areAllHere;
