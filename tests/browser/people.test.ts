import { readFile } from 'node:fs/promises';
import type { Role } from '@atrium/proto-events/people';
import { waitFor } from '@atrium/test-kit/wait-for';
import { describe, expect, it } from '@jest/globals';
import type { Locator } from 'playwright-core';
import { tokenIn } from '../workspace/builders.ts';
import { type Client, createUser, expectStatus, PASSWORD, send } from '../workspace/workspace.ts';
import { type BrowserUser, choose, dialog, toast } from './browser-user.ts';
import { expectLive } from './live.ts';
import { countFailures } from './mock-responses.ts';
import { setUpTestEnvironment } from './test-environment.ts';

const environment = setUpTestEnvironment();

/** Creates users with a unique last name, so that a search shows only them. */
async function createFamily(members: Readonly<Record<string, Role>>): Promise<{ last: string; users: Client[] }> {
  const last = environment.uniqueWord();
  const users = await Promise.all(
    Object.entries(members).map(([first, role]) =>
      createUser(environment.system.url, environment.admin, { first, last, role }),
    ),
  );
  return { last, users };
}

const search = (text: string): string => `/user-management?search=${text}`;

/** Opens User Management with a search as an administrator. */
async function openUserManagement(client: Client, text: string): Promise<BrowserUser> {
  const user = await environment.openPage(client, search(text));
  await user.page.getByRole('table', { name: 'Users' }).waitFor();
  return user;
}

/** Invites a user, and opens the list of invitations as a second administrator. */
async function inviteAndOpenList(): Promise<{ noor: BrowserUser; name: string; email: string }> {
  const last = environment.uniqueWord();
  const email = `tariq.${last.toLowerCase()}@example.org`;
  const body = { email, firstName: 'Tariq', lastName: last, role: 'project_manager' };
  await expectStatus(environment.admin.call('POST', '/auth/invite', body), 201);
  const noor = await environment.openPage(
    await environment.createUser('Noor', 'admin'),
    '/user-management?tab=invitations',
  );
  const name = `Tariq ${last}`;
  await invitationOf(noor, name).waitFor();
  return { noor, name, email };
}

