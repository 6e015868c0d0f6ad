type Options = { what: string; timeoutMs?: number; intervalMs?: number };

/**
 * Polls until the result is truthy and returns it; fails after the timeout (a minute by default) with the name of the
 * condition.
 */
export async function waitFor<T>(
  poll: () => T | Promise<T>,
  { what, timeoutMs = 60_000, intervalMs = 20 }: Options,
): Promise<NonNullable<T>> {
  const deadline = Date.now() + timeoutMs;
  let failure: unknown;
  while (Date.now() < deadline) {
    try {
      const result = await poll();
      if (result) return result;
    } catch (error) {
      failure = error;
    }
    await new Promise((resolve) => setTimeout(resolve, intervalMs));
  }
  throw new Error(`Timed out after ${timeoutMs} ms waiting for ${what}`, { cause: failure });
}
