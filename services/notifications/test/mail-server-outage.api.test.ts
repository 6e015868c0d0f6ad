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
import { type Collection, createConnection } from 'mongoose';
import {
  buildInvitation,
  buildMeeting,
  buildPasswordReset,
  buildProject,
  buildUniqueUser,
  sealLink,
  startNotifications,
  type TestUsers,
  toScheduledEvent,
  toUpdatedEvent,
} from './factories.ts';
import { createMailServer } from './mail-server.ts';

const openResources = closeAfterEach();

async function startService(port: number, env: Record<string, string> = {}) {
  const startedService = await startNotifications({ SMTP_URL: `smtp://127.0.0.1:${port}`, ...env });
  openResources.push(startedService.service);
  return startedService;
}

type RejectRecipient = NonNullable<Parameters<typeof createMailServer>[0]>['reject'];

async function startMailServer(port: number, reject?: RejectRecipient) {
  const server = createMailServer({ ...(reject && { reject }) });
  await server.start(port);
  openResources.push({ close: () => server.stop() });
  return server;
}

async function withEmails({ env }: TestService, use: (emails: Collection) => Promise<unknown>): Promise<void> {
  const connection = await createConnection(env.MONGO_URL ?? '').asPromise();
  await use(connection.collection('mails'));
  await connection.close();
}

/** Changes the time at which the emails about a subject were queued. */
const backdateEmails = (service: TestService, about: string, days: number) =>
  withEmails(service, (emails) =>
    emails.updateMany({ about }, { $set: { createdAt: new Date(Date.now() - days * 24 * 60 * 60_000) } }),
  );

/** Waits until an attempt to send an email to the address has failed, and brings forward what waits for the next one. */
const bringRetriesForward = (service: TestService, address: string) =>
  withEmails(service, async (emails) => {
    const failed = { address, state: 'queued', attempts: 1 };
    const email = await waitFor(() => emails.findOne(failed), { description: 'the retry to be scheduled' });
    const delayMs = email.nextAttemptAt - Date.now();
    expect(delayMs).toBeGreaterThan(5_000);
    const waiting = { address, state: 'queued', nextAttemptAt: { $gte: email.nextAttemptAt } };
    for (const { _id, nextAttemptAt } of await emails.find(waiting).toArray())
      await emails.updateOne({ _id }, { $set: { nextAttemptAt: new Date(nextAttemptAt - delayMs) } });
  });

const buildPastTimes = () => {
  const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();
  return { startTime: ago(60), endTime: ago(1) };
};

const waitForOutcome = async (service: TestService, about: string) =>
  (await service.waitForEvent(emailDelivered, (data) => data.about === about)).data.outcome;

const fetchReadiness = async (url: string) => (await fetch(`${url}/readyz`)).json() as Promise<{ status: string }>;