describe('invitations in User Management', () => {
  it('an invitation appears for the other administrator within a second, with the delivery state of its email', async () => {
    const noor = await environment.openPage(await environment.createUser('Noor', 'admin'), '/user-management');
    await noor.page.getByRole('tab', { name: 'Pending invitations' }).click();
    await noor.page.getByText('No pending invitations').waitFor();
    const last = environment.uniqueWord();
    const maya = await environment.openPage(environment.admin, search(last));
    await maya.page.getByText('No users found').waitFor();
    await maya.page.getByRole('button', { name: 'Invite User' }).click();
    const form = dialog(maya, 'Invite Team Member');
    await form.getByRole('button', { name: 'Send Invitation' }).click();
    for (const error of ['Email is required', 'First name is required', 'Please select a department'])
      await form.getByText(error).waitFor();
    await form.getByLabel('Email').fill('tariq@example.org');
    await form.getByLabel('First name').fill('Tariq');
    await form.getByLabel('Last name').fill(last);
    await choose(form, maya.page, 'Role', 'Project Manager');
    await choose(form, maya.page, 'Department', 'Engineering');
    const row = invitationOf(noor, `Tariq ${last}`);
    await expectLive(
      { by: maya.page, method: 'POST', path: '/api/auth/invite' },
      () => form.getByRole('button', { name: 'Send Invitation' }).click(),
      [row],
    );
    await toast(maya.page, 'Invitation sent successfully');
    await form.getByLabel('Invitation link').waitFor();
    await row.getByText('Email sent').waitFor();
    await row.getByText('Project Manager').waitFor();
    await form.getByText('The email has been sent.').waitFor();
    // The next invitation starts with the same department.
    await form.getByRole('button', { name: 'Invite another' }).click();
    await form.getByRole('button', { name: /Engineering Department/ }).waitFor();
    await maya.page.keyboard.press('Escape');
    await rowOf(maya, `Tariq ${last}`).getByText('Invited').waitFor();
  });

  it('a list of users can be imported: it shows errors, survives a reload, and shows each result', async () => {
    const noor = await environment.createUser('Noor', 'admin');
    const last = environment.uniqueWord();
    const noorsPage = await environment.openPage(noor, '/user-management?tab=invitations');
    const maya = await environment.openPage(environment.admin, '/user-management');
    const address = (first: string) => `${first}.${last}@example.org`.toLowerCase();
    const openList = async (): Promise<Locator> => {
      await maya.page.getByRole('button', { name: 'Invite User' }).click();
      return dialog(maya, 'Invite Team Member');
    };
    const inviteDialog = await openList();
    await inviteDialog.getByText('Several people').click();
    const table = `\uFEFFE-mail;Given name;Surname;Department\r\n${address('ines')};Inês;${last};Engineering\r\n${noor.email};Noor;${last};Eng\r\n`;
    const chooser = maya.page.waitForEvent('filechooser');
    await inviteDialog.getByRole('button', { name: 'Choose a CSV file' }).click();
    await (await chooser).setFiles({
      name: 'people.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from(table, 'utf16le'),
    });
    await inviteDialog.getByText('This person already has an account').waitFor();
    await inviteDialog.getByText('Unknown department “Eng”').waitFor();
    await inviteDialog.getByRole('button', { name: 'Add people' }).click();
    await inviteDialog
      .getByRole('textbox', { name: 'People to invite' })
      .fill(`${address('omar')}, Ada <ada.${last}@example.org>`);
    await inviteDialog.getByRole('button', { name: 'Add to list' }).click();
    await choose(inviteDialog, maya.page, 'Default department', 'Engineering');
    await inviteDialog.getByText('4 people: 2 ready, 2 need attention').waitFor();
    await maya.page.reload();
    await openList();
    await inviteDialog.getByText('Your unsaved changes have been restored.').waitFor();
    await inviteDialog.getByRole('button', { name: `Edit ${address('ada')}` }).click();
    await inviteDialog.getByRole('textbox', { name: 'Last name' }).fill(last);
    await maya.page.keyboard.press('Enter');
    await inviteDialog.getByRole('button', { name: 'Send 3 invitations' }).click();
    for (const first of ['Inês', 'Omar', 'Ada']) await invitationOf(noorsPage, `${first} ${last}`).waitFor();
    await toast(maya.page, '3 invitations sent');
    await inviteDialog.getByText('1 person not invited yet: 0 ready, 1 needs attention').waitFor();
    const download = maya.page.waitForEvent('download');
    await inviteDialog.getByRole('button', { name: 'Download links' }).click();
    const links = await readFile(await (await download).path(), 'utf8');
    expect(links.match(/accept-invite\?token=/g)).toHaveLength(3);
    await inviteDialog.getByRole('button', { name: `Remove ${noor.email}` }).click();
    await inviteDialog.getByText('3 people have been invited.').waitFor();
    await inviteDialog.getByRole('button', { name: 'Done' }).click();
    await inviteDialog.waitFor({ state: 'detached' });
  });

  it('an invitation is resent with a new link, which invalidates the previous one', async () => {
    const { noor, name } = await inviteAndOpenList();
    const { page } = noor;
    await page.getByRole('button', { name: `Resend the invitation for ${name}` }).click();
    const resendDialog = dialog(noor, 'Invitation sent again');
    const first = tokenIn(await resendDialog.getByLabel('Invitation link').inputValue());
    await resendDialog.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('button', { name: `Resend the invitation for ${name}` }).click();
    const second = tokenIn(await resendDialog.getByLabel('Invitation link').inputValue());
    await resendDialog.getByRole('button', { name: 'Done' }).click();
    expect(second).not.toBe(first);
    const rejectedResponse = await post('/auth/accept-invite', { token: first, password: PASSWORD });
    expect(rejectedResponse.status).toBeGreaterThanOrEqual(400);
    expect(String(rejectedResponse.body.message)).toMatch(/invalid/i);
  });

  it('a revoked invitation disappears from every list', async () => {
    const { noor, name } = await inviteAndOpenList();
    const maya = await openUserManagement(environment.admin, name);
    await rowOf(maya, name).waitFor();
    await noor.page.goto(`${noor.base}/user-management`);
    await noor.page.getByRole('tab', { name: 'Pending invitations' }).click();
    await noor.page.getByRole('button', { name: `Revoke the invitation for ${name}` }).click();
    const confirmation = noor.page.getByRole('alertdialog', { name: 'Revoke Invitation' });
    await confirmation.getByRole('button', { name: 'Revoke' }).click();
    await toast(noor.page, 'Invitation revoked');
    await invitationOf(noor, name).waitFor({ state: 'detached' });
    await rowOf(maya, name).waitFor({ state: 'detached' });
    expect(new URL(noor.page.url()).searchParams.get('tab')).toBe('invitations');
    await noor.page.goBack();
    await noor.page.getByRole('table', { name: 'Users' }).waitFor();
  });
});

