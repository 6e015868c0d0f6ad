export type Release = () => Promise<void>;
/** Takes the lock, or answers undefined where a living process has it. */
export function tryLock(file: string): Promise<Release | undefined>;
/** Waits until the lock is free; `onWait` is called once if somebody else has it. */
export function waitForLock(file: string, onWait?: () => void): Promise<Release>;
