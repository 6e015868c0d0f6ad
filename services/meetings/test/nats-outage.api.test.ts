import { testNats } from '@atrium/test-kit/backing-servers';
import { createFaultyProxy } from '@atrium/test-kit/faulty-proxy';
import { waitFor } from '@atrium/test-kit/wait-for';
import { afterAll, expect, it } from '@jest/globals';
import { startMeetings } from './factories.ts';

const natsProxy = await createFaultyProxy((await testNats()).url);
const api = await startMeetings({ NATS_URL: natsProxy.url, DIRECTORY_MAX_AGE_SECONDS: '2' });
afterAll(async () => {
  await api.service.close();
  await natsProxy.close();
});

it('calendar feeds are unavailable while the directory is stale', async () => {
  const { body } = await api.service.call('POST', '/meetings/feed', { as: api.users.invitee });
  const path = `/meetings/feed/${(body as { token: string }).token}.ics`;
  natsProxy.cut();
  expect((await api.service.call('GET', path)).status).toBe(200);
  await waitFor(() => api.service.running.directory.ageMs() > 2_000, { description: 'the directory to become stale' });
  const response = await api.service.call('GET', path);
  expect(response).toMatchObject({ status: 503, body: { code: 'unavailable' } });
  expect(response.headers.get('retry-after')).toBe('5');
  natsProxy.restore();
  await waitFor(async () => (await api.service.call('GET', path)).status === 200, {
    description: 'the calendar to be readable again',
  });
});