describe('while the mail server is unavailable', () => {
  it('keeps an email queued, reports the outage in the health check, and delivers the email once when the server recovers', async () => {
    const port = await freePort();
    const { service, users } = await startService(port);
    const invitation = await buildInvitation(users.admin._id);
    await service.deliver(invitationCreated, invitation, 2);
    await waitFor(async () => (await fetchReadiness(service.url)).status === 'degraded', {
      description: 'the health check to report it',
    });

    const server = await startMailServer(port);
    await service.waitForEvent(emailDelivered, (data) => data.about === invitation.invitationId);
    expect(server.to(invitation.email)).toHaveLength(1);
    await waitFor(async () => (await fetchReadiness(service.url)).status === 'ok', {
      description: 'the health check to succeed',
    });
  });

  it('keeps password reset emails queued as well', async () => {
    const port = await freePort();
    const { service, users } = await startService(port);
    const reset = await buildPasswordReset(users.member);
    await service.deliver(passwordResetRequested, reset, 2);
    await waitFor(async () => (await fetchReadiness(service.url)).status === 'degraded', {
      description: 'the health check to report it',
    });

    const server = await startMailServer(port);
    await service.waitForEvent(emailDelivered, (data) => data.about === reset.resetId);
    expect(server.to(users.member.email)).toHaveLength(1);
  });

  it('suppresses meeting emails to users who were removed or deactivated since', async () => {
    const port = await freePort();
    const { service, users } = await startService(port);
    const deactivatedUser = buildUniqueUser();
    service.addToDirectory(deactivatedUser);
    const meeting = buildMeeting(users, {
      participantIds: [users.member._id, users.other._id, deactivatedUser._id],
    });
    await service.deliver(meetingScheduled, toScheduledEvent(meeting), 1, users.manager._id);
    const change = {
      ...meeting,
      sequence: 1,
      version: 2,
      addedIds: [],
      rsvpReset: false,
      changed: ['participants'],
      participantIds: [users.other._id, deactivatedUser._id],
      removedIds: [users.member._id],
    };
    await service.deliver(meetingUpdated, toUpdatedEvent(meeting, change), 1, users.manager._id);
    service.addToDirectory({ ...deactivatedUser, status: 'inactive', version: deactivatedUser.version + 1 });
    const server = await startMailServer(port);
    await waitFor(() => server.to(users.other.email).length === 1, {
      description: 'the invitation of the remaining user',
    });
    await waitFor(() => server.to(users.member.email).length > 0, {
      description: 'the email to the removed participant',
    });
    expect(server.to(users.member.email)).toHaveLength(1);
    expect(server.to(users.member.email)[0]?.source).toMatch(/method=CANCEL/i);
    expect(server.to(deactivatedUser.email)).toEqual([]);
  });

  it('suppresses the email of a revoked invitation', async () => {
    const port = await freePort();
    const { service, users } = await startService(port);
    const openInvitation = await buildInvitation(users.admin._id);
    const revokedInvitation = await buildInvitation(users.admin._id);
    await service.deliver(invitationCreated, revokedInvitation, 2);
    const { invitationId, userId } = revokedInvitation;
    await service.deliver(invitationRevoked, { invitationId, userId }, 2);
    await service.deliver(invitationCreated, openInvitation);
    const server = await startMailServer(port);
    await service.waitForEvent(emailDelivered, (data) => data.about === openInvitation.invitationId);
    expect(server.received.map(({ to }) => to)).toEqual([openInvitation.email]);
  });

  it('delivers only the latest email of a resent invitation, and reports its outcome', async () => {
    const port = await freePort();
    const store = { MONGO_URL: await testMongo('sent-again') };
    const { service, users } = await startService(port, store);
    const pods = [service, (await startService(port, store)).service];
    const invitation = await buildInvitation(users.admin._id);
    for (const token of ['first', 'second', 'third']) {
      const sealedUrl = await sealLink(`https://atrium.example.org/accept-invite?token=${token}`);
      await service.deliver(invitationCreated, { ...invitation, sealedUrl }, 2);
    }
    const server = await startMailServer(port);
    const countOutcomes = (pod: TestService, outcome: string) =>
      pod.countPublished(emailDelivered, (data) => data.outcome === outcome);
    const count = (outcome: string) => pods.reduce((sum, pod) => sum + countOutcomes(pod, outcome), 0);
    // Both pods may publish the same outcome.
    await waitFor(() => count('sent') >= 1 && count('failed') >= 2, { description: 'the outcomes' });
    const [email, ...otherEmails] = server.to(invitation.email);
    expect(otherEmails).toHaveLength(0);
    expect(email?.source).toContain('token=3Dthird');
    const publisher = pods.find((pod) => countOutcomes(pod, 'sent') > 0) ?? service;
    const { data } = await publisher.waitForEvent(emailDelivered, ({ outcome }) => outcome === 'sent');
    expect(email?.source).toContain(`<${data.cause}.`);
  });

  it('suppresses the invitation of a user who has joined with the copied link', async () => {
    const port = await freePort();
    const { service, users } = await startService(port);
    const openInvitation = await buildInvitation(users.admin._id);
    const acceptedInvitation = await buildInvitation(users.admin._id);
    await service.deliver(invitationCreated, acceptedInvitation, 2);
    await service.deliver(accountActivated, { userId: acceptedInvitation.userId }, 2);
    await service.deliver(invitationCreated, openInvitation);
    const server = await startMailServer(port);
    await service.waitForEvent(emailDelivered, (data) => data.about === openInvitation.invitationId);
    expect(server.received.map(({ to }) => to)).toEqual([openInvitation.email]);
  });

  it('suppresses obsolete emails: four days old, or an invitation to a past meeting', async () => {
    const port = await freePort();
    const { service, users } = await startService(port);
    const oldProject = buildProject(users);
    const newProject = buildProject(users);
    const pastMeeting = buildMeeting(users, buildPastTimes());
    // Meeting emails stay relevant for longer.
    const futureMeeting = buildMeeting(users);
    await service.deliver(meetingScheduled, toScheduledEvent(futureMeeting), 1, users.manager._id);
    await backdateEmails(service, futureMeeting.meetingId, 4);
    await service.deliver(projectCreated, oldProject, 1, users.admin._id);
    await backdateEmails(service, oldProject.projectId, 4);
    await service.deliver(meetingScheduled, toScheduledEvent(pastMeeting), 1, users.manager._id);
    await service.deliver(projectCreated, newProject, 1, users.admin._id);
    // The link of an invitation is valid for seven days.
    const invitation = await buildInvitation(users.admin._id);
    await service.deliver(invitationCreated, invitation);
    await backdateEmails(service, invitation.invitationId, 4);
    const server = await startMailServer(port);
    const outcomes = [
      oldProject.projectId,
      pastMeeting.meetingId,
      newProject.projectId,
      invitation.invitationId,
      futureMeeting.meetingId,
    ].map((about) => waitForOutcome(service, about));
    expect(await Promise.all(outcomes)).toEqual(['failed', 'failed', 'sent', 'sent', 'sent']);
    // Outcomes are published for each email once.
    const subjects = () => subjectsTo(server, users.member.email).map((subject) => subject?.split(':')[0]);
    await waitFor(() => subjects().length === 2, { description: 'the emails to one user' });
    expect(subjects().sort()).toEqual(['Invitation', 'You were added to Customer portal']);
  });

  it('suppresses the welcome email of a removed member or a deleted project', async () => {
    const port = await freePort();
    const { service, users } = await startService(port);
    const changedProject = buildProject(users);
    const deletedProject = buildProject(users, { name: 'Deleted' });
    const { createdBy: _, ...fields } = { ...changedProject, progress: 0, changed: ['members'] };
    const memberId = users.member._id;
    const removedId = users.other._id;
    await service.deliver(projectCreated, { ...changedProject, memberIds: [memberId] }, 1, users.admin._id);
    await service.deliver(
      projectUpdated,
      { ...fields, memberIds: [memberId, removedId], version: 2 },
      1,
      users.admin._id,
    );
    await service.deliver(projectUpdated, { ...fields, memberIds: [memberId], version: 3 }, 1, users.admin._id);
    await service.deliver(projectCreated, deletedProject, 1, users.admin._id);
    const { projectId, name } = deletedProject;
    await service.deliver(projectDeleted, { projectId, name }, 1, users.admin._id);
    const server = await startMailServer(port);
    await waitFor(() => service.countPublished(emailDelivered) === 5, { description: 'the outcome of each email' });
    expect(server.received.map(({ to }) => to).sort()).toEqual([users.manager.email, users.member.email].sort());
    expect(subjectsTo(server, users.member.email)).toEqual(['You were added to Customer portal']);
  });

  it('reports obsolete emails as failed even if the mail server never recovers', async () => {
    const { service, users } = await startService(await freePort());
    const oldProject = buildProject(users);
    const newProject = buildProject(users);
    for (const project of [oldProject, newProject]) await service.deliver(projectCreated, project, 1, users.admin._id);
    await backdateEmails(service, oldProject.projectId, 4);
    expect(await waitForOutcome(service, oldProject.projectId)).toBe('failed');
    expect(service.countPublished(emailDelivered, ({ about }) => about === newProject.projectId)).toBe(0);
  });

  it('sends priority emails first, even if hundreds of others are queued', async () => {
    const port = await freePort();
    const { service, users } = await startService(port);
    const guests = Array.from({ length: 200 }, () => buildUniqueUser());
    service.addToDirectory(...guests);
    const meeting = buildMeeting(users, { participantIds: guests.map(({ _id }) => _id) });
    await service.deliver(meetingScheduled, toScheduledEvent(meeting), 1, users.manager._id);
    await service.deliver(passwordResetRequested, await buildPasswordReset(users.member));
    const server = await startMailServer(port);
    await waitFor(() => server.to(users.member.email).length === 1, { description: 'the link' });
    const position = server.received.findIndex(({ to }) => to === users.member.email);
    // Emails are read in batches of 60, and the first batch may have been read just before this email was queued.
    expect(position).toBeLessThan(2 * 60);
  });

  it('keeps queued emails across a restart', async () => {
    const port = await freePort();
    const store = { MONGO_URL: await testMongo('restart') };
    const firstPod = await startNotifications({ SMTP_URL: `smtp://127.0.0.1:${port}`, ...store });
    const invitation = await buildInvitation(firstPod.users.admin._id);
    await firstPod.service.deliver(invitationCreated, invitation);
    await firstPod.service.close();

    const server = await startMailServer(port);
    const { service } = await startService(port, store);
    await service.waitForEvent(emailDelivered, (data) => data.about === invitation.invitationId);
    expect(server.to(invitation.email)).toHaveLength(1);
  });

  it('is reported by the health check before there is any email', async () => {
    const port = await freePort();
    const { service } = await startService(port);
    const waitForStatus = (status: string) =>
      waitFor(async () => (await fetchReadiness(service.url)).status === status, {
        description: `the probe to say ${status}`,
      });
    await waitForStatus('degraded');
    await startMailServer(port);
    await waitForStatus('ok');
  });

  it('is reported by the health check when no mail server is configured', async () => {
    const { service } = await startNotifications({ SMTP_URL: '' });
    openResources.push(service);
    expect((await fetchReadiness(service.url)).status).toBe('degraded');
  });
});

