/** Retry delay in milliseconds. */
const RETRY_DELAY_MS = 5_000;
/** While the editor is closed, each delay is twice the previous one, up to this. */
const MAX_RETRY_DELAY_MS = 60_000;

/** Schedules retries, one at a time. */
export function createRetries(attempt: () => void) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isClosed = false;
  let isStopped = false;
  let delayMs = RETRY_DELAY_MS;
  const after = (ms: number) => {
    clearTimeout(timer);
    if (!isStopped) timer = setTimeout(attempt, ms);
  };
  return {
    isLeft: () => isClosed,
    isStopped: () => isStopped,
    after,
    /** Schedules another attempt after a failure. */
    retry() {
      after(delayMs);
      if (isClosed) delayMs = Math.min(delayMs * 2, MAX_RETRY_DELAY_MS);
    },
    cancel: () => clearTimeout(timer),
    close() {
      isClosed = true;
    },
    reopen() {
      isClosed = false;
      delayMs = RETRY_DELAY_MS;
    },
    stop() {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}
