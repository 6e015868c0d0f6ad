import {
  accountActivated,
  invitationCreated,
  invitationRevoked,
  passwordResetRequested,
} from '@atrium/proto-events/events/auth';
import { meetingScheduled, meetingUpdated } from '@atrium/proto-events/events/meetings';
import { emailDelivered } from '@atrium/proto-events/events/notifications';
import { projectCreated, projectDeleted, projectUpdated } from '@atrium/proto-events/events/projects';
import { newId } from '@atrium/service-kit/process/new-id';
import { testMongo } from '@atrium/test-kit/backing-servers';
import { closeAfterEach } from '@atrium/test-kit/close-after-each';
import { freePort } from '@atrium/test-kit/free-port';
import type { TestService } from '@atrium/test-kit/start-test-service';
import { waitFor } from '@atrium/test-kit/wait-for';
import { describe, expect, it } from '@jest/globals';
import { createConnection } from 'mongoose';
import {
  buildInvitation,
  buildMeeting,
  buildPasswordReset,
  buildProject,
  buildUniqueUser,
  type People,
  scheduledEvent,
  sealLink,
  startNotifications,
  updatedEvent,
} from './factories.ts';
import { createMailServer } from './mail-server.ts';

const open = closeAfterEach();

async function start(port: number, given: Record<string, string> = {}) {
  const started = await startNotifications({ SMTP_URL: `smtp://127.0.0.1:${port}`, ...given });
  open.push(started.service);
  return started;
}

type RejectRecipient = NonNullable<Parameters<typeof createMailServer>[0]>['reject'];

async function startMailServer(port: number, reject?: RejectRecipient) {
  const server = createMailServer({ ...(reject && { reject }) });
  await server.start(port);
  open.push({ close: () => server.stop() });
  return server;
}

/** Backdates the emails. */
async function queuedAgo({ env }: TestService, about: string, days: number): Promise<void> {
  const connection = await createConnection(env.MONGO_URL ?? '').asPromise();
  const createdAt = new Date(Date.now() - days * 24 * 60 * 60_000);
  await connection.collection('mails').updateMany({ about }, { $set: { createdAt } });
  await connection.close();
}

const LAST_HOUR = () => {
  const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();
  return { startTime: ago(60), endTime: ago(1) };
};

const outcomeOf = async (service: TestService, about: string) =>
  (await service.published(emailDelivered, (data) => data.about === about)).data.outcome;

const readiness = async (url: string) => (await fetch(`${url}/readyz`)).json() as Promise<{ status: string }>;

