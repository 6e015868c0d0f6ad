import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import { hashToken } from '../hash-token.ts';
import { ACCOUNT_COLUMNS, type Account } from './account-repository.ts';
import {
  assertNoWait,
  attemptsFromAddress,
  attemptsFromDevice,
  type LoginAttempts,
  limitValues,
  waits,
} from './login-failures.ts';

type FindSignInParams = { email: string; device?: string | undefined; address: string | null };
type SignInRow = Omit<Account, 'id'> & { id: string | null; is_known_device: boolean; waits: (number | null)[] };

/** Throws `rate_limited` after too many failures. Runs the same single statement for unknown emails, so that timing reveals nothing. */
export async function findSignIn(
  db: Queryable,
  { email, device, address }: FindSignInParams,
): Promise<{ account: Account | undefined; attempts: LoginAttempts; isKnown: boolean }> {
  const byAddress = attemptsFromAddress(email, address);
  const byDevice = attemptsFromDevice(email, device ?? '');
  const { rows } = await db.query<SignInRow>({
    name: 'find-sign-in',
    text: `select ${ACCOUNT_COLUMNS}, exists (
             select from known_devices d where d.user_id = a.id and d.mark_hash = $2
           ) as is_known_device, ${waits({ keys: '$3', most: '$4', minutes: '$5' })} as waits
           from (select) as always left join accounts a on lower(a.email) = lower($1)`,
    values: [email, device === undefined ? null : hashToken(device), ...limitValues([...byDevice, ...byAddress])],
  });
  const [found] = rows;
  if (!found) throw new Error('Sign-in query returned no row');
  const { is_known_device: isKnown, waits: seconds, id, ...account } = found;
  assertNoWait(isKnown ? seconds.slice(0, byDevice.length) : seconds.slice(byDevice.length));
  return { account: id === null ? undefined : { id, ...account }, attempts: isKnown ? byDevice : byAddress, isKnown };
}
