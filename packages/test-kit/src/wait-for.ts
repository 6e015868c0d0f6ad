type Options = { description: string; timeoutMs?: number; intervalMs?: number };

/**
 * Polls until the result is truthy, and returns it. Errors of `poll` count as "not yet". Throws after the timeout, a
 * minute by default; the message is "Timed out after … ms waiting for" the description.
 */
export async function waitFor<T>(
  poll: () => T | Promise<T>,
  { description, timeoutMs = 60_000, intervalMs = 20 }: Options,
): Promise<NonNullable<T>> {
  const deadline = Date.now() + timeoutMs;
  let lastError: unknown;
  while (Date.now() < deadline) {
    try {
      const result = await poll();
      if (result) return result;
    } catch (error) {
      lastError = error;
    }
    await new Promise((resolve) => setTimeout(resolve, intervalMs));
  }
  throw new Error(`Timed out after ${timeoutMs} ms waiting for ${description}`, { cause: lastError });
}

const MAX_LIVE_MS = 1_000;
const MAX_LIVE_POLLS = 40;

/** Fails unless the condition holds within a second or, on a machine whose requests are slow, within 40 polls. */
export async function waitForLive(description: string, poll: () => Promise<boolean>): Promise<void> {
  const startedAt = performance.now();
  let polls = 0;
  const count = () => {
    polls += 1;
    return poll();
  };
  await waitFor(count, { description, intervalMs: 10 });
  const elapsedMs = performance.now() - startedAt;
  if (elapsedMs > MAX_LIVE_MS && polls > MAX_LIVE_POLLS)
    throw new Error(`Waited ${Math.round(elapsedMs)} ms (${polls} polls) for ${description}`);
}
