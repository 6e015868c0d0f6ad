import { invitationRevoked, sessionStarted } from '@atrium/proto-events/events/auth';
import type { Role } from '@atrium/proto-events/people';
import { newId } from '@atrium/service-kit/process/new-id';
import { waitFor } from '@atrium/test-kit/wait-for';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { startSecondPod } from './pods.ts';
import { people, service } from './running-chat.ts';
import { aWatcher } from './sockets.ts';

let pod: Awaited<ReturnType<typeof startSecondPod>>;
beforeAll(async () => {
  pod = await startSecondPod(service, people);
});
afterAll(() => pod.close());

it('tells who is made an administrator what is for administrators, and who is one no longer nothing more of it, on every pod', async () => {
  const { ben } = people;
  const watchers = await Promise.all([aWatcher(service, ben), aWatcher(pod, ben)]);
  await Promise.all(watchers.map(({ watch }) => watch(['invitations', 'sessions'])));
  const become = async (role: Role, version: number) => {
    await service.announce({ ...ben, role, version });
    const isKnown = () => [service, pod].every(({ running }) => running.directory.user(ben._id)?.role === role);
    await waitFor(isKnown, { what: `both pods to know that ben is ${role}` });
  };
  /** On how many pods they hear of an invitation: whoever has heard of a session after it has heard of it, or never will. */
  const hearing = async () => {
    const [invitationId, sessionId] = [newId(), newId()];
    await service.deliver(invitationRevoked, { invitationId, userId: newId() });
    await service.deliver(sessionStarted, { userId: ben._id, sessionId, at: new Date().toISOString() });
    await Promise.all(watchers.map(({ sees }) => sees(({ id }) => id === sessionId)));
    return watchers.filter(({ seen }) => seen().some(({ id }) => id === invitationId)).length;
  };
  expect(await hearing()).toBe(0);
  await become('admin', 2);
  expect(await hearing()).toBe(2);
  await become('member', 3);
  expect(await hearing()).toBe(0);
  expect(watchers.every(({ socket }) => socket.connected)).toBe(true);
});
