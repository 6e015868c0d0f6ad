type Options = { what: string; timeoutMs?: number; everyMs?: number };

/**
 * Polls until the result is truthy and returns it; fails after the timeout (a minute by default) with the name of the
 * condition.
 */
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
  throw new Error(`Timed out after ${timeoutMs} ms waiting for ${what}`, { cause: failure });
}
