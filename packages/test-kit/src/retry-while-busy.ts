import { setTimeout as pause } from 'node:timers/promises';

const RETRY_AFTER_SECONDS = 1;
const MAX_TRIES = 20;

/** As clients do, on a 503 with a `Retry-After` of one second. An outage has a longer one and is returned. */
export async function retryWhileBusy<Response extends { status: number; headers: Headers }>(
  send: () => Promise<Response>,
): Promise<Response> {
  for (let tries = 1; ; tries += 1) {
    const response = await send();
    const isBusy = response.status === 503 && response.headers.get('retry-after') === String(RETRY_AFTER_SECONDS);
    if (!isBusy || tries === MAX_TRIES) return response;
    await pause(RETRY_AFTER_SECONDS * 1_000);
  }
}
