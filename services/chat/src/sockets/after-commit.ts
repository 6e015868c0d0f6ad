import type { Logger } from '@atrium/service-kit/observability/logger';

/** Broadcasts a change that is committed. Errors are logged, because clients catch up with whatever they have missed. */
export async function afterCommit({ log }: { log: Logger }, broadcast: () => Promise<void>): Promise<void> {
  try {
    await broadcast();
  } catch (error) {
    log.warn({ err: error }, 'Failed to broadcast a change');
  }
}