describe('users in User Management', () => {
  it('the form names missing fields, and asks for confirmation before it discards changes', async () => {
    const lena = await environment.createUser('Lena', 'member');
    const maya = await openUserManagement(environment.admin, lena.name);
    const form = await openEdit(maya, lena.name);
    await form.getByLabel('First name').fill('');
    await form.getByRole('button', { name: 'Save Changes' }).click();
    await form.getByText('First name and last name are required').waitFor();
    await maya.page.getByText('Validation Error').waitFor();
    await maya.page.keyboard.press('Escape');
    const confirmation = maya.page.getByRole('alertdialog', { name: 'Discard changes?' });
    await confirmation.getByRole('button', { name: 'Discard changes' }).click();
    await form.waitFor({ state: 'detached' });
  });

  it('the form shows both values if another administrator saved first, and overwrites only what was typed', async () => {
    const [lena, other] = await Promise.all([
      environment.createUser('Lena', 'member'),
      environment.createUser('Noor', 'admin'),
    ]);
    const [maya, noor] = await Promise.all([
      openUserManagement(environment.admin, lena.name),
      openUserManagement(other, lena.name),
    ]);
    const mine = await openEdit(maya, lena.name);
    await mine.getByLabel('Location').fill('Hamburg');
    const theirs = await openEdit(noor, lena.name);
    await theirs.getByLabel('Location').fill('Lisbon');
    await theirs.getByLabel('Skills').fill('research, prototypes, research');
    await theirs.getByRole('button', { name: 'Save Changes' }).click();
    await toast(noor.page, 'User updated successfully');
    await mine.getByRole('button', { name: 'Save Changes' }).click();
    const notice = mine.getByRole('alert').filter({ hasText: 'Someone else changed this person in the meantime.' });
    await notice.getByRole('row', { name: 'Location Hamburg Lisbon' }).waitFor();
    await notice.getByRole('button', { name: 'Keep mine' }).click();
    await mine.getByRole('button', { name: 'Save Changes' }).click();
    await mine.waitFor({ state: 'detached' });
    await actOn(noor, lena.name, 'View details');
    const details = dialog(noor, 'User Details');
    await details.getByText('Hamburg').waitFor();
    await details.getByText('research, prototypes', { exact: true }).waitFor();
  });

  it('a reset link lets a user set a new password', async () => {
    const lenaClient = await environment.createUser('Lena', 'member');
    const [maya, lena] = await Promise.all([
      openUserManagement(environment.admin, lenaClient.name),
      environment.openPage(lenaClient),
    ]);
    await lena.page.getByRole('heading', { name: 'Team Dashboard' }).waitFor();
    await actOn(maya, lenaClient.name, 'Password reset link');
    const inviteDialog = dialog(maya, 'Password reset link');
    await inviteDialog.getByRole('button', { name: 'Create reset link' }).click();
    const token = tokenIn(await inviteDialog.getByLabel('Reset link').inputValue());
    await inviteDialog.getByRole('button', { name: 'Done' }).click();
    expect((await post('/auth/reset-password', { token, password: PASSWORD })).status).toBe(200);
    // The new password has ended all of her sessions.
    await lena.page.waitForURL('**/login');
    await lena.page.getByLabel('Email').fill(lenaClient.email);
    await lena.page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await lena.page.getByRole('button', { name: 'Sign In' }).click();
    await lena.page.getByRole('navigation').first().waitFor();
  });

  it('a deleted user disappears for everyone, and administrators cannot delete themselves', async () => {
    const [oliver, other] = await Promise.all([
      environment.createUser('Oliver', 'member'),
      environment.createUser('Noor', 'admin'),
    ]);
    const [maya, noor] = await Promise.all([
      openUserManagement(environment.admin, oliver.name),
      openUserManagement(other, oliver.name),
    ]);
    await rowOf(noor, oliver.name).waitFor();
    await actOn(maya, oliver.name, 'Delete');
    const confirmation = maya.page.getByRole('alertdialog', { name: 'Delete User' });
    await confirmation.getByText(oliver.name).waitFor();
    await confirmation.getByRole('button', { name: 'Delete User' }).click();
    await toast(maya.page, 'User deleted successfully');
    await rowOf(noor, oliver.name).waitFor({ state: 'detached' });
    await maya.page.goto(`${maya.base}${search(environment.admin.name)}`);
    await actOn(maya, environment.admin.name, 'Delete');
    await confirmation.getByRole('button', { name: 'Delete User' }).click();
    await confirmation.getByText('You cannot delete yourself').waitFor();
    await confirmation.getByRole('button', { name: 'Cancel' }).click();
  });

  it('a row keeps its position under the pointer when a new one is inserted before it', async () => {
    const { last } = await createFamily({ Noor: 'member' });
    const maya = await openUserManagement(environment.admin, last);
    const row = rowOf(maya, `Noor ${last}`);
    await row.hover();
    const before = await row.boundingBox();
    const body = { email: `ada.${last}@example.org`, firstName: 'Ada', lastName: last, role: 'member' };
    const { user } = await expectStatus(environment.admin.call<{ user: string }>('POST', '/auth/invite', body), 201);
    await rowOf(maya, `Ada ${last}`).waitFor();
    expect((await row.boundingBox())?.y).toBe(before?.y);
    await maya.page.mouse.move(0, 0);
    await maya.page
      .getByRole('row')
      .nth(1)
      .filter({ hasText: `Ada ${last}` })
      .waitFor();
    await expectStatus(environment.admin.call('DELETE', `/users/${user}`), 204);
    await rowOf(maya, `Ada ${last}`).waitFor({ state: 'detached' });
  });

  it('filters are in the URL, and Back and Forward restore them', async () => {
    const { last } = await createFamily({ Nora: 'admin', Noor: 'admin', Lena: 'member' });
    const maya = await openUserManagement(environment.admin, last);
    const { page } = maya;
    const filters = page.getByRole('search');
    await rowOf(maya, `Lena ${last}`).waitFor();
    await choose(filters, page, 'Role', 'Admin');
    await rowOf(maya, `Lena ${last}`).waitFor({ state: 'detached' });
    await page.getByText('1–2 of 2').waitFor();
    await page.getByText('Page 1 of 1').waitFor();
    await choose(filters, page, 'Status', 'Inactive');
    await page.getByText('No users found').waitFor();
    await page.goBack();
    await rowOf(maya, `Noor ${last}`).waitFor();
    await page.goForward();
    await page.getByText('No users found').waitFor();
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await page.getByRole('table', { name: 'Users' }).waitFor();
    expect(new URL(page.url()).search).toBe('');
    const header = page.getByRole('columnheader', { name: 'Last sign-in' });
    for (const direction of ['ascending', 'descending']) {
      await header.getByRole('button').click();
      await page.locator(`th[aria-sort=${direction}]`).filter({ hasText: 'Last sign-in' }).waitFor();
    }
    expect(new URL(page.url()).search).toBe('?sort=lastLogin&order=desc');
    await page.goBack();
    await page.locator('th[aria-sort=ascending]').filter({ hasText: 'Last sign-in' }).waitFor();
    // On a phone, one button shows the filters, including the order that column headings set elsewhere.
    await page.setViewportSize({ width: 390, height: 844 });
    const role = filters.getByRole('button', { name: /Role/ });
    expect(await role.count()).toBe(0);
    await filters.getByRole('button', { name: 'Filters' }).click();
    await role.waitFor();
    await filters.getByRole('button', { name: /By last sign-in/ }).waitFor();
  });
});

