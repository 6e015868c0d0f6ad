import { applyRetention, startHousekeeping } from '@atrium/service-kit/postgres/housekeeping';
import { closeAfterEach } from '@atrium/test-kit/close-after-each';
import { describe, expect, it } from '@jest/globals';
import { openPods, type Pod, quiet } from '../pods.ts';

const resources = closeAfterEach();

const insertExpiredKey = (pod: Pod, key: string) =>
  pod.db.query(
    `insert into idempotency_keys (user_id, key, request, created_at) values ('u', $1, 'r', now() - interval '32 days')`,
    [key],
  );
const readKeys = async (pod: Pod) => (await pod.db.query<{ key: string }>('select key from idempotency_keys')).rows;

describe('housekeeping', () => {
  it('runs in one pod of a service, and in another pod once the lease has expired', async () => {
    const [first, second] = await openPods(2);
    if (!first || !second) throw new Error('no pods');
    resources.push(first, second);
    // Closing waits for the first round.
    const runRound = (pod: Pod) => startHousekeeping(pod.db, quiet).close();
    await insertExpiredKey(first, 'first');
    await runRound(first);
    expect(await readKeys(first)).toEqual([]);
    await insertExpiredKey(first, 'second');
    await runRound(second);
    expect(await readKeys(first)).toEqual([{ key: 'second' }]);
    await first.db.query(`update leases set expires_at = now() where name = 'housekeeping'`);
    await runRound(second);
    expect(await readKeys(first)).toEqual([]);
  });

  it('continues with the next table after a failure, and reports it at the end', async () => {
    const [pod] = await openPods(1);
    if (!pod) throw new Error('no pod');
    resources.push(pod);
    await insertExpiredKey(pod, 'old');
    await expect(
      applyRetention(pod.db, [
        ['no_such_table', 'true'],
        ['idempotency_keys', `created_at < now() - interval '31 days'`, 1],
      ]),
    ).rejects.toThrow('Failed to remove expired rows from no_such_table');
    expect(await readKeys(pod)).toEqual([]);
  });
});
