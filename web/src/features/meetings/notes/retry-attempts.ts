/** Retry delay in milliseconds. */
const AGAIN_MS = 5_000;
/** While the editor is closed, each delay is twice the previous one, up to this. */
const MOST_AGAIN_MS = 60_000;

/** Schedules retries, one at a time. */
export function createTries(tryNow: () => void) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isLeft = false;
  let isStopped = false;
  let pauseMs = AGAIN_MS;
  const after = (ms: number) => {
    clearTimeout(timer);
    if (!isStopped) timer = setTimeout(tryNow, ms);
  };
  return {
    isLeft: () => isLeft,
    isStopped: () => isStopped,
    after,
    /** Schedules another attempt after a failure. */
    again() {
      after(pauseMs);
      if (isLeft) pauseMs = Math.min(pauseMs * 2, MOST_AGAIN_MS);
    },
    cancel: () => clearTimeout(timer),
    leave() {
      isLeft = true;
    },
    comeBack() {
      isLeft = false;
      pauseMs = AGAIN_MS;
    },
    stop() {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}