describe('a mail server that rejects', () => {
  it('fails an email permanently only on a permanent rejection', async () => {
    const port = await freePort();
    await startMailServer(port, (address) => (address.startsWith('nobody') ? { responseCode: 550 } : undefined));
    const { service, users } = await startService(port);
    const rejectedInvitation = await buildInvitation(users.admin._id, { email: `nobody-${newId()}@example.org` });
    const acceptedInvitation = await buildInvitation(users.admin._id);
    await service.deliver(invitationCreated, rejectedInvitation);
    await service.deliver(invitationCreated, acceptedInvitation);
    expect(await waitForOutcome(service, rejectedInvitation.invitationId)).toBe('failed');
    expect(await waitForOutcome(service, acceptedInvitation.invitationId)).toBe('sent');
  });

  it('receives an email again after temporarily rejecting it', async () => {
    const port = await freePort();
    const attempts: string[] = [];
    const server = await startMailServer(port, (address) => {
      attempts.push(address);
      return attempts.length === 1 ? { responseCode: 451 } : undefined;
    });
    const { service, users } = await startService(port);
    const invitation = await buildInvitation(users.admin._id);
    await service.deliver(invitationCreated, invitation);
    await bringRetriesForward(service, invitation.email);
    await waitFor(() => server.to(invitation.email).length === 1, { description: 'the second attempt' });
    expect(attempts).toHaveLength(2);
  });

  it('receives meeting emails in order after temporarily rejecting the first', async () => {
    const port = await freePort();
    const { service, users } = await startService(port);
    await scheduleTwoMeetings(service, users);
    let attempts = 0;
    const server = await startMailServer(port, (address) => {
      attempts += address === users.member.email ? 1 : 0;
      return attempts === 1 && address === users.member.email ? { responseCode: 451 } : undefined;
    });
    await waitFor(() => attempts > 0, { description: 'the first attempt' });
    // Emails with links do not wait.
    const reset = await buildPasswordReset(users.member);
    await service.deliver(passwordResetRequested, reset);
    await waitFor(() => server.to(users.member.email).length === 1, { description: 'the link' });
    await bringRetriesForward(service, users.member.email);
    await waitFor(() => server.to(users.member.email).length === 3, { description: 'all emails' });
    const [firstSubject, ...laterSubjects] = subjectsTo(server, users.member.email);
    expect(firstSubject).not.toMatch(/planning/);
    expect(laterSubjects).toEqual(['Invitation: Weekly planning', 'Invitation: Monthly planning']);
  });
});