describe('departments', () => {
  async function createDepartment(): Promise<{ _id: string; name: string }> {
    const name = `Care ${environment.uniqueWord()}`;
    const { _id } = await expectStatus(environment.admin.call<{ _id: string }>('POST', '/departments', { name }), 201);
    return { _id, name };
  }

  it('a department is created with a unique name, and an error explains a rejected name', async () => {
    const other = await environment.createUser('Noor', 'admin');
    const [maya, noor] = await Promise.all([
      environment.openPage(environment.admin, '/departments'),
      environment.openPage(other, '/departments'),
    ]);
    await departmentCard(noor, 'Engineering').waitFor();
    await maya.page.getByRole('button', { name: 'Add Department' }).click();
    const form = dialog(maya, 'Manage Departments');
    const save = form.getByRole('button', { name: 'Add Department' });
    await save.click();
    await form.getByText('Department name is required').waitFor();
    await form.getByLabel('Department name').fill(' engineering ');
    await save.click();
    await form.getByText('A department with this name already exists').waitFor();
    const name = `Customer Care ${environment.uniqueWord()}`;
    await form.getByLabel('Department name').fill(name);
    await save.click();
    await toast(maya.page, 'Department created successfully');
    await departmentCard(noor, name).getByText('0 employees').waitFor();
  });

  it('a department is renamed, and a concurrent rename is shown instead of overwritten', async () => {
    const [{ name }, other] = await Promise.all([createDepartment(), environment.createUser('Noor', 'admin')]);
    const [maya, noor] = await Promise.all([
      environment.openPage(environment.admin, '/departments'),
      environment.openPage(other, '/departments'),
    ]);
    const mayasName = `${name} Support`;
    const noorsName = `${name} Success`;
    const mine = await openDepartment(maya, name);
    await mine.getByLabel('Department name').fill(mayasName);
    const theirs = await openDepartment(noor, name);
    await theirs.getByLabel('Department name').fill(noorsName);
    await theirs.getByRole('button', { name: 'Save Changes' }).click();
    await toast(noor.page, 'Department updated successfully');
    await mine.getByRole('button', { name: 'Save Changes' }).click();
    await mine.getByRole('row', { name: `Name ${mayasName} ${noorsName}` }).waitFor();
    await mine.getByRole('button', { name: 'Take theirs' }).click();
    expect(await mine.getByLabel('Department name').inputValue()).toBe(noorsName);
    await mine.getByRole('button', { name: 'Cancel' }).click();
    await departmentCard(maya, noorsName).waitFor();
  });

  it('a department with employees is deactivated and reactivated, and an empty one is deleted', async () => {
    const [{ _id, name }, user, other] = await Promise.all([
      createDepartment(),
      environment.createUser('Lena', 'member'),
      environment.createUser('Noor', 'admin'),
    ]);
    const [maya, noor] = await Promise.all([
      environment.openPage(environment.admin, '/departments'),
      environment.openPage(other, '/departments'),
    ]);
    const card = departmentCard(maya, name);
    await departmentCard(noor, name).waitFor();
    await expectStatus(environment.admin.call('PATCH', `/users/${user.id}`, { department: _id }), 200);
    await card.getByText('1 employee').waitFor();
    await card.getByRole('button', { name: `Deactivate ${name}` }).click();
    const warning = maya.page.getByRole('alertdialog', { name: 'Deactivate Department' });
    await warning.getByText(/has 1 employee, so it will be marked inactive instead of deleted/).waitFor();
    await warning.getByRole('button', { name: 'Deactivate', exact: true }).click();
    await toast(maya.page, 'Department deactivated successfully');
    await departmentCard(noor, name).getByText('Inactive').waitFor();
    await card.getByRole('button', { name: `Reactivate ${name}` }).click();
    await card.getByText('Active', { exact: true }).waitFor();
    await expectStatus(environment.admin.call('PATCH', `/users/${user.id}`, { department: null }), 200);
    await card.getByRole('button', { name: `Delete ${name}` }).click();
    await maya.page
      .getByRole('alertdialog', { name: 'Delete Department' })
      .getByRole('button', { name: 'Delete' })
      .click();
    await toast(maya.page, 'Department deleted successfully');
    await departmentCard(noor, name).waitFor({ state: 'detached' });
  });

  it('the screen is read-only for members', async () => {
    const lena = await environment.openPage(await environment.createUser('Lena', 'member'), '/departments');
    const { page } = lena;
    await departmentCard(lena, 'Engineering').waitFor();
    expect(await page.getByRole('navigation').getByRole('link', { name: 'Departments' }).count()).toBe(0);
    expect(await page.getByRole('button', { name: /Add|Edit|Delete|Deactivate/ }).count()).toBe(0);
  });
});

