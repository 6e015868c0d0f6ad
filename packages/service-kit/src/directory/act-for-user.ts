import type { DirectoryUser } from '@atrium/proto-events/people';
import { AppError } from '../errors/app-error.ts';
import { isActive } from './active-users.ts';
import type { Directory } from './directory.ts';

const DEACTIVATED = 'Your account was deactivated';

type Actor = Pick<DirectoryUser, 'role'> & { userId: string; sessionId: string };

type UserAction = {
  directory: Pick<Directory, 'user'>;
  userId: string;
  /** The reason if what the action is about is not found. */
  notFound: string;
};

/**
 * Does what a user requested by email, with their present permissions. Returns why an equivalent API call would be
 * rejected, written for the user; undefined if it was done. Other errors are thrown.
 */
export async function actForUser(
  { directory, userId, notFound }: UserAction,
  action: (caller: Actor) => Promise<unknown>,
): Promise<string | undefined> {
  const user = directory.user(userId);
  if (!user || !isActive(user)) return DEACTIVATED;
  try {
    await action({ userId, role: user.role, sessionId: '' });
    return undefined;
  } catch (error) {
    if (!(error instanceof AppError) || error.status >= 500) throw error;
    return error.code === 'not_found' ? notFound : error.message;
  }
}

type Parsed<T> = { success: true; data: T } | { success: false; error: { issues: readonly { message: string }[] } };

/** Returns the parsed text of a reply; throws `validation_failed` with the reason if it is invalid. */
export function requireValid<T>(parsed: Parsed<T>): T {
  if (parsed.success) return parsed.data;
  throw new AppError('validation_failed', parsed.error.issues[0]?.message ?? 'The text is invalid');
}
