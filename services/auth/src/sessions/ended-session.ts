import { AppError } from '@atrium/service-kit/http/app-error';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import { hashToken } from '../hash-token.ts';
import { sessionOfToken } from './refresh-tokens.ts';

const INACTIVE = 'Your account is no longer active. Contact an administrator if this was not intended.';

const REASON_MESSAGES: Readonly<Record<string, string>> = {
  'signed-out': 'You signed out of this session on another device.',
  'signed-out-everywhere': 'You signed out on all devices.',
  'ended-by-administrator': 'An administrator signed you out.',
  'password-changed': 'Your password was changed. Sign in with the new password.',
  'role-changed': 'Your role was changed. Sign in again to continue.',
  'account-changed': 'Your account was changed. Sign in again to continue.',
  'refresh-token-reused':
    'You were signed out because this session was used in two places. If this was not you, change your password.',
  'too-many': 'You were signed out because you are signed in on too many devices.',
  deactivated: INACTIVE,
  deleted: INACTIVE,
};

/** Falls back to the 401 of an unknown token. */
export function sessionEnded(reason: string | undefined): AppError {
  const sentence = reason === undefined ? undefined : REASON_MESSAGES[reason];
  return sentence === undefined
    ? new AppError('unauthorized', 'Unauthorized')
    : new AppError('session_ended', sentence);
}

/** Only the current token proves that the caller owned the session. */
export async function findEndReason(db: Queryable, token: string): Promise<string | undefined> {
  const id = sessionOfToken(token);
  if (id === undefined) return undefined;
  const { rows } = await db.query<{ reason: string }>(
    'select reason from ended_sessions where session_id = $1 and token_hash = $2',
    [id, hashToken(token)],
  );
  return rows[0]?.reason;
}