describe('the team', () => {
  it('toggles a department by its tile, and Back and Forward restore the selection', async () => {
    const department = `Product ${environment.uniqueWord()}`;
    const { _id } = await expectStatus(
      environment.admin.call<{ _id: string }>('POST', '/departments', { name: department }),
      201,
    );
    const [mara, lenaClient] = await Promise.all([
      environment.createUser('Mara', 'member'),
      environment.createUser('Lena', 'member'),
    ]);
    const fields = { department: _id, bio: `Runs the place of ${department}` };
    await expectStatus(environment.admin.call('PATCH', `/users/${mara.id}`, fields), 200);
    const lena = await environment.openPage(lenaClient, '/team');
    const { page } = lena;
    const tile = page.getByRole('button', { name: `1 ${department}` });
    await member(lena, mara.name).getByText(fields.bio).waitFor();
    await member(lena, lenaClient.name).getByText('Online').first().waitFor();
    await tile.click();
    await member(lena, lenaClient.name).waitFor({ state: 'detached' });
    expect(await tile.getAttribute('aria-pressed')).toBe('true');
    await page.getByRole('button', { name: `${department} Department` }).waitFor();
    await page.goBack();
    await member(lena, lenaClient.name).waitFor();
    await page.goForward();
    await member(lena, lenaClient.name).waitFor({ state: 'detached' });
    await tile.click();
    await member(lena, lenaClient.name).waitFor();
    // Users without a department have a separate tile, and the current navigation entry is marked.
    const noDepartmentTile = page.getByRole('button', { name: /^\d+ No department$/ });
    await noDepartmentTile.click();
    await member(lena, mara.name).waitFor({ state: 'detached' });
    await member(lena, lenaClient.name).waitFor();
    await noDepartmentTile.click();
    const dashboard = page.getByRole('navigation').getByRole('link', { name: 'Dashboard', exact: true });
    expect(await dashboard.getAttribute('aria-current')).toBe('true');
    await page.getByRole('searchbox', { name: 'Search team members' }).fill('nobody at all');
    await page.getByText('No team members found').waitFor();
    await page.getByRole('button', { name: 'Show everyone' }).click();
    await member(lena, lenaClient.name).waitFor();
    expect(await page.getByRole('button', { name: 'Invite Member' }).count()).toBe(0);
    expect(
      await member(lena, lenaClient.name)
        .getByRole('link', { name: /^Message/ })
        .count(),
    ).toBe(0);
    await member(lena, mara.name)
      .getByRole('link', { name: `Message ${mara.name}` })
      .click();
    await page.waitForURL(/\/chat\?c=[0-9a-f]{24}$/);
    await page.getByRole('heading', { name: mara.name, exact: true }).waitFor();
    // The URL with the user does not stay in the history: Back leads to the team.
    await page.goBack();
    await page.getByRole('heading', { name: 'Team Members', level: 1 }).waitFor();
  });

  it('shows who is online and who has left', async () => {
    const other = await environment.createUser('Noor', 'admin');
    const [maya, noor] = await Promise.all([
      environment.openPage(environment.admin, '/team'),
      environment.openPage(other),
    ]);
    await maya.page.getByRole('button', { name: 'Invite Member' }).waitFor();
    await member(maya, other.name).getByText('online', { exact: true }).waitFor();
    await noor.page.goto('about:blank');
    await member(maya, other.name).getByText('offline', { exact: true }).waitFor();
  });

  it('pages through more than a hundred users', async () => {
    const maya = await environment.openPage(environment.admin, '/team');
    await member(maya, environment.admin.name).waitFor();
    const lastName = environment.uniqueWord();
    const count = async () =>
      (await expectStatus(environment.admin.call<{ total: number }>('GET', '/users?limit=1'), 200)).total;
    const before = await count();
    const invite = (index: number) => {
      const body = { email: `${lastName}${index}@example.org`, firstName: `Guest${index}`, lastName: lastName };
      return expectStatus(environment.admin.call('POST', '/auth/invite', { ...body, role: 'member' }), 201);
    };
    // In batches, because a busy machine would otherwise shed load.
    for (let first = 0; first < 100; first += 10)
      await Promise.all(Array.from({ length: 10 }, (_, index) => invite(first + index)));
    const total = before + 100;
    await waitFor(async () => (await count()) === total, { description: 'all invited users to be in the list' });
    const pages = Math.ceil(total / 100);
    await maya.page.getByText(`Showing page 1 of ${pages} (${total} total items)`).waitFor();
    await maya.page.getByRole('button', { name: `Page ${pages}` }).click();
    // Her last name comes after all others.
    await member(maya, environment.admin.name).waitFor();
    expect(await maya.page.getByRole('article').count()).toBe(total - (pages - 1) * 100);
  });

  it('offers Retry while users cannot be loaded, on the team page and in User Management', async () => {
    environment.expectErrors(/status of 50[0-9]/, /WebSocket/);
    const lenaClient = await environment.createUser('Lena', 'member');
    const [lena, maya] = await Promise.all([
      environment.openPage(lenaClient),
      environment.openPage(environment.admin, '/team'),
    ]);
    const openTeamPage = lena.page.getByRole('link', { name: /Team Members/ });
    await openTeamPage.waitFor();
    await maya.page.getByRole('article').first().waitFor();
    const failureCounts = [countFailures(lena.page, '/api/users?'), countFailures(maya.page, '/api/users?')];
    await environment.system.stopService('users');
    const retry = maya.page.getByRole('button', { name: 'Retry Users' });
    try {
      await openTeamPage.click();
      await lena.page.getByText('Failed to load team members').waitFor({ timeout: 20_000 });
      await maya.page.getByRole('link', { name: 'User Management' }).first().click();
      await retry.waitFor({ timeout: 20_000 });
      await maya.page.getByRole('button', { name: 'Retry Stats' }).waitFor();
      await maya.page.getByText('Failed to load user stats').waitFor();
      // The app retries once automatically; after that the user has to.
      await waitFor(async () => failureCounts.every((count) => count() >= 2), {
        description: 'the app to have tried twice',
      });
    } finally {
      await environment.system.restart('users');
    }
    await retry.click();
    await maya.page.getByRole('table', { name: 'Users' }).waitFor();
    await lena.page.getByRole('button', { name: 'Retry' }).click();
    await lena.page.getByRole('article').first().waitFor();
  });
});