/** Queues two emails to the member, in this order. */
async function scheduleTwoMeetings(service: TestService, users: TestUsers): Promise<void> {
  for (const title of ['Weekly planning', 'Monthly planning'])
    await service.deliver(meetingScheduled, toScheduledEvent(buildMeeting(users, { title })), 1, users.manager._id);
}

const subjectsTo = (server: ReturnType<typeof createMailServer>, address: string) =>
  server.to(address).map(({ source }) => /^Subject: (.*)$/m.exec(source)?.[1]?.trim());

describe('several pods with one store', () => {
  it('do not send an email before an earlier one to the same address that another pod is sending', async () => {
    const port = await freePort();
    const store = { MONGO_URL: await testMongo('in-order') };
    const { service, users } = await startService(port, store);
    await startService(port, store);
    await scheduleTwoMeetings(service, users);
    const gate = Promise.withResolvers<undefined>();
    let attempts = 0;
    const server = await startMailServer(port, (address) => {
      if (address !== users.member.email) return undefined;
      attempts += 1;
      return gate.promise;
    });
    await waitFor(() => attempts > 0, { description: 'the first email to be in flight' });
    // The pod that sends it waits. Emails sent in the meantime come from the other pod, whose round ends with the
    // second one.
    for (const invitation of [await buildInvitation(users.admin._id), await buildInvitation(users.admin._id)]) {
      await service.deliver(invitationCreated, invitation);
      await waitFor(() => server.to(invitation.email).length === 1, { description: 'an email of the other pod' });
    }
    expect(attempts).toBe(1);
    gate.resolve(undefined);
    await waitFor(() => server.to(users.member.email).length === 2, { description: 'both emails' });
    const expected = ['Invitation: Weekly planning', 'Invitation: Monthly planning'];
    expect(subjectsTo(server, users.member.email)).toEqual(expected);
  });

  it('never send the same email', async () => {
    const port = await freePort();
    const store = { MONGO_URL: await testMongo('pods') };
    const { service, users } = await startService(port, store);
    const pods = [
      service,
      ...(await Promise.all([startService(port, store), startService(port, store)])).map((pod) => pod.service),
    ];
    const invitations = await Promise.all(Array.from({ length: 40 }, () => buildInvitation(users.admin._id)));
    for (const invitation of invitations) await service.deliver(invitationCreated, invitation);
    const server = await startMailServer(port);
    await waitFor(() => server.received.length >= 40, { description: 'all emails' });
    await waitFor(() => pods.reduce((sum, pod) => sum + pod.countPublished(emailDelivered), 0) >= 40, {
      description: 'all outcomes',
    });
    expect(new Set(server.received.map(({ to }) => to)).size).toBe(40);
    expect(server.received).toHaveLength(40);
  });
});
