const MAX_CONCURRENT_JOBS = 2;
const waiting: (() => void)[] = [];
let running = 0;

/** Runs at most two expensive jobs of this process at a time; others wait. */
export const limitConcurrency = async <T>(job: () => Promise<T>): Promise<T> => {
  while (running >= MAX_CONCURRENT_JOBS) await new Promise<void>((resolve) => waiting.push(resolve));
  running += 1;
  try {
    return await job();
  } finally {
    running -= 1;
    waiting.shift()?.();
  }
};
