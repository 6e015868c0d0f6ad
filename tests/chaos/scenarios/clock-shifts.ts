import { shiftedClock } from '@atrium/test-kit/system/shift-clock';
import { waitFor } from '@atrium/test-kit/wait-for';
import { call } from '../../simulation/call.ts';
import { signIn, signInWorker, type Worker } from '../../simulation/workers.ts';
import type { ChaosEnvironment } from '../chaos-environment.ts';
import type { Environment } from '../environment.ts';
import type { Scenario } from '../scenario.ts';

const SHIFT_MS = 10 * 60_000;

/**
 * In every service and in the gateway, the first pod's clock is ten minutes ahead, the second one's ten minutes behind.
 */
const shiftedClocks: Environment = {
  name: 'an environment with clocks ten minutes off',
  prepareCluster:
    async () =>
    ({ number, env }) =>
      shiftedClock(number === 1 ? SHIFT_MS : -SHIFT_MS, env),
};

/** Enough calls to reach both pods of every service. */
const CALLS = 8;

async function assertEachSucceeds(
  label: string,
  count: number,
  sendRequest: () => Promise<{ status: number; body: unknown }>,
) {
  for (let number = 1; number <= count; number += 1) {
    const { status, body } = await sendRequest();
    if (status !== 200) throw new Error(`${label}: call ${number} returned ${status}: ${JSON.stringify(body)}`);
  }
}

const getAdministrator = ({ work }: ChaosEnvironment): Worker => {
  const [first] = work.fixture.workers;
  if (!first) throw new Error('No simulated users');
  return first;
};

/** Asserts that a user whose sessions were ended can sign in again immediately, read, and refresh. */
async function signInAgain(chaos: ChaosEnvironment): Promise<void> {
  const { cluster, writes } = chaos;
  const noah = await signInWorker(cluster.url, 'noah', writes);
  for (const role of ['project_manager', 'member']) {
    await getAdministrator(chaos).write('PATCH', `/users/${noah.id}`, { role });
    const session = await waitFor(() => signIn(cluster.url, 'noah', writes), { description: 'noah to sign in again' });
    const createRead = (path: string) => () => call(cluster.url, { method: 'GET', path, token: session.accessToken });
    for (const path of ['/users/profile', '/projects', '/meetings', '/documents', '/notifications'])
      await assertEachSucceeds(`noah, who has just become ${role}, reads ${path}`, CALLS, createRead(path));
    let { refreshToken } = session;
    await assertEachSucceeds('noah refreshes the token', CALLS, async () => {
      const refreshed = await call(cluster.url, {
        method: 'POST',
        path: '/auth/refresh',
        body: { json: { refreshToken } },
      });
      ({ refreshToken } = refreshed.body as { refreshToken: string });
      return refreshed;
    });
  }
}

/** Asserts that download links issued by either pod work. */
async function assertDownloadLinksWork(chaos: ChaosEnvironment): Promise<void> {
  for (let time = 0; time < CALLS; time += 1) {
    const list = await getAdministrator(chaos).read<{ data: { downloadUrl?: string }[] }>(
      '/documents?limit=1&link=true',
    );
    const { downloadUrl } = list?.data[0] ?? {};
    if (!downloadUrl) throw new Error('Document has no downloadUrl');
    const { status } = await fetch(downloadUrl);
    if (status !== 200) throw new Error(`Download link returned ${status}`);
  }
}

export const clockShifts: readonly Scenario[] = [
  {
    name: 'clocks ten minutes off, each way',
    environment: shiftedClocks,
    affected: [],
    durationMs: 10_000,
    async cause(chaos) {
      await signInAgain(chaos);
      await assertDownloadLinksWork(chaos);
      return async () => undefined;
    },
  },
];
