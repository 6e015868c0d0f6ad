import type { FieldPath, FieldValues, UseFormSetError } from 'react-hook-form';
import { ApiError } from './api-error.ts';

export function showFieldErrors<Values extends FieldValues>(
  error: unknown,
  fields: readonly FieldPath<Values>[],
  setError: UseFormSetError<Values>,
): boolean {
  if (!(error instanceof ApiError)) return false;
  let hasShownError = false;
  for (const fieldError of error.errors) {
    const name = fieldError.path.replace(/^body\./, '');
    const field = fields.find((fieldName) => fieldName === name);
    if (!field) continue;
    setError(field, { message: fieldError.message }, { shouldFocus: !hasShownError });
    hasShownError = true;
  }
  return hasShownError;
}

export function showConflictAt<Values extends FieldValues>(
  error: unknown,
  field: FieldPath<Values>,
  setError: UseFormSetError<Values>,
): boolean {
  if (!(error instanceof ApiError) || error.status !== 409) return false;
  setError(field, { message: error.message }, { shouldFocus: true });
  return true;
}

type Versioned = { version: number };

export function getConflict<Resource extends Versioned>(error: unknown): Resource | undefined {
  if (!(error instanceof ApiError) || error.code !== 'stale_version') return undefined;
  // The server validates `current` against the response schema of the call.
  return isVersioned(error.current) ? (error.current as Resource) : undefined;
}

function isVersioned(value: unknown): value is Versioned {
  return typeof value === 'object' && value !== null && 'version' in value && typeof value.version === 'number';
}
