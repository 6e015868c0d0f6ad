import { type System, startSystem } from '@atrium/local/system/start-system';
import { waitFor } from '@atrium/test-kit/wait-for';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import type { Browser, Locator } from 'playwright-core';
import { type Client, demand, join, PASSWORD, send, setUp } from '../flows/workspace.ts';
import { launchChromium } from './chromium.ts';
import { choose, dialog, goTo, type Person, sitDown, toast } from './person.ts';

const LIVE_MS = 1_000;

jest.setTimeout(60_000);

let system: System;
let browser: Browser;
let admin: Client;
let maya: Person;
/** The other administrator, at another machine. */
let noor: Person;
let lena: Person;

beforeAll(async () => {
  [system, browser] = await Promise.all([
    startSystem({ env: { RATE_LIMIT_USER: '10000', RATE_LIMIT_SIGN_IN: '10000' } }),
    launchChromium(),
  ]);
  admin = await setUp(system.url);
  await Promise.all([
    join(system.url, admin, { first: 'Noor', role: 'admin' }),
    join(system.url, admin, { first: 'Lena', role: 'member' }),
  ]);
  maya = await atHome('Maya Okafor', 'maya@example.org');
  noor = await atHome('Noor Example', 'noor@example.org');
  lena = await atHome('Lena Example', 'lena@example.org');
}, 120_000);

afterAll(async () => {
  await browser?.close();
  await system?.stop();
}, 60_000);

describe('invitations in User Management', () => {
  it('shows an invitation to the other administrator within a second, and how its e-mail fared', async () => {
    await goTo(noor, 'User Management');
    await noor.page.getByRole('tab', { name: 'Pending invitations' }).click();
    await noor.page.getByText('No pending invitations').waitFor();
    await goTo(maya, 'User Management');
    await maya.page.getByRole('button', { name: 'Invite User' }).click();
    const form = dialog(maya, 'Invite Team Member');
    await form.getByRole('button', { name: 'Send Invitation' }).click();
    for (const fault of ['Email is required', 'First name is required', 'Please select a department'])
      await form.getByText(fault).waitFor();
    await form.getByLabel('Email').fill('tariq@example.org');
    await form.getByLabel('First name').fill('Tariq');
    await form.getByLabel('Last name').fill('Khoury');
    await choose(form, maya.page, 'Role', 'Project Manager');
    await choose(form, maya.page, 'Department', 'Engineering');
    const row = invitationOf(noor, 'Tariq Khoury');
    const [sentAt, seenAt] = await Promise.all([
      answerTo(maya, 'POST', '/api/auth/invite'),
      row.waitFor().then(() => performance.now()),
      form.getByRole('button', { name: 'Send Invitation' }).click(),
    ]);
    expect(seenAt - sentAt).toBeLessThan(LIVE_MS);
    await toast(maya.page, 'Invitation sent successfully');
    await form.getByLabel('Invitation link').waitFor();
    await row.getByText('E-mail sent').waitFor();
    await row.getByText('Project Manager').waitFor();
    await form.getByText('The e-mail has been sent.').waitFor();
    // The next one is mostly for the same department.
    await form.getByRole('button', { name: 'Invite another' }).click();
    await form.getByRole('button', { name: /Engineering Department/ }).waitFor();
    await maya.page.keyboard.press('Escape');
    await rowOf(maya, 'Tariq Khoury').getByText('Invited').waitFor();
  });

  it('sends it again with another link, after which the first one opens nothing', async () => {
    const { page } = noor;
    await page.getByRole('button', { name: 'Resend the invitation of Tariq Khoury' }).click();
    const again = dialog(noor, 'Invitation sent again');
    const first = tokenIn(await again.getByLabel('Invitation link').inputValue());
    await again.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('button', { name: 'Resend the invitation of Tariq Khoury' }).click();
    const second = tokenIn(await again.getByLabel('Invitation link').inputValue());
    await again.getByRole('button', { name: 'Done' }).click();
    expect(second).not.toBe(first);
    const refused = await post('/auth/accept-invite', { token: first, password: PASSWORD });
    expect(refused.status).toBeGreaterThanOrEqual(400);
    expect(String(refused.body.message)).toMatch(/invalid/i);
  });

  it('takes it back: the person is gone from every list, and the page says so in the address', async () => {
    await noor.page.getByRole('button', { name: 'Revoke the invitation of Tariq Khoury' }).click();
    const question = noor.page.getByRole('alertdialog', { name: 'Revoke Invitation' });
    await question.getByRole('button', { name: 'Revoke' }).click();
    await toast(noor.page, 'Invitation revoked');
    await noor.page.getByText('No pending invitations').waitFor();
    await rowOf(maya, 'Tariq Khoury').waitFor({ state: 'detached' });
    expect(new URL(noor.page.url()).searchParams.get('tab')).toBe('invitations');
    await noor.page.goBack();
    await noor.page.getByRole('table', { name: 'Users' }).waitFor();
  });
});

