import type { reportClientError } from '@atrium/proto-events/http/gateway';
import { call } from '../../lib/api/api.ts';

/** A fault in a loop is told a few times, not for ever. */
const MOST = 20;
const told = new Set<string>();

/** Tells the server of a fault, each once. */
export async function reportError(error: unknown, componentStack = ''): Promise<void> {
  const fault = error instanceof Error ? error : new Error(String(error));
  if (told.has(fault.message) || told.size >= MOST) return;
  told.add(fault.message);
  const stack = `${fault.stack ?? ''}\n${componentStack}`.slice(0, 10_000);
  const body = { message: fault.message.slice(0, 2_000), stack, path: window.location.pathname.slice(0, 500) };
  try {
    await call<typeof reportClientError>('POST /client-errors', { body }, { isAnonymous: true });
  } catch {
    // There is nobody to tell now; the next time may find somebody.
    told.delete(fault.message);
  }
}

/** What fails outside of rendering, so that nothing does so unseen; call once at start. */
export function reportFaults(): void {
  window.addEventListener('error', ({ error }) => void (error && reportError(error)));
  window.addEventListener('unhandledrejection', ({ reason }) => void reportError(reason));
}
