import { AppError } from '@atrium/service-kit/app-error';
import type { Directory } from '@atrium/service-kit/directory';

/** Throws `validation_failed` unless everybody is an active user. */
export function requireActivePeople(directory: Directory, field: string, ids: readonly string[]): void {
  const fits = (id: string) => directory.user(id)?.status === 'active' && !directory.user(id)?.deleted;
  if (ids.every(fits)) return;
  const message = 'Participants must be active users';
  throw new AppError('validation_failed', message, {
    messages: [message],
    errors: [{ path: `body.${field}`, message }],
  });
}