describe('while the mail server is unavailable', () => {
  it('keeps an email queued, reports that, and delivers it once when the server recovers', async () => {
    const port = await freePort();
    const { service, people } = await start(port);
    const invitation = await buildInvitation(people.admin._id);
    await service.deliver(invitationCreated, invitation, 2);
    await waitFor(async () => (await readiness(service.url)).status === 'degraded', {
      what: 'the health check to report it',
    });

    const server = await startMailServer(port);
    await service.published(emailDelivered, (data) => data.about === invitation.invitationId);
    expect(server.to(invitation.email)).toHaveLength(1);
    await waitFor(async () => (await readiness(service.url)).status === 'ok', { what: 'the health check to succeed' });
  });

  it('keeps password reset emails queued as well', async () => {
    const port = await freePort();
    const { service, people } = await start(port);
    const reset = await buildPasswordReset(people.member);
    await service.deliver(passwordResetRequested, reset, 2);
    await waitFor(async () => (await readiness(service.url)).status === 'degraded', {
      what: 'the health check to report it',
    });

    const server = await startMailServer(port);
    await service.published(emailDelivered, (data) => data.about === reset.resetId);
    expect(server.to(people.member.email)).toHaveLength(1);
  });

  it('suppresses meeting emails to users who were removed or deactivated since', async () => {
    const port = await freePort();
    const { service, people } = await start(port);
    const left = buildUniqueUser();
    service.addToDirectory(left);
    const meeting = buildMeeting(people, { participantIds: [people.member._id, people.other._id, left._id] });
    await service.deliver(meetingScheduled, scheduledEvent(meeting), 1, people.manager._id);
    const change = {
      ...{ ...meeting, sequence: 1, version: 2, addedIds: [], rsvpReset: false, changed: ['participants'] },
      ...{ participantIds: [people.other._id, left._id], removedIds: [people.member._id] },
    };
    await service.deliver(meetingUpdated, updatedEvent(meeting, change), 1, people.manager._id);
    service.addToDirectory({ ...left, status: 'inactive', version: left.version + 1 });
    const server = await startMailServer(port);
    await waitFor(() => server.to(people.other.email).length === 1, { what: 'the invitation of the remaining user' });
    await waitFor(() => server.to(people.member.email).length > 0, { what: 'the email to the removed participant' });
    expect(server.to(people.member.email)).toHaveLength(1);
    expect(server.to(people.member.email)[0]?.source).toMatch(/method=CANCEL/i);
    expect(server.to(left.email)).toEqual([]);
  });

  it('suppresses the email of a revoked invitation', async () => {
    const port = await freePort();
    const { service, people } = await start(port);
    const [kept, gone] = [await buildInvitation(people.admin._id), await buildInvitation(people.admin._id)];
    await service.deliver(invitationCreated, gone, 2);
    await service.deliver(invitationRevoked, { invitationId: gone.invitationId, userId: gone.userId }, 2);
    await service.deliver(invitationCreated, kept);
    const server = await startMailServer(port);
    await service.published(emailDelivered, (data) => data.about === kept.invitationId);
    expect(server.received.map(({ to }) => to)).toEqual([kept.email]);
  });

  it('delivers only the latest email of a resent invitation, and reports its outcome', async () => {
    const port = await freePort();
    const store = { MONGO_URL: await testMongo('sent-again') };
    const { service, people } = await start(port, store);
    const pods = [service, (await start(port, store)).service];
    const invitation = await buildInvitation(people.admin._id);
    for (const token of ['first', 'second', 'third']) {
      const sealedUrl = await sealLink(`https://atrium.example.org/accept-invite?token=${token}`);
      await service.deliver(invitationCreated, { ...invitation, sealedUrl }, 2);
    }
    const server = await startMailServer(port);
    const outcomes = (pod: TestService, outcome: string) =>
      pod.countPublished(emailDelivered, (data) => data.outcome === outcome);
    const count = (outcome: string) => pods.reduce((sum, pod) => sum + outcomes(pod, outcome), 0);
    // Both pods may publish the same outcome.
    await waitFor(() => count('sent') >= 1 && count('failed') >= 2, { what: 'the outcomes' });
    const [mail, ...more] = server.to(invitation.email);
    expect(more).toHaveLength(0);
    expect(mail?.source).toContain('token=3Dthird');
    const publisher = pods.find((pod) => outcomes(pod, 'sent') > 0) ?? service;
    const { data } = await publisher.published(emailDelivered, ({ outcome }) => outcome === 'sent');
    expect(mail?.source).toContain(`<${data.cause}.`);
  });

  it('suppresses the invitation of a user who has joined by the copied link', async () => {
    const port = await freePort();
    const { service, people } = await start(port);
    const [kept, joined] = [await buildInvitation(people.admin._id), await buildInvitation(people.admin._id)];
    await service.deliver(invitationCreated, joined, 2);
    await service.deliver(accountActivated, { userId: joined.userId }, 2);
    await service.deliver(invitationCreated, kept);
    const server = await startMailServer(port);
    await service.published(emailDelivered, (data) => data.about === kept.invitationId);
    expect(server.received.map(({ to }) => to)).toEqual([kept.email]);
  });

  it('suppresses obsolete emails: four days old, or an invitation to a past meeting', async () => {
    const port = await freePort();
    const { service, people } = await start(port);
    const [old, over, fresh] = [buildProject(people), buildMeeting(people, LAST_HOUR()), buildProject(people)];
    // Meeting emails stay relevant for longer.
    const ahead = buildMeeting(people);
    await service.deliver(meetingScheduled, scheduledEvent(ahead), 1, people.manager._id);
    await queuedAgo(service, ahead.meetingId, 4);
    await service.deliver(projectCreated, old, 1, people.admin._id);
    await queuedAgo(service, old.projectId, 4);
    await service.deliver(meetingScheduled, scheduledEvent(over), 1, people.manager._id);
    await service.deliver(projectCreated, fresh, 1, people.admin._id);
    // Its link is valid for seven days.
    const invitation = await buildInvitation(people.admin._id);
    await service.deliver(invitationCreated, invitation);
    await queuedAgo(service, invitation.invitationId, 4);
    const server = await startMailServer(port);
    const outcomes = [old.projectId, over.meetingId, fresh.projectId, invitation.invitationId, ahead.meetingId].map(
      (about) => outcomeOf(service, about),
    );
    expect(await Promise.all(outcomes)).toEqual(['failed', 'failed', 'sent', 'sent', 'sent']);
    // Outcomes are published for each email once.
    const subjects = () => subjectsTo(server, people.member.email).map((words) => words?.split(':')[0]);
    await waitFor(() => subjects().length === 2, { what: 'the emails to one user' });
    expect(subjects().sort()).toEqual(['Invitation', 'You were added to Customer portal']);
  });

  it('suppresses the welcome email of a removed member or a deleted project', async () => {
    const port = await freePort();
    const { service, people } = await start(port);
    const [kept, gone] = [buildProject(people), buildProject(people, { name: 'Gone' })];
    const { createdBy: _, ...facts } = { ...kept, progress: 0, changed: ['members'] };
    const [stays, leaves] = [people.member._id, people.other._id];
    await service.deliver(projectCreated, { ...kept, memberIds: [stays] }, 1, people.admin._id);
    await service.deliver(projectUpdated, { ...facts, memberIds: [stays, leaves], version: 2 }, 1, people.admin._id);
    await service.deliver(projectUpdated, { ...facts, memberIds: [stays], version: 3 }, 1, people.admin._id);
    await service.deliver(projectCreated, gone, 1, people.admin._id);
    const { projectId, name } = gone;
    await service.deliver(projectDeleted, { projectId, name }, 1, people.admin._id);
    const server = await startMailServer(port);
    await waitFor(() => service.countPublished(emailDelivered) === 5, { what: 'the outcome of each email' });
    expect(server.received.map(({ to }) => to).sort()).toEqual([people.manager.email, people.member.email].sort());
    expect(subjectsTo(server, people.member.email)).toEqual(['You were added to Customer portal']);
  });

  it('fails obsolete emails without the mail server and reports that', async () => {
    const { service, people } = await start(await freePort());
    const [old, fresh] = [buildProject(people), buildProject(people)];
    for (const project of [old, fresh]) await service.deliver(projectCreated, project, 1, people.admin._id);
    await queuedAgo(service, old.projectId, 4);
    expect(await outcomeOf(service, old.projectId)).toBe('failed');
    expect(service.countPublished(emailDelivered, ({ about }) => about === fresh.projectId)).toBe(0);
  });

  it('sends priority emails first, however many others are queued', async () => {
    const port = await freePort();
    const { service, people } = await start(port);
    const guests = Array.from({ length: 200 }, () => buildUniqueUser());
    service.addToDirectory(...guests);
    const meeting = buildMeeting(people, { participantIds: guests.map(({ _id }) => _id) });
    await service.deliver(meetingScheduled, scheduledEvent(meeting), 1, people.manager._id);
    await service.deliver(passwordResetRequested, await buildPasswordReset(people.member));
    const server = await startMailServer(port);
    await waitFor(() => server.to(people.member.email).length === 1, { what: 'the link' });
    const place = server.received.findIndex(({ to }) => to === people.member.email);
    // 60 are sent concurrently, and the first batch may have been read just before it was queued.
    expect(place).toBeLessThan(2 * 60);
  });

  it('keeps queued emails across a restart', async () => {
    const port = await freePort();
    const store = { MONGO_URL: await testMongo('restart') };
    const first = await startNotifications({ SMTP_URL: `smtp://127.0.0.1:${port}`, ...store });
    const invitation = await buildInvitation(first.people.admin._id);
    await first.service.deliver(invitationCreated, invitation);
    await first.service.close();

    const server = await startMailServer(port);
    const { service } = await start(port, store);
    await service.published(emailDelivered, (data) => data.about === invitation.invitationId);
    expect(server.to(invitation.email)).toHaveLength(1);
  });

  it('is reported by the health check before there is any email', async () => {
    const port = await freePort();
    const { service } = await start(port);
    const becomes = (status: string) =>
      waitFor(async () => (await readiness(service.url)).status === status, { what: `the probe to say ${status}` });
    await becomes('degraded');
    await startMailServer(port);
    await becomes('ok');
  });

  it('is reported by the health check when no mail server is configured', async () => {
    const { service } = await startNotifications({ SMTP_URL: '' });
    open.push(service);
    expect((await readiness(service.url)).status).toBe('degraded');
  });
});

