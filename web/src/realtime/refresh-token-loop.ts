import { refreshBeforeExpiry } from '#lib/session/refresh.ts';
import { onTokensChange, refreshDueAt } from '#lib/session/tokens.ts';

/** Jitter, so that tabs and users whose tokens expire together do not refresh together. */
const SPREAD_MS = 15_000;
const RETRY_MS = 15_000;

/** Refreshes the access token before it expires, so that an idle tab keeps its sockets. */
export function startTokenRefreshLoop(): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const plan = (leastMs = 0) => {
    clearTimeout(timer);
    const dueAt = refreshDueAt();
    if (dueAt === null) return;
    timer = setTimeout(() => void renew(), Math.max(leastMs, dueAt - Date.now() + Math.random() * SPREAD_MS));
  };
  const renew = async () => {
    await refreshBeforeExpiry().catch(() => undefined);
    // A successful refresh has scheduled the next one already; this covers a failed one.
    plan(RETRY_MS);
  };
  const stop = onTokensChange(() => plan());
  plan();
  return () => {
    clearTimeout(timer);
    stop();
  };
}