describe('people in User Management', () => {
  it('asks before typed changes are lost, and names what is missing', async () => {
    const form = await openEdit(maya, 'Lena Example');
    await form.getByLabel('First name').fill('');
    await form.getByRole('button', { name: 'Save Changes' }).click();
    await form.getByText('First name and last name are required').waitFor();
    await maya.page.getByText('Validation Error').waitFor();
    await maya.page.keyboard.press('Escape');
    const question = maya.page.getByRole('alertdialog', { name: 'Discard changes?' });
    await question.getByRole('button', { name: 'Discard changes' }).click();
    await form.waitFor({ state: 'detached' });
  });

  it('shows both values where another administrator saved first, and overwrites only what was typed', async () => {
    const mine = await openEdit(maya, 'Lena Example');
    await mine.getByLabel('Location').fill('Hamburg');
    const theirs = await openEdit(noor, 'Lena Example');
    await theirs.getByLabel('Location').fill('Lisbon');
    await theirs.getByLabel('Skills').fill('research, prototypes, research');
    await theirs.getByRole('button', { name: 'Save Changes' }).click();
    await toast(noor.page, 'User updated successfully');
    await mine.getByRole('button', { name: 'Save Changes' }).click();
    const notice = mine.getByRole('alert').filter({ hasText: 'Someone else changed this person meanwhile.' });
    await notice.getByRole('row', { name: 'Location Hamburg Lisbon' }).waitFor();
    await notice.getByRole('button', { name: 'Keep mine' }).click();
    await mine.getByRole('button', { name: 'Save Changes' }).click();
    await mine.waitFor({ state: 'detached' });
    await actOn(noor, 'Lena Example', 'View details');
    const details = dialog(noor, 'User Details');
    await details.getByText('Hamburg').waitFor();
    await details.getByText('research, prototypes', { exact: true }).waitFor();
    await noor.page.keyboard.press('Escape');
  });

  it('makes a reset link with which someone sets a new password', async () => {
    await actOn(maya, 'Lena Example', 'Password reset link');
    const box = dialog(maya, 'Password reset link');
    await box.getByRole('button', { name: 'Make reset link' }).click();
    const token = tokenIn(await box.getByLabel('Reset link').inputValue());
    await box.getByRole('button', { name: 'Done' }).click();
    expect((await post('/auth/reset-password', { token, password: PASSWORD })).status).toBe(200);
    // Every session of hers has ended with the old password.
    await lena.page.waitForURL('**/login');
    await signIn(lena);
  });

  it('deletes a person for everyone, but nobody deletes themselves', async () => {
    await join(system.url, admin, { first: 'Oliver', role: 'member' });
    await rowOf(noor, 'Oliver Example').waitFor();
    await actOn(maya, 'Oliver Example', 'Delete');
    const question = maya.page.getByRole('alertdialog', { name: 'Delete User' });
    await question.getByText('Oliver Example').waitFor();
    await question.getByRole('button', { name: 'Delete User' }).click();
    await toast(maya.page, 'User deleted successfully');
    await rowOf(noor, 'Oliver Example').waitFor({ state: 'detached' });
    await actOn(maya, 'Maya Okafor', 'Delete');
    await question.getByRole('button', { name: 'Delete User' }).click();
    await question.getByRole('alert').getByText('You cannot delete yourself').waitFor();
    await question.getByRole('button', { name: 'Cancel' }).click();
  });

  it('leaves a row where somebody points at it when someone new stands before it', async () => {
    const row = rowOf(maya, 'Noor Example');
    await row.hover();
    const before = await row.boundingBox();
    const body = { email: 'ada@example.org', firstName: 'Ada', lastName: 'Aalto', role: 'member' };
    const { user } = await demand(admin.call<{ user: string }>('POST', '/auth/invite', body), 201);
    await rowOf(maya, 'Ada Aalto').waitFor();
    expect((await row.boundingBox())?.y).toBe(before?.y);
    await maya.page.mouse.move(0, 0);
    await maya.page.getByRole('row').nth(1).filter({ hasText: 'Ada Aalto' }).waitFor();
    await demand(admin.call('DELETE', `/users/${user}`), 204);
    await rowOf(maya, 'Ada Aalto').waitFor({ state: 'detached' });
  });

  it('keeps filters in the address, where back and forward find them', async () => {
    const { page } = maya;
    const filters = page.getByRole('search');
    await choose(filters, page, 'Role', 'Admin');
    await rowOf(maya, 'Lena Example').waitFor({ state: 'detached' });
    await page.getByText('2 on this page').waitFor();
    await page.getByText('Page 1 of 1').waitFor();
    await choose(filters, page, 'Status', 'Inactive');
    await page.getByText('No users found').waitFor();
    await page.goBack();
    await rowOf(maya, 'Noor Example').waitFor();
    await page.goForward();
    await page.getByText('No users found').waitFor();
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await rowOf(maya, 'Lena Example').waitFor();
  });
});

