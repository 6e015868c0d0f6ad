import { startService } from '@atrium/service-kit/service/start-service';
import { testNats } from '@atrium/test-kit/backing-servers';
import { createFaultyProxy } from '@atrium/test-kit/faulty-proxy';
import { waitFor } from '@atrium/test-kit/wait-for';
import { afterAll, expect, it } from '@jest/globals';
import { usersService } from '../src/app.ts';
import { readConfig } from '../src/config.ts';
import { createMember, createRegisteredUser, getUser, startUsers, type TestUser } from './factories.ts';

const natsProxy = await createFaultyProxy((await testNats()).url);
const service = await startUsers({ NATS_URL: natsProxy.url });
const otherPod = await startService(usersService, readConfig(service.env), service.overrides);
afterAll(async () => {
  natsProxy.restore();
  await Promise.all([service.close(), otherPod.close()]);
  await natsProxy.close();
});

/** Returns a function that calls the other pod with a token issued now. */
async function createOtherPodCaller(user: TestUser) {
  const token = await service.tokens.sign(user);
  return async (method: string, path: string, body?: unknown) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    return (await fetch(`${otherPod.url}/api${path}`, { method, headers, body: JSON.stringify(body) })).status;
  };
}

it('rejects changes by an administrator demoted on another pod, even while NATS is unavailable', async () => {
  const admin = await createRegisteredUser(service, { role: 'admin' });
  const [deactivated, demoted, deleted, reactivated] = await Promise.all(
    Array.from({ length: 4 }, () => createRegisteredUser(service, { role: 'admin' })),
  );
  if (!deactivated || !demoted || !deleted || !reactivated) throw new Error('Expected four users');
  const member = await createMember(service);
  const users = [admin, deactivated, demoted, deleted, reactivated, member];
  const areKnown = () => users.every(({ _id }) => otherPod.directory.user(_id)?.status === 'active');
  await waitFor(areKnown, { description: 'the other pod to know the users' });
  const callers = await Promise.all([deactivated, demoted, deleted, reactivated].map(createOtherPodCaller));
  const callAsAdmin = await createOtherPodCaller(admin);

  natsProxy.cut();
  const change = async (id: string, body: unknown) =>
    expect((await service.call('PATCH', `/users/${id}`, { as: admin, body })).status).toBe(200);
  await change(deactivated._id, { status: 'inactive' });
  await change(demoted._id, { role: 'member' });
  await change(reactivated._id, { status: 'inactive' });
  await change(reactivated._id, { status: 'active' });
  expect((await service.call('DELETE', `/users/${deleted._id}`, { as: admin })).status).toBe(204);

  for (const call of callers) {
    expect(await call('PATCH', `/users/${member._id}`, { role: 'admin' })).toBe(401);
    expect(await call('PATCH', `/users/${admin._id}`, { status: 'inactive' })).toBe(401);
    expect(await call('PATCH', `/users/${member._id}`, { bio: 'Changed' })).toBe(401);
    expect(await call('DELETE', `/users/${member._id}`)).toBe(401);
  }
  // A later sign-in has the committed role.
  const callAsMember = await createOtherPodCaller(demoted);
  expect(await callAsMember('PATCH', `/users/${member._id}`, { role: 'admin' })).toBe(403);
  expect(await callAsMember('DELETE', `/users/${member._id}`)).toBe(403);
  expect(await getUser(service, admin, member._id)).toMatchObject({ role: 'member', bio: '', version: 2 });
  expect(await callAsAdmin('PATCH', `/users/${member._id}`, { bio: 'By an administrator' })).toBe(200);
  expect(await callAsAdmin('DELETE', `/users/${member._id}`)).toBe(204);
});
