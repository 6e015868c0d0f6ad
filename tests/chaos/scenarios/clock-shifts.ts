import { waitFor } from '@atrium/test-kit/wait-for';
import { call } from '../../simulation/caller.ts';
import { hire, signIn, type Worker } from '../../simulation/people.ts';
import type { World } from '../chaos-environment.ts';
import { offClocks } from '../environments/clock-shifts.ts';
import type { Scenario } from '../scenario.ts';

/** So many calls meet both pods of every service on the way. */
const TIMES = 8;

/** What throws where a call is answered otherwise. */
async function expectEach(what: string, times: number, ask: () => Promise<{ status: number; body: unknown }>) {
  for (let time = 1; time <= times; time += 1) {
    const { status, body } = await ask();
    if (status !== 200) throw new Error(`${what}: time ${time} answered ${status}: ${JSON.stringify(body)}`);
  }
}

const administratorOf = ({ work }: World): Worker => {
  const [first] = work.site.workers;
  if (!first) throw new Error('nobody is at work');
  return first;
};

/** Somebody whose sessions were ended signs in again at once, works and renews: none of it is refused. */
async function signInAgain(world: World): Promise<void> {
  const { cluster, ledger } = world;
  const noah = await hire(cluster.url, 'noah', ledger);
  for (const role of ['project_manager', 'member']) {
    await administratorOf(world).write('PATCH', `/users/${noah.id}`, { role });
    const session = await waitFor(() => signIn(cluster.url, 'noah', ledger), { what: 'noah to sign in again' });
    const ask = (path: string) => () => call(cluster.url, { method: 'GET', path, token: session.accessToken });
    for (const path of ['/users/profile', '/projects', '/meetings', '/documents', '/notifications'])
      await expectEach(`noah, ${role} since a moment, asks for ${path}`, TIMES, ask(path));
    let { refreshToken } = session;
    await expectEach('noah renews', TIMES, async () => {
      const heard = await call(cluster.url, {
        method: 'POST',
        path: '/auth/refresh',
        body: { json: { refreshToken } },
      });
      ({ refreshToken } = heard.body as { refreshToken: string });
      return heard;
    });
  }
}

/** Links to files work that either pod has given. */
async function download(world: World): Promise<void> {
  for (let time = 0; time < TIMES; time += 1) {
    const found = await administratorOf(world).read<{ data: { downloadUrl?: string }[] }>(
      '/documents?limit=1&link=true',
    );
    const { downloadUrl } = found?.data[0] ?? {};
    if (!downloadUrl) throw new Error('a document has no link to its file');
    const { status } = await fetch(downloadUrl);
    if (status !== 200) throw new Error(`a link to a file answered ${status}`);
  }
}

/** Two pods of everything, twenty minutes apart. */
export const clocksOff: readonly Scenario[] = [
  {
    name: 'clocks ten minutes off, each way',
    place: offClocks,
    affected: [],
    lastsMs: 10_000,
    async cause(world) {
      await signInAgain(world);
      await download(world);
      return async () => undefined;
    },
  },
];
