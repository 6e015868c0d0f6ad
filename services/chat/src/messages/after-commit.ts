import type { Deps } from '../deps.ts';

/** Broadcasts a change that is committed. Errors are logged, because clients catch up with whatever they have missed. */
export async function afterCommit({ log }: Pick<Deps, 'log'>, broadcast: () => Promise<void>): Promise<void> {
  try {
    await broadcast();
  } catch (error) {
    log.warn({ err: error }, 'Failed to broadcast a change');
  }
}
