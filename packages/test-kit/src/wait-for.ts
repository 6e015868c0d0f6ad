type Options = { what: string; timeoutMs?: number; everyMs?: number };

/** Asks until the answer is truthy and gives it; after the time-out (a minute by default) fails naming what it waited for. */
export async function waitFor<T>(
  ask: () => T | Promise<T>,
  { what, timeoutMs = 60_000, everyMs = 20 }: Options,
): Promise<NonNullable<T>> {
  const deadline = Date.now() + timeoutMs;
  let failure: unknown;
  while (Date.now() < deadline) {
    try {
      const answer = await ask();
      if (answer) return answer;
    } catch (error) {
      failure = error;
    }
    await new Promise((resolve) => setTimeout(resolve, everyMs));
  }
  throw new Error(`waited ${timeoutMs} ms in vain for ${what}`, { cause: failure });
}
