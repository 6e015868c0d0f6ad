export type Release = () => Promise<void>;
/** Acquires the lock, or returns undefined if a running process holds it. */
export function tryLock(file: string): Promise<Release | undefined>;
/** Waits for the lock; `onWait` is called once if another process holds it. */
export function waitForLock(file: string, onWait?: () => void): Promise<Release>;