describe('departments', () => {
  it('creates one under a name of its own, and says why another is refused', async () => {
    await goTo(noor, 'Departments');
    await goTo(maya, 'Departments');
    await maya.page.getByRole('button', { name: 'Add Department' }).click();
    const form = dialog(maya, 'Manage Departments');
    const save = form.getByRole('button', { name: 'Add Department' });
    await save.click();
    await form.getByText('Department name is required').waitFor();
    await form.getByLabel('Department name').fill(' engineering ');
    await save.click();
    await form.getByText('A department with this name already exists').waitFor();
    await form.getByLabel('Department name').fill('Customer Care');
    await save.click();
    await toast(maya.page, 'Department created successfully');
    await departmentCard(noor, 'Customer Care').getByText('0 employees').waitFor();
  });

  it('renames it, and shows a rename of someone else instead of overwriting it', async () => {
    const mine = await openDepartment(maya, 'Customer Care');
    await mine.getByLabel('Department name').fill('Support');
    const theirs = await openDepartment(noor, 'Customer Care');
    await theirs.getByLabel('Department name').fill('Customer Success');
    await theirs.getByRole('button', { name: 'Save Changes' }).click();
    await toast(noor.page, 'Department updated successfully');
    await mine.getByRole('button', { name: 'Save Changes' }).click();
    await mine.getByRole('row', { name: 'Name Support Customer Success' }).waitFor();
    await mine.getByRole('button', { name: 'Take theirs' }).click();
    expect(await mine.getByLabel('Department name').inputValue()).toBe('Customer Success');
    await mine.getByRole('button', { name: 'Cancel' }).click();
    await departmentCard(maya, 'Customer Success').waitFor();
  });

  it('deactivates one that has employees, brings it back, and deletes one that has none', async () => {
    const card = departmentCard(maya, 'Customer Success');
    const { _id } = await demand(
      admin.call<{ data: { _id: string }[] }>('GET', '/departments?search=success'),
      200,
    ).then(({ data }) => data[0] ?? { _id: '' });
    const { data } = await demand(admin.call<{ data: { _id: string }[] }>('GET', '/users?search=lena'), 200);
    const person = data[0]?._id ?? '';
    await demand(admin.call('PATCH', `/users/${person}`, { department: _id }), 200);
    await card.getByText('1 employee').waitFor();
    await card.getByRole('button', { name: 'Deactivate Customer Success' }).click();
    const warning = maya.page.getByRole('alertdialog', { name: 'Deactivate Department' });
    await warning.getByText(/has 1 employee, so it will be marked inactive instead of deleted/).waitFor();
    await warning.getByRole('button', { name: 'Deactivate', exact: true }).click();
    await toast(maya.page, 'Department deactivated successfully');
    await departmentCard(noor, 'Customer Success').getByText('Inactive').waitFor();
    await card.getByRole('button', { name: 'Reactivate Customer Success' }).click();
    await card.getByText('Active', { exact: true }).waitFor();
    await demand(admin.call('PATCH', `/users/${person}`, { department: null }), 200);
    await card.getByRole('button', { name: 'Delete Customer Success' }).click();
    await maya.page
      .getByRole('alertdialog', { name: 'Delete Department' })
      .getByRole('button', { name: 'Delete' })
      .click();
    await toast(maya.page, 'Department deleted successfully');
    await departmentCard(noor, 'Customer Success').waitFor({ state: 'detached' });
  });

  it('shows itself to a member who knows the address, without anything to change', async () => {
    const { page } = lena;
    expect(await page.getByRole('navigation').getByRole('link', { name: 'Departments' }).count()).toBe(0);
    await page.goto(`${lena.base}/departments`);
    await departmentCard(lena, 'Engineering').waitFor();
    expect(await page.getByRole('button', { name: /Add|Edit|Delete|Deactivate/ }).count()).toBe(0);
  });
});

