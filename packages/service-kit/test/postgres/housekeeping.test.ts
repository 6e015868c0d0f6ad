import { applyRetention, startHousekeeping } from '@atrium/service-kit/postgres/housekeeping';
import { closeAfterEach } from '@atrium/test-kit/close-after-each';
import { describe, expect, it } from '@jest/globals';
import { openPods, type Pod, quiet } from '../pods.ts';

const open = closeAfterEach();

const remember = (pod: Pod, key: string) =>
  pod.db.query(
    `insert into idempotency_keys (user_id, key, request, created_at) values ('u', $1, 'r', now() - interval '32 days')`,
    [key],
  );
const keys = async (pod: Pod) => (await pod.db.query<{ key: string }>('select key from idempotency_keys')).rows;

describe('housekeeping', () => {
  it('runs in one pod of a service, and in another once that is gone', async () => {
    const [one, other] = await openPods(2);
    if (!one || !other) throw new Error('no pods');
    open.push(one, other);
    // Closing waits for the first round.
    const look = (pod: Pod) => startHousekeeping(pod.db, quiet).close();
    await remember(one, 'first');
    await look(one);
    expect(await keys(one)).toEqual([]);
    await remember(one, 'second');
    await look(other);
    expect(await keys(one)).toEqual([{ key: 'second' }]);
    await one.db.query(`update leases set expires_at = now() where name = 'housekeeping'`);
    await look(other);
    expect(await keys(one)).toEqual([]);
  });

  it('continues with the next table after a failure, and reports it at the end', async () => {
    const [pod] = await openPods(1);
    if (!pod) throw new Error('no pod');
    open.push(pod);
    await remember(pod, 'old');
    await expect(
      applyRetention(pod.db, [
        ['no_such_table', 'true'],
        ['idempotency_keys', `created_at < now() - interval '31 days'`, 1],
      ]),
    ).rejects.toThrow('Failed to remove expired rows from no_such_table');
    expect(await keys(pod)).toEqual([]);
  });
});
