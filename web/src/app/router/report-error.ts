import type { reportClientError } from '@atrium/proto-events/http/gateway';
import { call } from '../../lib/api/api.ts';

/** A fault in a loop is told a few times, not for ever. */
const MAX_REPORTS = 20;
const reported = new Set<string>();

/** Tells the server of a fault, each once. */
export async function reportError(error: unknown, componentStack = ''): Promise<void> {
  const reportedError = error instanceof Error ? error : new Error(String(error));
  if (reported.has(reportedError.message) || reported.size >= MAX_REPORTS) return;
  reported.add(reportedError.message);
  const stack = `${reportedError.stack ?? ''}\n${componentStack}`.slice(0, 10_000);
  const body = { message: reportedError.message.slice(0, 2_000), stack, path: window.location.pathname.slice(0, 500) };
  try {
    await call<typeof reportClientError>('POST /client-errors', { body }, { isAnonymous: true });
  } catch {
    // There is nobody to tell now; the next time may find somebody.
    reported.delete(reportedError.message);
  }
}

/** What fails outside of rendering, so that nothing does so unseen; call once at start. */
export function reportUncaughtErrors(): void {
  window.addEventListener('error', ({ error }) => void (error && reportError(error)));
  window.addEventListener('unhandledrejection', ({ reason }) => void reportError(reason));
}
