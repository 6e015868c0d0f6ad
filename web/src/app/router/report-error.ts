import type { reportClientError } from '@atrium/proto-events/http/gateway';
import { call } from '#lib/api/api.ts';

/** Bounds the reports of an error in a loop. */
const MAX_REPORTS = 20;
const reported = new Set<string>();

/** Reports an error to the server, once per message. */
export async function reportError(error: unknown, componentStack = ''): Promise<void> {
  const reportedError = error instanceof Error ? error : new Error(String(error));
  if (reported.has(reportedError.message) || reported.size >= MAX_REPORTS) return;
  reported.add(reportedError.message);
  const stack = `${reportedError.stack ?? ''}\n${componentStack}`.slice(0, 10_000);
  const body = { message: reportedError.message.slice(0, 2_000), stack, path: window.location.pathname.slice(0, 500) };
  try {
    await call<typeof reportClientError>('POST /client-errors', { body }, { isAnonymous: true });
  } catch {
    // A later occurrence is reported again.
    reported.delete(reportedError.message);
  }
}

/** Reports errors outside of rendering; call once at start. */
export function reportUncaughtErrors(): void {
  window.addEventListener('error', ({ error }) => void (error && reportError(error)));
  window.addEventListener('unhandledrejection', ({ reason }) => void reportError(reason));
}
