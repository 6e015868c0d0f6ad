const AT_ONCE = 2;
const waiting: (() => void)[] = [];
let running = 0;

/** Lets at most two heavy jobs of this process run at once; the others wait for their turn. */
export const limitConcurrency = async <T>(job: () => Promise<T>): Promise<T> => {
  while (running >= AT_ONCE) await new Promise<void>((resolve) => waiting.push(resolve));
  running += 1;
  try {
    return await job();
  } finally {
    running -= 1;
    waiting.shift()?.();
  }
};
