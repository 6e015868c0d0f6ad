type Options = { description: string; timeoutMs?: number; intervalMs?: number };

/** Fails after the timeout (a minute by default) with the name of the condition. */
export async function waitFor<T>(
  poll: () => T | Promise<T>,
  { description, timeoutMs = 60_000, intervalMs = 20 }: Options,
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
  throw new Error(`Timed out after ${timeoutMs} ms waiting for ${description}`, { cause: failure });
}

const LIVE_MS = 1_000;
const LIVE_POLLS = 40;

/** Users must see a change within a second; on a machine whose requests are slow, within 40 of them. */
export async function waitForLive(description: string, poll: () => Promise<boolean>): Promise<void> {
  const startedAt = performance.now();
  let polls = 0;
  const count = () => {
    polls += 1;
    return poll();
  };
  await waitFor(count, { description, intervalMs: 10 });
  const elapsedMs = performance.now() - startedAt;
  if (elapsedMs > LIVE_MS && polls > LIVE_POLLS)
    throw new Error(`Waited ${Math.round(elapsedMs)} ms (${polls} polls) for ${description}`);
}
