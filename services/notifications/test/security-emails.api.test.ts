import { deviceAdded, passwordChanged, passwordResetCreated } from '@atrium/proto-events/events/auth';
import { feedCreated } from '@atrium/proto-events/events/meetings';
import { emailDelivered } from '@atrium/proto-events/events/notifications';
import { userUpdated } from '@atrium/proto-events/events/users';
import type { DirectoryUser } from '@atrium/proto-events/people';
import { newId } from '@atrium/service-kit/process/new-id';
import type { TestService } from '@atrium/test-kit/start-test-service';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { buildUniqueUser, startNotifications, type TestUsers } from './factories.ts';
import { emailsTo, waitForEmail } from './mailbox.ts';

let service: TestService;
let users: TestUsers;

beforeAll(async () => {
  ({ service, users } = await startNotifications());
});
afterAll(() => service.close());

function createOwner(overrides: Partial<DirectoryUser> = {}): DirectoryUser {
  const user = buildUniqueUser({ firstName: 'Lena', lastName: 'Owner', timezone: 'Europe/Berlin', ...overrides });
  service.addToDirectory(user);
  return user;
}

type Notification = { kind: string; notice: unknown; actor: unknown; person?: { _id: string }; subject: object };

async function listNotifications(user: DirectoryUser): Promise<Notification[]> {
  const { body } = await service.call('GET', '/notifications', { as: user });
  return (body as { data: Notification[] }).data;
}

const CLIENT = { device: 'Firefox on Linux', address: '192.0.2.9' };

