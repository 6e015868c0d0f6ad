import { ApiError } from '../../lib/api-error.ts';

/** The version that the meeting has by now, when a write was refused because it is another one. */
export function staleVersion(error: unknown): number | undefined {
  if (!(error instanceof ApiError) || error.code !== 'stale_version') return undefined;
  const { current } = error;
  const isKnown = typeof current === 'object' && current !== null && 'version' in current;
  return isKnown && typeof current.version === 'number' ? current.version : undefined;
}
