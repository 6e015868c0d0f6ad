import { testNats } from '@atrium/test-kit/backing-servers';
import { buildUser } from '@atrium/test-kit/build-user';
import { createFaultyProxy } from '@atrium/test-kit/faulty-proxy';
import { waitFor } from '@atrium/test-kit/wait-for';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import {
  bearer,
  buildEmail,
  createMember,
  invite,
  register,
  type SignedIn,
  signIn,
  startAuth,
  startProcess,
} from './factories.ts';

const natsProxy = await createFaultyProxy((await testNats()).url);
const service = await startAuth({ NATS_URL: natsProxy.url });
const otherPod = await startProcess(service.env);
afterAll(async () => {
  natsProxy.restore();
  await Promise.all([service.close(), otherPod.close()]);
  await natsProxy.close();
});

let admin: SignedIn;
let endedAdmin: SignedIn;
let member: SignedIn;
beforeAll(async () => {
  admin = await register(service);
  endedAdmin = await createMember(service, admin, 'admin');
  member = await createMember(service, admin);
  for (const { user } of [admin, endedAdmin, member]) {
    const role = user._id === member.user._id ? 'member' : 'admin';
    await service.publishUser(buildUser({ _id: user._id, email: user.email, role, version: 3 }));
    await waitFor(() => otherPod.directory.user(user._id), { description: 'the other pod to know the users' });
  }
});

const callOtherPod = async (by: SignedIn, method: string, path: string, body?: unknown) => {
  const headers = { ...bearer(by), 'content-type': 'application/json' };
  const response = await fetch(`${otherPod.url}/api${path}`, { method, headers, body: JSON.stringify(body) });
  return response.status;
};

it('rejects administrative calls of a session that another pod ended, even while NATS is unavailable', async () => {
  const { id } = await invite(service, admin);
  const buildBody = () => ({ email: buildEmail(), firstName: 'Paul', lastName: 'Invited', role: 'admin' });
  const link = `/users/${member.user._id}/reset-link`;
  expect(await callOtherPod(endedAdmin, 'POST', link)).toBe(200);

  natsProxy.cut();
  const path = `/users/${endedAdmin.user._id}/sessions`;
  expect((await service.call('DELETE', path, { headers: bearer(admin) })).status).toBe(204);

  expect(await callOtherPod(endedAdmin, 'POST', '/auth/invite', buildBody())).toBe(401);
  expect(await callOtherPod(endedAdmin, 'POST', `/auth/invites/${id}/resend`)).toBe(401);
  expect(await callOtherPod(endedAdmin, 'DELETE', `/auth/invites/${id}`)).toBe(401);
  expect(await callOtherPod(endedAdmin, 'POST', link)).toBe(401);
  expect(await callOtherPod(endedAdmin, 'DELETE', `/users/${admin.user._id}/sessions`)).toBe(401);

  // An open session continues.
  expect(await callOtherPod(admin, 'POST', link)).toBe(200);
  expect(await callOtherPod(admin, 'POST', '/auth/invite', buildBody())).toBe(201);
  expect(await callOtherPod(admin, 'DELETE', `/auth/invites/${id}`)).toBe(204);
  const newSession = (await signIn(service, endedAdmin.user.email)).body as SignedIn;
  expect(await callOtherPod(newSession, 'POST', link)).toBe(200);
});
