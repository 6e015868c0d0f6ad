import { ApiError } from './api-error.ts';

type Versioned = { version: number };

/** The resource as it is by now, when a write was refused because somebody else had saved before (`stale_version`). */
export function conflictOf<Resource extends Versioned>(error: unknown): Resource | undefined {
  if (!(error instanceof ApiError) || error.code !== 'stale_version') return undefined;
  // The server parses `current` by the schema that it answers the same call with.
  return isVersioned(error.current) ? (error.current as Resource) : undefined;
}

function isVersioned(value: unknown): value is Versioned {
  return typeof value === 'object' && value !== null && 'version' in value && typeof value.version === 'number';
}
