import { subjectOf } from '@atrium/proto-events/event';
import { sessionRevoked } from '@atrium/proto-events/events/auth';
import { createRevocations, followRevocations } from '@atrium/service-kit/directory/revocations';
import { type Messaging, requireStream } from '@atrium/service-kit/messaging/messaging';
import { newId } from '@atrium/service-kit/process/new-id';
import { closeAfterEach } from '@atrium/test-kit/close-after-each';
import { waitFor } from '@atrium/test-kit/wait-for';
import { describe, expect, it } from '@jest/globals';
import { publishEvent } from '../notes.ts';
import { connectNats, quiet } from '../pods.ts';
import { startPrivateNats } from '../private-nats.ts';

const resources = closeAfterEach();

async function publishPayload(messaging: Messaging, payload: string): Promise<void> {
  await requireStream(messaging, 'auth');
  await messaging.js.publish(messaging.subject(subjectOf(sessionRevoked)), payload);
}

const revoke = (messaging: Messaging, sessionId: string) =>
  publishEvent(messaging, {
    event: sessionRevoked,
    data: { userId: newId(), sessionId, reason: 'logout' },
    aggregate: sessionId,
  });

async function startFollowing(messaging: Messaging) {
  const revocations = createRevocations();
  resources.push(await followRevocations(revocations, messaging, quiet));
  return revocations;
}

describe('followRevocations', () => {
  it('delivers to every process, rather than to one per service', async () => {
    const messaging = await connectNats(resources);
    const processes = [
      await startFollowing(messaging),
      await startFollowing(messaging),
      await startFollowing(messaging),
    ];
    const session = newId();
    const received: string[] = [];
    processes[0]?.onRevoked((id) => received.push(id));
    await revoke(messaging, session);
    for (const process of processes) await waitFor(() => process.has(session), { description: 'the revocation' });
    expect(received).toEqual([session]);
    expect(processes[0]?.has(newId())).toBe(false);
  });

  it('delivers earlier revocations to a process that starts later', async () => {
    const messaging = await connectNats(resources);
    const sessions = Array.from({ length: 9 }, () => newId());
    for (const session of sessions) await revoke(messaging, session);
    const lateProcess = await startFollowing(messaging);
    for (const session of sessions)
      await waitFor(() => lateProcess.has(session), { description: 'an earlier revocation' });
  });

  it('continues after an invalid revocation', async () => {
    const messaging = await connectNats(resources);
    const revocations = await startFollowing(messaging);
    for (const payload of ['', '{', 'null', '{"data":{}}', JSON.stringify({ data: { sessionId: 1 } })]) {
      await publishPayload(messaging, payload);
    }
    const session = newId();
    await revoke(messaging, session);
    await waitFor(() => revocations.has(session), { description: 'the revocation after the invalid one' });
  });

  it('continues after an outage of NATS without missing a revocation', async () => {
    const nats = await startPrivateNats();
    resources.push(nats);
    const messaging = await connectNats(resources, nats.url);
    const revocations = await startFollowing(messaging);
    await nats.stop();
    await nats.start();
    const session = newId();
    await waitFor(() => revoke(messaging, session).then(() => true), {
      description: 'NATS to accept it',
      intervalMs: 200,
    });
    await waitFor(() => revocations.has(session), { description: 'the revocation' });
  });
});

describe('createRevocations', () => {
  it('drops a session once none of its tokens can be valid', () => {
    let minutes = 0;
    const revocations = createRevocations(() => minutes * 60_000);
    revocations.add('old');
    minutes = 10;
    revocations.add('recent');
    // A pod whose clock is ten minutes behind accepts a token of fifteen minutes for twenty-five.
    minutes = 35;
    revocations.add('now');
    expect(['old', 'recent', 'now'].map((id) => revocations.has(id))).toEqual([false, true, true]);
  });
});
