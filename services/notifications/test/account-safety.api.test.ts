import { deviceAdded, passwordChanged, passwordResetMade } from '@atrium/proto-events/events/auth';
import { feedCreated } from '@atrium/proto-events/events/meeting-feeds';
import { mailDelivered } from '@atrium/proto-events/events/notifications';
import { userUpdated } from '@atrium/proto-events/events/users';
import type { DirectoryUser } from '@atrium/proto-events/people';
import { newId } from '@atrium/service-kit/process/new-id';
import type { TestService } from '@atrium/test-kit/start-test-service';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type People, someone, startNotifications } from './factories.ts';
import { mailsTo, mailTo } from './mailbox.ts';

let service: TestService;
let people: People;

beforeAll(async () => {
  ({ service, people } = await startNotifications());
});
afterAll(() => service.close());

function known(given: Partial<DirectoryUser> = {}): DirectoryUser {
  const person = someone({ firstName: 'Lena', lastName: 'Owner', timezone: 'Europe/Berlin', ...given });
  service.know(person);
  return person;
}

const FROM = { device: 'Firefox on Linux', address: '192.0.2.9' };

describe('the owner of an account', () => {
  it('is told of a new password once, with when and from where', async () => {
    const owner = known();
    await service.deliver(passwordChanged, { userId: owner._id, by: 'reset', ...FROM }, 2, owner._id);
    const mail = await mailTo(owner.email);
    expect(mail.subject).toBe('Your Northwind password was changed');
    expect(mail.text).toContain('Hello Lena,');
    expect(mail.text).toContain('Device: Firefox on Linux');
    expect(mail.text).toContain('Network address: 192.0.2.9');
    expect(mail.text).toMatch(/When: .+ \(Europe\/Berlin\)/);
    expect(mail.text).toContain('https://atrium.example.org/forgot-password');
    const outcome = await service.published(mailDelivered, ({ about }) => about === owner._id);
    expect(outcome.data).toMatchObject({ kind: 'security', outcome: 'sent' });
    expect(await mailsTo(owner.email)).toHaveLength(1);
  });

  it('is told of it also by a release that did not say from where', async () => {
    const owner = known();
    await service.deliver(passwordChanged, { userId: owner._id, by: 'change' });
    expect((await mailTo(owner.email)).text).not.toMatch(/Device|Network address/);
  });

  it('is told of a sign-in on a new device once', async () => {
    const owner = known();
    const at = '2026-11-22T09:30:00.000Z';
    await service.deliver(deviceAdded, { userId: owner._id, sessionId: newId(), at, ...FROM }, 2, owner._id);
    const mail = await mailTo(owner.email);
    expect(mail.subject).toBe('New sign-in to your Northwind account');
    expect(mail.text).toContain('When: Sunday, November 22, 2026, at 10:30 AM (Europe/Berlin)');
    expect(mail.text).toContain('Device: Firefox on Linux');
    expect(mail.text).toContain('https://atrium.example.org/settings');
    expect(await mailsTo(owner.email)).toHaveLength(1);
  });

  it('is emailed once a day of sign-ins by scripts, and of each browser all the same', async () => {
    const owner = known();
    const signIn = (at: string, from: { device: string | null; address: string }) =>
      service.deliver(deviceAdded, { userId: owner._id, sessionId: newId(), at, ...from }, 2, owner._id);
    const script = (address: string) => ({ device: null, address });
    for (const minute of ['00', '10', '20']) await signIn(`2026-11-22T09:${minute}:00.000Z`, script('192.0.2.9'));
    await signIn('2026-11-22T18:00:00.000Z', script('192.0.2.10'));
    await signIn('2026-11-22T19:00:00.000Z', FROM);
    await signIn('2026-11-22T19:05:00.000Z', FROM);
    await signIn('2026-11-22T19:10:00.000Z', { ...FROM, address: '192.0.2.11' });
    await signIn('2026-11-23T09:30:00.000Z', script('192.0.2.9'));
    await mailTo(owner.email, 4);
    const times = (await mailsTo(owner.email)).map(({ text }) => /at (\d+:\d\d [AP]M)/.exec(text ?? '')?.[1]);
    expect(times.sort()).toEqual(['10:00 AM', '10:30 AM', '8:00 PM', '8:10 PM']);
  });

  it('receives one email about calendar links created within ten minutes, and another about a later one', async () => {
    const owner = known();
    const create = (at: string) => service.deliver(feedCreated, { userId: owner._id, at }, 2, owner._id);
    for (const minute of ['30', '31', '39', '41']) await create(`2026-11-22T09:${minute}:00.000Z`);
    await mailTo(owner.email, 2);
    const emails = await mailsTo(owner.email);
    const times = emails.map(({ text }) => /Created: (.+)/.exec(text ?? '')?.[1]);
    expect(times.sort()).toEqual([
      'Sunday, November 22, 2026, at 10:30 AM (Europe/Berlin)',
      'Sunday, November 22, 2026, at 10:41 AM (Europe/Berlin)',
    ]);
    expect(emails[0]?.subject).toBe('A calendar link was created for your Northwind account');
    expect(emails[0]?.text).toContain('https://atrium.example.org/settings');
    expect(emails[0]?.text).not.toContain('.ics');
  });

  it('is told which administrator made a link to a new password, and not the link', async () => {
    const owner = known();
    const made = {
      resetId: newId(),
      userId: owner._id,
      madeBy: people.admin._id,
      expiresAt: '2027-01-02T10:00:00.000Z',
    };
    await service.deliver(passwordResetMade, made, 2, people.admin._id);
    const mail = await mailTo(owner.email);
    expect(mail.subject).toBe('Ada Admin made a link to a new password for your Northwind account');
    expect(mail.text).toContain('Works until: Saturday, January 2, 2027, at 11:00 AM (Europe/Berlin)');
    expect(mail.text).not.toContain('token');
    expect(await mailsTo(owner.email)).toHaveLength(1);
  });

  it('is told nothing once they are gone', async () => {
    const [gone, owner] = [known({ deleted: true }), known()];
    await service.deliver(passwordChanged, { userId: gone._id, by: 'change' });
    await service.deliver(passwordChanged, { userId: owner._id, by: 'change' });
    await mailTo(owner.email);
    expect(await mailsTo(gone.email)).toHaveLength(0);
  });
});