describe('security emails to the account owner', () => {
  it('report a changed password once, with time, device, and address', async () => {
    const owner = createOwner();
    await service.deliver(passwordChanged, { userId: owner._id, by: 'reset', ...CLIENT }, 2, owner._id);
    const mail = await waitForEmail(owner.email);
    expect(mail.subject).toBe('Your Northwind password was changed');
    expect(mail.text).toContain('Hello Lena,');
    expect(mail.text).toMatch(/^-- \r?\n/m);
    expect(mail.text).toContain('Device: Firefox on Linux');
    expect(mail.text).toContain('Network address: 192.0.2.9');
    expect(mail.text).toMatch(/When: .+ \(Europe\/Berlin\)/);
    expect(mail.text).toContain('https://atrium.example.org/forgot-password');
    const outcome = await service.waitForEvent(emailDelivered, ({ about }) => about === owner._id);
    expect(outcome.data).toMatchObject({ kind: 'security', outcome: 'sent' });
    expect(await emailsTo(owner.email)).toHaveLength(1);
  });

  it('report a changed password without device and address', async () => {
    const owner = createOwner();
    await service.deliver(passwordChanged, { userId: owner._id, by: 'change' });
    expect((await waitForEmail(owner.email)).text).not.toMatch(/Device|Network address/);
  });

  it('report a sign-in from a new device once', async () => {
    const owner = createOwner();
    const at = '2026-11-22T09:30:00.000Z';
    await service.deliver(deviceAdded, { userId: owner._id, sessionId: newId(), at, ...CLIENT }, 2, owner._id);
    const mail = await waitForEmail(owner.email);
    expect(mail.subject).toBe('New sign-in to your Northwind account');
    expect(mail.text).toContain('When: Sunday, November 22, 2026, at 10:30 AM (Europe/Berlin)');
    expect(mail.text).toContain('Device: Firefox on Linux');
    expect(mail.text).toContain('https://atrium.example.org/settings');
    expect(await emailsTo(owner.email)).toHaveLength(1);
  });

  it('report scripted sign-ins once a day, and every new browser', async () => {
    const owner = createOwner();
    const signIn = (at: string, client: { device: string | null; address: string }) =>
      service.deliver(deviceAdded, { userId: owner._id, sessionId: newId(), at, ...client }, 2, owner._id);
    const scriptClient = (address: string) => ({ device: null, address });
    for (const minute of ['00', '10', '20']) await signIn(`2026-11-22T09:${minute}:00.000Z`, scriptClient('192.0.2.9'));
    await signIn('2026-11-22T18:00:00.000Z', scriptClient('192.0.2.10'));
    await signIn('2026-11-22T19:00:00.000Z', CLIENT);
    await signIn('2026-11-22T19:05:00.000Z', CLIENT);
    await signIn('2026-11-22T19:10:00.000Z', { ...CLIENT, address: '192.0.2.11' });
    await signIn('2026-11-23T09:30:00.000Z', scriptClient('192.0.2.9'));
    await waitForEmail(owner.email, 4);
    const times = (await emailsTo(owner.email)).map(({ text }) => /at (\d+:\d\d [AP]M)/.exec(text ?? '')?.[1]);
    expect(times.sort()).toEqual(['10:00 AM', '10:30 AM', '8:00 PM', '8:10 PM']);
  });

  it('report calendar links created within ten minutes once, and a later link separately', async () => {
    const owner = createOwner();
    const create = (at: string) => service.deliver(feedCreated, { userId: owner._id, at }, 2, owner._id);
    for (const minute of ['30', '31', '39', '41']) await create(`2026-11-22T09:${minute}:00.000Z`);
    await waitForEmail(owner.email, 2);
    const emails = await emailsTo(owner.email);
    const times = emails.map(({ text }) => /Created: (.+)/.exec(text ?? '')?.[1]);
    expect(times.sort()).toEqual([
      'Sunday, November 22, 2026, at 10:30 AM (Europe/Berlin)',
      'Sunday, November 22, 2026, at 10:41 AM (Europe/Berlin)',
    ]);
    expect(emails[0]?.subject).toBe('A calendar link was created for your Northwind account');
    expect(emails[0]?.text).toContain('https://atrium.example.org/settings');
    expect(emails[0]?.text).not.toContain('.ics');
  });

  it('name the administrator who created a reset link, without the link', async () => {
    const owner = createOwner();
    const resetLink = {
      resetId: newId(),
      userId: owner._id,
      madeBy: users.admin._id,
      expiresAt: '2083-01-02T10:00:00.000Z',
    };
    await service.deliver(passwordResetCreated, resetLink, 2, users.admin._id);
    const mail = await waitForEmail(owner.email);
    expect(mail.subject).toBe('Ada Admin created a password reset link for your Northwind account');
    expect(mail.text).toContain('Expires: Saturday, January 2, 2083, at 11:00 AM (Europe/Berlin)');
    expect(mail.text).not.toContain('token');
    expect(await emailsTo(owner.email)).toHaveLength(1);
  });

  it('are not sent to deleted users', async () => {
    const deletedUser = createOwner({ deleted: true });
    const owner = createOwner();
    await service.deliver(passwordChanged, { userId: deletedUser._id, by: 'change' });
    await service.deliver(passwordChanged, { userId: owner._id, by: 'change' });
    await waitForEmail(owner.email);
    expect(await emailsTo(deletedUser.email)).toHaveLength(0);
  });
});