describe('a mail server that rejects', () => {
  it('fails an email permanently only on a permanent rejection', async () => {
    const port = await freePort();
    await startMailServer(port, (address) => (address.startsWith('nobody') ? { responseCode: 550 } : undefined));
    const { service, people } = await start(port);
    const refused = await buildInvitation(people.admin._id, { email: `nobody-${newId()}@example.org` });
    const welcome = await buildInvitation(people.admin._id);
    await service.deliver(invitationCreated, refused);
    await service.deliver(invitationCreated, welcome);
    expect(await outcomeOf(service, refused.invitationId)).toBe('failed');
    expect(await outcomeOf(service, welcome.invitationId)).toBe('sent');
  });

  it('gets an email again after a temporary rejection', async () => {
    const port = await freePort();
    const attempts: string[] = [];
    const server = await startMailServer(port, (address) => {
      attempts.push(address);
      return attempts.length === 1 ? { responseCode: 451 } : undefined;
    });
    const { service, people } = await start(port);
    const invitation = await buildInvitation(people.admin._id);
    await service.deliver(invitationCreated, invitation);
    await waitFor(() => server.to(invitation.email).length === 1, { what: 'the second attempt' });
    expect(attempts).toHaveLength(2);
  });

  it('receives meeting emails in order after temporarily rejecting the first', async () => {
    const port = await freePort();
    const { service, people } = await start(port);
    await scheduleTwoMeetings(service, people);
    let attempts = 0;
    const server = await startMailServer(port, (address) => {
      attempts += address === people.member.email ? 1 : 0;
      return attempts === 1 && address === people.member.email ? { responseCode: 451 } : undefined;
    });
    await waitFor(() => attempts > 0, { what: 'the first attempt' });
    // Emails with links do not wait.
    const reset = await buildPasswordReset(people.member);
    await service.deliver(passwordResetRequested, reset);
    await waitFor(() => server.to(people.member.email).length === 3, { what: 'all of them' });
    const [first, ...laterSubjects] = subjectsTo(server, people.member.email);
    expect(first).not.toMatch(/planning/);
    expect(laterSubjects).toEqual(['Invitation: Weekly planning', 'Invitation: Monthly planning']);
  });
});