describe('the administrators', () => {
  const change = (user: DirectoryUser, changed: string[]) => ({
    userId: user._id,
    role: user.role,
    status: user.status,
    version: user.version,
    changed,
  });

  it('are told of a new one by whom it was, and the new one is not', async () => {
    const [other, made] = [known({ role: 'admin' }), known({ role: 'admin', firstName: 'Nora', lastName: 'New' })];
    await service.deliver(userUpdated, change(made, ['role']), 2, people.admin._id);
    const mail = await mailTo(other.email);
    expect(mail.subject).toBe('Nora New is now an administrator of Northwind');
    expect(mail.text).toContain(`Email: ${made.email}`);
    expect(mail.text).toContain('By: Ada Admin');
    expect((await mailTo(people.admin.email)).subject).toBe(mail.subject);
    expect(await mailsTo(other.email)).toHaveLength(1);
    for (const { email } of [made, people.member, people.manager]) expect(await mailsTo(email)).toHaveLength(0);
  });

  it('are told of one who accepted an invitation', async () => {
    const [other, made] = [known({ role: 'admin' }), known({ role: 'admin', firstName: 'Ivo', lastName: 'Invited' })];
    await service.deliver(userUpdated, change(made, ['status', 'invited', 'joinDate']), 1, made._id);
    expect((await mailTo(other.email)).text).not.toContain('By:');
  });

  it('are told of nothing less', async () => {
    const other = known({ role: 'admin' });
    await service.deliver(userUpdated, change(known(), ['role']));
    await service.deliver(userUpdated, change(known({ role: 'admin', status: 'inactive' }), ['role']));
    await service.deliver(userUpdated, change(known({ role: 'admin' }), ['bio']));
    await service.deliver(userUpdated, change(known({ role: 'admin', firstName: 'Ends' }), ['role']));
    expect((await mailTo(other.email)).subject).toContain('Ends');
    expect(await mailsTo(other.email)).toHaveLength(1);
  });
});
