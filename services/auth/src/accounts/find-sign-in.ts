import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import { hashToken } from '../hash-token.ts';
import { ACCOUNT_COLUMNS, type Account } from './account-repository.ts';
import {
  guessesFrom,
  guessesOnDevice,
  type LoginAttempts,
  refuseWaiting,
  standingValues,
  waits,
} from './login-failures.ts';

type Asked = { email: string; device?: string | undefined; address: string | null };
type Found = Omit<Account, 'id'> & { id: string | null; is_known_device: boolean; waits: (number | null)[] };

/**
 * The account of an address, if it has one, and where its wrong passwords are counted; throws `rate_limited` where there were too many.
 * Asked alike for addresses that nobody has, in one statement.
 */
export async function findSignIn(
  db: Queryable,
  { email, device, address }: Asked,
): Promise<{ account: Account | undefined; guesses: LoginAttempts; isKnown: boolean }> {
  const asStranger = guessesFrom(email, address);
  const onDevice = guessesOnDevice(email, device ?? '');
  const { rows } = await db.query<Found>({
    name: 'find-sign-in',
    text: `select ${ACCOUNT_COLUMNS}, exists (
             select from known_devices d where d.user_id = a.id and d.mark_hash = $2
           ) as is_known_device, ${waits({ keys: '$3', most: '$4', minutes: '$5' })} as waits
           from (select) as always left join accounts a on lower(a.email) = lower($1)`,
    values: [email, device === undefined ? null : hashToken(device), ...standingValues([...onDevice, ...asStranger])],
  });
  const [found] = rows;
  if (!found) throw new Error('the accounts did not answer');
  const { is_known_device: isKnown, waits: seconds, id, ...account } = found;
  refuseWaiting(isKnown ? seconds.slice(0, onDevice.length) : seconds.slice(onDevice.length));
  return { account: id === null ? undefined : { id, ...account }, guesses: isKnown ? onDevice : asStranger, isKnown };
}