/** Queues two emails to the member, in this order. */
async function scheduleTwoMeetings(service: TestService, people: People): Promise<void> {
  for (const title of ['Weekly planning', 'Monthly planning'])
    await service.deliver(meetingScheduled, scheduledEvent(buildMeeting(people, { title })), 1, people.manager._id);
}

const subjectsTo = (server: ReturnType<typeof createMailServer>, address: string) =>
  server.to(address).map(({ source }) => /^Subject: (.*)$/m.exec(source)?.[1]?.trim());

describe('several pods with one store', () => {
  it('do not send emails behind one that another pod is sending', async () => {
    const port = await freePort();
    const store = { MONGO_URL: await testMongo('in-order') };
    const { service, people } = await start(port, store);
    await start(port, store);
    await scheduleTwoMeetings(service, people);
    const gate = Promise.withResolvers<undefined>();
    let attempts = 0;
    const server = await startMailServer(port, (address) => {
      if (address !== people.member.email) return undefined;
      attempts += 1;
      return gate.promise;
    });
    await waitFor(() => attempts > 0, { what: 'the first email to be in flight' });
    // Its pod waits. Emails sent in the meantime come from the other pod, whose round ends with the second of these.
    for (const invitation of [await buildInvitation(people.admin._id), await buildInvitation(people.admin._id)]) {
      await service.deliver(invitationCreated, invitation);
      await waitFor(() => server.to(invitation.email).length === 1, { what: 'an email of the other pod' });
    }
    expect(attempts).toBe(1);
    gate.resolve(undefined);
    await waitFor(() => server.to(people.member.email).length === 2, { what: 'both' });
    const expected = ['Invitation: Weekly planning', 'Invitation: Monthly planning'];
    expect(subjectsTo(server, people.member.email)).toEqual(expected);
  });

  it('never send the same email', async () => {
    const port = await freePort();
    const store = { MONGO_URL: await testMongo('pods') };
    const { service, people } = await start(port, store);
    const pods = [service, ...(await Promise.all([start(port, store), start(port, store)])).map((pod) => pod.service)];
    const invitations = await Promise.all(Array.from({ length: 40 }, () => buildInvitation(people.admin._id)));
    for (const invitation of invitations) await service.deliver(invitationCreated, invitation);
    const server = await startMailServer(port);
    await waitFor(() => server.received.length >= 40, { what: 'all emails' });
    await waitFor(() => pods.reduce((sum, pod) => sum + pod.countPublished(emailDelivered), 0) >= 40, {
      what: 'all outcomes',
    });
    expect(new Set(server.received.map(({ to }) => to)).size).toBe(40);
    expect(server.received).toHaveLength(40);
  });
});
