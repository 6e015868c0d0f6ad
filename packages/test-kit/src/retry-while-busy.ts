import { setTimeout as delay } from 'node:timers/promises';

const RETRY_AFTER_SECONDS = 1;
const MAX_ATTEMPTS = 20;

/**
 * Retries on a 503 with a `Retry-After` of one second, as clients do. Outages have a longer one and are not retried.
 */
export async function retryWhileBusy<Response extends { status: number; headers: Headers }>(
  send: () => Promise<Response>,
): Promise<Response> {
  for (let attempt = 1; ; attempt += 1) {
    const response = await send();
    const isBusy = response.status === 503 && response.headers.get('retry-after') === String(RETRY_AFTER_SECONDS);
    if (!isBusy || attempt === MAX_ATTEMPTS) return response;
    await delay(RETRY_AFTER_SECONDS * 1_000);
  }
}
