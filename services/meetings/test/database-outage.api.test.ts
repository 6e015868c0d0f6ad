import { waitFor } from '@atrium/test-kit/wait-for';
import { afterAll, beforeAll, it } from '@jest/globals';
import pg from 'pg';
import { fillInBackground, startMeetings } from './factories.ts';

let api: Awaited<ReturnType<typeof startMeetings>>;

beforeAll(async () => {
  api = await startMeetings();
});
afterAll(() => api.service.close());

/** Terminates every connection to the database and rejects new ones until reopened. */
async function closeDatabase() {
  const url = new URL(api.service.env.DATABASE_URL ?? '');
  const database = url.pathname.slice(1);
  const client = new pg.Client({ connectionString: Object.assign(new URL(url), { pathname: '/postgres' }).href });
  client.on('error', () => undefined);
  await client.connect();
  await client.query(`alter database ${database} with allow_connections false`);
  await client.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [database]);
  return async () => {
    await client.query(`alter database ${database} with allow_connections true`);
    await client.end();
  };
}

it('the service reconnects after losing database connections, and resumes filling series and revoking feeds', async () => {
  const meeting = await api.scheduleMeeting();
  await fillInBackground(api);
  const { invitee } = api.users;
  await api.service.call('POST', '/meetings/feed', { as: invitee });
  const reopen = await closeDatabase();
  api.service.addToDirectory({ ...invitee, status: 'inactive', version: invitee.version + 1 });
  await waitFor(async () => !(await fetch(`${api.service.url}/readyz`)).ok, {
    description: 'the service to become unready',
  });
  await reopen();
  await waitFor(async () => (await api.get('organizer', meeting._id)).status === 200, {
    description: 'the meeting to be readable again',
  });
  await fillInBackground(api);
  // The feed of a user deactivated during the outage is revoked afterward.
  await waitFor(async () => (await api.service.query('select 1 from feeds')).length === 0, {
    description: 'the feed to be revoked',
  });
});
