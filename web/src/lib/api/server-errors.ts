import type { FieldPath, FieldValues, UseFormSetError } from 'react-hook-form';
import { ApiError } from './api-error.ts';

/** Puts the server's faults beside the fields they are about, and the focus to the first; true when at least one found its place. */
export function showFieldErrors<Values extends FieldValues>(
  error: unknown,
  fields: readonly FieldPath<Values>[],
  setError: UseFormSetError<Values>,
): boolean {
  if (!(error instanceof ApiError)) return false;
  let placed = false;
  for (const fault of error.errors) {
    const name = fault.path.replace(/^body\./, '');
    const field = fields.find((known) => known === name);
    if (!field) continue;
    setError(field, { message: fault.message }, { shouldFocus: !placed });
    placed = true;
  }
  return placed;
}

/** A conflict that names no field (409) stands beside the one that it can only be about, and the focus goes there. */
export function showConflictAt<Values extends FieldValues>(
  error: unknown,
  field: FieldPath<Values>,
  setError: UseFormSetError<Values>,
): boolean {
  if (!(error instanceof ApiError) || error.status !== 409) return false;
  setError(field, { message: error.message }, { shouldFocus: true });
  return true;
}
