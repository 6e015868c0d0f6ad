import { invitationRevoked, sessionStarted } from '@atrium/proto-events/events/auth';
import type { Role } from '@atrium/proto-events/people';
import { newId } from '@atrium/service-kit/process/new-id';
import { waitFor } from '@atrium/test-kit/wait-for';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { startSecondPod } from './pods.ts';
import { people, service } from './running-chat.ts';
import { connectLive } from './sockets.ts';

let pod: Awaited<ReturnType<typeof startSecondPod>>;
beforeAll(async () => {
  pod = await startSecondPod(service, people);
});
afterAll(() => pod.close());

it('changes for administrators reach a user only while they are an administrator, on every pod', async () => {
  const { ben } = people;
  const sockets = await Promise.all([connectLive(service, ben), connectLive(pod, ben)]);
  await Promise.all(sockets.map(({ subscribe }) => subscribe(['invitations', 'sessions'])));
  const changeRole = async (role: Role, version: number) => {
    await service.publishUser({ ...ben, role, version });
    const haveRole = () => [service, pod].every(({ running }) => running.directory.user(ben._id)?.role === role);
    await waitFor(haveRole, { description: `both pods to know that ben is ${role}` });
  };
  /** Counts the pods that send the user an invitation change; a later session change ends the wait. */
  const countReceived = async () => {
    const invitationId = newId();
    const sessionId = newId();
    await service.deliver(invitationRevoked, { invitationId, userId: newId() });
    await service.deliver(sessionStarted, { userId: ben._id, sessionId, at: new Date().toISOString() });
    await Promise.all(sockets.map(({ receives }) => receives(({ id }) => id === sessionId)));
    return sockets.filter(({ received }) => received().some(({ id }) => id === invitationId)).length;
  };
  expect(await countReceived()).toBe(0);
  await changeRole('admin', 2);
  expect(await countReceived()).toBe(2);
  await changeRole('member', 3);
  expect(await countReceived()).toBe(0);
  expect(sockets.every(({ socket }) => socket.connected)).toBe(true);
});