describe('the team', () => {
  it('toggles a department by its tile, and goes back and forward through what was chosen', async () => {
    await demand(admin.call('PATCH', `/users/${admin.id}`, { department: 'Product', bio: 'Runs the place' }), 200);
    const { page } = lena;
    await page.goto(`${lena.base}/team`);
    const tile = page.getByRole('button', { name: '1 Product' });
    await member(lena, 'Maya Okafor').getByText('Runs the place').waitFor();
    await member(lena, 'Lena Example').getByText('Online').first().waitFor();
    await tile.click();
    await member(lena, 'Lena Example').waitFor({ state: 'detached' });
    expect(await tile.getAttribute('aria-pressed')).toBe('true');
    await page.getByRole('button', { name: 'Product Department' }).waitFor();
    await page.goBack();
    await member(lena, 'Lena Example').waitFor();
    await page.goForward();
    await member(lena, 'Lena Example').waitFor({ state: 'detached' });
    await tile.click();
    await member(lena, 'Lena Example').waitFor();
    await page.getByRole('searchbox', { name: 'Search team members' }).fill('nobody at all');
    await page.getByText('No team members found').waitFor();
    await page.getByRole('button', { name: 'Show everyone' }).click();
    await member(lena, 'Lena Example').waitFor();
    expect(await page.getByRole('button', { name: 'Invite Member' }).count()).toBe(0);
  });

  it('says who is there and who has left', async () => {
    await maya.page.goto(`${maya.base}/team`);
    await maya.page.getByRole('button', { name: 'Invite Member' }).waitFor();
    await member(maya, 'Noor Example').getByText('online', { exact: true }).waitFor();
    await noor.page.goto('about:blank');
    await member(maya, 'Noor Example').getByText('offline', { exact: true }).waitFor();
  });

  it('turns pages beyond a hundred people', async () => {
    const people = Array.from({ length: 100 }, (_, index) => `Guest${index}`);
    await Promise.all(
      people.map((name) =>
        demand(
          admin.call('POST', '/auth/invite', {
            email: `${name}@example.org`,
            firstName: name,
            lastName: 'Crowd',
            role: 'member',
          }),
          201,
        ),
      ),
    );
    await maya.page.getByText('Showing page 1 of 2 (103 total items)').waitFor();
    await maya.page.getByRole('button', { name: 'Page 2' }).click();
    await member(maya, 'Maya Okafor').waitFor();
    expect(await maya.page.getByRole('article').count()).toBe(3);
  });

  it('offers Retry while people cannot be had, on the team and in User Management', async () => {
    await lena.page.goto(`${lena.base}/`);
    const toTheTeam = lena.page.getByRole('link', { name: /Team Members/ });
    await toTheTeam.waitFor();
    await system.stopService('users');
    await toTheTeam.click();
    await lena.page.getByText('Failed to load team members').waitFor({ timeout: 20_000 });
    await maya.page.getByRole('link', { name: 'User Management' }).first().click();
    await maya.page.getByRole('button', { name: 'Retry Users' }).waitFor({ timeout: 20_000 });
    await maya.page.getByRole('button', { name: 'Retry Stats' }).waitFor();
    await maya.page.getByText('Failed to load user stats').waitFor();
    await system.restart('users');
    await retryUntil(
      maya.page.getByRole('button', { name: 'Retry Users' }),
      maya.page.getByRole('table', { name: 'Users' }),
    );
    await retryUntil(lena.page.getByRole('button', { name: 'Retry' }), member(lena, 'Guest0 Crowd'));
  });
});

