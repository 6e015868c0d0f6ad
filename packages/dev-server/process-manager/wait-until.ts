interface WaitOptions {
  withinMs: number;
  everyMs?: number;
  giveUp?: () => boolean;
}

const TRY_MS = 3_000;

const bounded = (attempt: () => Promise<void>): Promise<void> => {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('no response in time')), TRY_MS);
  });
  return Promise.race([attempt(), late]).finally(() => clearTimeout(timer));
};

export const waitUntil = async (attempt: () => Promise<void>, options: WaitOptions): Promise<void> => {
  const deadline = Date.now() + options.withinMs;
  for (;;) {
    try {
      return await bounded(attempt);
    } catch (error) {
      if (options.giveUp?.() || Date.now() > deadline) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, options.everyMs ?? 50));
  }
};
