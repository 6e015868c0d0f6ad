import { ApiError } from './api-error.ts';

type Versioned = { version: number };

/** The current resource, after a write was rejected because another user saved first (`stale_version`). */
export function conflictOf<Resource extends Versioned>(error: unknown): Resource | undefined {
  if (!(error instanceof ApiError) || error.code !== 'stale_version') return undefined;
  // The server validates `current` against the response schema of the call.
  return isVersioned(error.current) ? (error.current as Resource) : undefined;
}

function isVersioned(value: unknown): value is Versioned {
  return typeof value === 'object' && value !== null && 'version' in value && typeof value.version === 'number';
}