describe('security emails to administrators', () => {
  const buildChange = (user: DirectoryUser, changed: string[]) => ({
    userId: user._id,
    role: user.role,
    status: user.status,
    version: user.version,
    changed,
  });

  it('name a new administrator and who appointed them, except to the new administrator', async () => {
    const otherAdmin = createOwner({ role: 'admin' });
    const newAdmin = createOwner({ role: 'admin', firstName: 'Nora', lastName: 'New' });
    await service.deliver(userUpdated, buildChange(newAdmin, ['role']), 2, users.admin._id);
    const mail = await waitForEmail(otherAdmin.email);
    expect(mail.subject).toBe('Nora New is now an administrator of Northwind');
    expect(mail.text).toContain(`Email: ${newAdmin.email}`);
    expect(mail.text).toContain('By: Ada Admin');
    expect((await waitForEmail(users.admin.email)).subject).toBe(mail.subject);
    expect(await emailsTo(otherAdmin.email)).toHaveLength(1);
    for (const { email } of [newAdmin, users.member, users.manager]) expect(await emailsTo(email)).toHaveLength(0);
  });

  it('report a user who accepted an invitation as administrator', async () => {
    const otherAdmin = createOwner({ role: 'admin' });
    const invitedAdmin = createOwner({ role: 'admin', firstName: 'Ivo', lastName: 'Invited' });
    await service.deliver(
      userUpdated,
      buildChange(invitedAdmin, ['status', 'invited', 'joinDate']),
      1,
      invitedAdmin._id,
    );
    expect((await waitForEmail(otherAdmin.email)).text).not.toContain('By:');
  });

  it('are not sent for other changes', async () => {
    const otherAdmin = createOwner({ role: 'admin' });
    await service.deliver(userUpdated, buildChange(createOwner(), ['role']));
    await service.deliver(userUpdated, buildChange(createOwner({ role: 'admin', status: 'inactive' }), ['role']));
    await service.deliver(userUpdated, buildChange(createOwner({ role: 'admin' }), ['bio']));
    await service.deliver(userUpdated, buildChange(createOwner({ role: 'admin' }), ['tasksCompleted']));
    await service.deliver(userUpdated, buildChange(createOwner({ role: 'admin', firstName: 'Last' }), ['role']));
    expect((await waitForEmail(otherAdmin.email)).subject).toContain('Last');
    expect(await emailsTo(otherAdmin.email)).toHaveLength(1);
  });
});

describe('security notifications', () => {
  it('of the own account are shown in the app, once each, although nobody else caused them', async () => {
    const channels = { security: { app: false, push: false, email: 'off' as const } };
    const owner = createOwner({ preferences: { notices: { channels } } });
    const userId = owner._id;
    const at = '2026-11-22T09:30:00.000Z';
    const link = { resetId: newId(), userId, madeBy: users.admin._id, expiresAt: '2027-01-02T10:00:00.000Z' };
    await service.deliver(passwordChanged, { userId, by: 'change' }, 2, userId);
    await service.deliver(deviceAdded, { userId, sessionId: newId(), at, ...CLIENT }, 2, userId);
    await service.deliver(deviceAdded, { userId, sessionId: newId(), at, device: null, address: '192.0.2.9' }, 2);
    await service.deliver(feedCreated, { userId, at }, 2, userId);
    await service.deliver(passwordResetCreated, link, 2, users.admin._id);
    const notifications = await listNotifications(owner);
    expect(notifications.map(({ kind, subject }) => [kind, (subject as { title: string }).title])).toEqual([
      ['auth.reset.made', 'your account'],
      ['meetings.feed.created', 'your account'],
      ['auth.device.added', 'a script or another program'],
      ['auth.device.added', 'Firefox on Linux'],
      ['auth.password.changed', 'your account'],
    ]);
    for (const { notice, actor, subject } of notifications) {
      expect([notice, actor]).toEqual([{ kind: 'security', reason: 'own_account', setting: null }, null]);
      expect(subject).toMatchObject({ resource: 'account' });
    }
    await waitForEmail(owner.email, 5);
    expect(await emailsTo(owner.email)).toHaveLength(5);
  });

  it('of a new administrator are shown to the others', async () => {
    const [otherAdmin, newAdmin] = [createOwner({ role: 'admin' }), createOwner({ role: 'admin' })];
    const change = { userId: newAdmin._id, role: newAdmin.role, status: newAdmin.status, version: newAdmin.version };
    await service.deliver(userUpdated, { ...change, changed: ['role'] }, 2, otherAdmin._id);
    expect(await listNotifications(otherAdmin)).toMatchObject([
      {
        kind: 'users.administrator.added',
        notice: { kind: 'security', reason: 'administrator' },
        actor: null,
        person: { _id: newAdmin._id },
        subject: { resource: 'user', id: newAdmin._id },
      },
    ]);
    expect(await listNotifications(newAdmin)).toEqual([]);
  });
});
