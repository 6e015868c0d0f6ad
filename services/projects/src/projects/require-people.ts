import { AppError } from '@atrium/service-kit/app-error';
import type { Directory } from '@atrium/service-kit/directory';

/** Throws `validation_failed` unless this is an active administrator or project manager. */
export function requireManager(directory: Directory, id: string): void {
  const user = directory.user(id);
  if (!user || user.deleted || user.status !== 'active' || user.role === 'member') {
    throw invalid('projectManager', 'Invalid project manager selection');
  }
}

/** Throws `validation_failed`, naming the field, unless everybody is an active user. */
export function requireActivePeople(directory: Directory, ids: readonly string[], field: string): void {
  const stranger = ids.find((id) => directory.user(id)?.status !== 'active' || directory.user(id)?.deleted);
  if (stranger !== undefined) throw invalid(field, 'Team members must be active users');
}

function invalid(field: string, message: string): AppError {
  return new AppError('validation_failed', message, {
    messages: [message],
    errors: [{ path: `body.${field}`, message }],
  });
}
