interface WaitOptions {
  timeoutMs: number;
  intervalMs?: number;
  shouldGiveUp?: () => boolean;
}

const ATTEMPT_TIMEOUT_MS = 3_000;

const withAttemptTimeout = (attempt: () => Promise<void>): Promise<void> => {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('no response in time')), ATTEMPT_TIMEOUT_MS);
  });
  return Promise.race([attempt(), timeout]).finally(() => clearTimeout(timer));
};

export const waitUntil = async (attempt: () => Promise<void>, options: WaitOptions): Promise<void> => {
  const deadline = Date.now() + options.timeoutMs;
  for (;;) {
    try {
      return await withAttemptTimeout(attempt);
    } catch (error) {
      if (options.shouldGiveUp?.() || Date.now() > deadline) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, options.intervalMs ?? 50));
  }
};
