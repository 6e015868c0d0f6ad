import { refreshBeforeExpiry } from '../lib/session/refresh.ts';
import { onTokensChange, renewalDueAt } from '../lib/session/tokens.ts';

/** Tabs and people whose tokens end together do not all ask in the same moment. */
const SPREAD_MS = 15_000;
const AGAIN_MS = 15_000;

/** Renews the access token in time where nobody calls anything, so that an idle tab keeps its sockets. */
export function keepTokenFresh(): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const plan = (leastMs = 0) => {
    clearTimeout(timer);
    const dueAt = renewalDueAt();
    if (dueAt === null) return;
    timer = setTimeout(() => void renew(), Math.max(leastMs, dueAt - Date.now() + Math.random() * SPREAD_MS));
  };
  const renew = async () => {
    // Whoever is signed out meanwhile has nothing to renew.
    await refreshBeforeExpiry().catch(() => undefined);
    // One that succeeded has planned the next already; this is for the other case.
    plan(AGAIN_MS);
  };
  const stop = onTokensChange(() => plan());
  plan();
  return () => {
    clearTimeout(timer);
    stop();
  };
}