describe('the last administrator', () => {
  it('stays one, whoever asks', async () => {
    await maya.page.goto(`${maya.base}/user-management?search=noor`);
    const other = await openEdit(maya, 'Noor Example');
    await choose(other, maya.page, 'Role', 'Member');
    await other.getByRole('button', { name: 'Save Changes' }).click();
    await other.waitFor({ state: 'detached' });
    await maya.page.goto(`${maya.base}/user-management?search=maya`);
    const own = await openEdit(maya, 'Maya Okafor');
    await choose(own, maya.page, 'Role', 'Member');
    await own.getByRole('button', { name: 'Save Changes' }).click();
    await own.getByRole('alert').getByText('The last active administrator cannot be changed').waitFor();
  });
});

async function atHome(name: string, email: string): Promise<Person> {
  const person = await sitDown(browser, { name, email, base: system.url });
  await person.page.goto(`${person.base}/login`);
  await signIn(person);
  return person;
}

async function signIn({ page, email }: Person): Promise<void> {
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign In' }).click();
  await page.getByRole('navigation').first().waitFor();
}

const rowOf = ({ page }: Person, name: string): Locator => page.getByRole('row').filter({ hasText: name });
const invitationOf = ({ page }: Person, name: string): Locator =>
  page.getByRole('listitem', { name: `Invitation of ${name}` });
const departmentCard = ({ page }: Person, name: string): Locator => page.getByRole('article', { name, exact: true });
const member = departmentCard;

async function actOn(person: Person, name: string, action: string): Promise<void> {
  await person.page.getByRole('button', { name: `Actions for ${name}` }).click();
  await person.page.getByRole('menuitem', { name: action }).click();
}

async function openEdit(person: Person, name: string): Promise<Locator> {
  await actOn(person, name, 'Edit');
  return dialog(person, 'Edit User');
}

async function openDepartment(person: Person, name: string): Promise<Locator> {
  await person.page.getByRole('button', { name: `Edit ${name}` }).click();
  return dialog(person, 'Manage Departments');
}

/** Presses until the thing is there; while a request is under way it cannot be pressed. */
const retryUntil = (button: Locator, thing: Locator): Promise<unknown> =>
  waitFor(
    async () => {
      if (await thing.isVisible()) return true;
      await button.click({ timeout: 500 }).catch(() => undefined);
      return false;
    },
    { what: 'what was tried again' },
  );

/** When the server answered that call of theirs. */
const answerTo = ({ page }: Person, method: string, path: string): Promise<number> =>
  page
    .waitForResponse((response) => response.url().endsWith(path) && response.request().method() === method)
    .then(() => performance.now());

const tokenIn = (link: string): string => new URL(link).searchParams.get('token') ?? '';

const post = (path: string, body: unknown) =>
  send(`${system.url}/api${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