describe('the last administrator', () => {
  it('cannot be demoted, deactivated, or deleted by anyone', async () => {
    const noor = await environment.createUser('Noor', 'admin');
    type Admins = { data: { _id: string }[] };
    const { data } = await expectStatus(
      environment.admin.call<Admins>('GET', '/users?role=admin&status=active&limit=100'),
      200,
    );
    const others = data.filter(({ _id }) => _id !== environment.admin.id && _id !== noor.id);
    for (const { _id } of others)
      await expectStatus(environment.admin.call('PATCH', `/users/${_id}`, { role: 'member' }), 200);
    const maya = await openUserManagement(environment.admin, noor.name);
    const other = await openEdit(maya, noor.name);
    await choose(other, maya.page, 'Role', 'Member');
    await other.getByRole('button', { name: 'Save Changes' }).click();
    await other.waitFor({ state: 'detached' });
    await maya.page.goto(`${maya.base}${search(environment.admin.name)}`);
    const ownForm = await openEdit(maya, environment.admin.name);
    await choose(ownForm, maya.page, 'Role', 'Member');
    await ownForm.getByRole('button', { name: 'Save Changes' }).click();
    await ownForm.getByText('The last active administrator cannot be demoted or deactivated').waitFor();
  });
});

const rowOf = ({ page }: BrowserUser, name: string): Locator => page.getByRole('row').filter({ hasText: name });
const invitationOf = ({ page }: BrowserUser, name: string): Locator =>
  page.getByRole('listitem', { name: `Invitation for ${name}` });
const departmentCard = ({ page }: BrowserUser, name: string): Locator =>
  page.getByRole('article', { name, exact: true });
const member = departmentCard;

async function actOn(user: BrowserUser, name: string, action: string): Promise<void> {
  await user.page.getByRole('button', { name: `Actions for ${name}` }).click();
  await user.page.getByRole('menuitem', { name: action }).click();
}

async function openEdit(user: BrowserUser, name: string): Promise<Locator> {
  await actOn(user, name, 'Edit');
  return dialog(user, 'Edit User');
}

async function openDepartment(user: BrowserUser, name: string): Promise<Locator> {
  await user.page.getByRole('button', { name: `Edit ${name}` }).click();
  return dialog(user, 'Manage Departments');
}

const post = (path: string, body: unknown) =>
  send(`${environment.system.url}/api${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
