import { type System, startSystem } from '@atrium/local/system/start-system';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import pg from 'pg';
import type { Browser, Page } from 'playwright-core';
import { type Client, demand, join, PASSWORD, setUp } from '../flows/workspace.ts';
import { launchChromium } from './chromium.ts';
import { type CuttableLine, layLine } from './cuttable-line.ts';
import { linkIn, mailTo } from './mailbox.ts';
import { choose, type Person, sitDown, toast } from './person.ts';

const NEW_PASSWORD = 'Better#Day2';
/** Within which every process refuses an ended session (decisions, section 2). */
const ENDED_MS = 5_000;
const BANNER = 'Server is currently unavailable. Some features may not work properly.';

jest.setTimeout(60_000);

let system: System;
let browser: Browser;
let line: CuttableLine;
let admin: Client;
let lena: Person;
let phone: Person;

beforeAll(async () => {
  [system, browser] = await Promise.all([startSystem(), launchChromium()]);
  line = await layLine(system.url);
  admin = await setUp(system.url);
  await join(system.url, admin, { first: 'Lena', role: 'member' });
  lena = await sitDown(browser, { name: 'Lena Example', email: 'lena@example.org', base: system.url });
  phone = await sitDown(browser, { name: 'Lena Example', email: 'lena@example.org', base: line.url });
}, 120_000);

afterAll(async () => {
  await browser?.close();
  await line?.close();
  await system?.stop();
}, 60_000);

async function signIn({ page, base, email }: Person, password: string): Promise<void> {
  await page.goto(`${base}/login`);
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign In' }).click();
  await page.getByRole('heading', { name: 'Team Dashboard' }).waitFor();
}

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
const said = (page: Page, words: string) => page.getByText(words, { exact: true }).first().waitFor();

async function invite(first: string): Promise<string> {
  const body = { email: `${first}@example.org`, firstName: first, lastName: 'Example', role: 'member' };
  const { inviteUrl } = await demand(admin.call<{ inviteUrl: string }>('POST', '/auth/invite', body), 201);
  return inviteUrl;
}

/** Lets a week pass for the invitations that wait. */
async function letInvitationsExpire(): Promise<void> {
  const url = new URL(system.backing.addresses.postgres?.url ?? '');
  url.pathname = '/atrium_auth';
  const client = new pg.Client({ connectionString: url.href });
  await client.connect();
  await client.query("update invitations set expires_at = now() - interval '1 minute'");
  await client.end();
}

describe('a forgotten password', () => {
  let link: string;

  it('is asked about in the same words whether the address is known or not', async () => {
    await signIn(phone, PASSWORD);
    const { page } = lena;
    await page.goto(`${system.url}/login`);
    for (const email of ['nobody@example.org', lena.email]) {
      await page.getByLabel('Email').fill(email);
      if (page.url().endsWith('/login')) await page.getByRole('link', { name: 'Forgot your password?' }).click();
      await page.getByRole('heading', { name: 'Forgot your password?' }).waitFor();
      expect(await page.getByLabel('Email').inputValue()).toBe(email);
      await press(page, 'Send Reset Link');
      await said(page, 'Check your inbox');
      const words = `If ${email} has an account, a link is on its way to it. It works once, within an hour.`;
      expect(await page.getByRole('status').filter({ hasText: 'has an account' }).textContent()).toBe(words);
      await press(page, 'Try another address');
    }
    link = linkIn(await mailTo(system.mailboxUrl ?? '', lena.email, /new password/i), '/reset-password');
  });

  it('is replaced by the link of the mail, which signs in here and out everywhere else', async () => {
    const { page } = lena;
    await page.goto(link);
    await page.getByLabel('New password', { exact: true }).fill('Better');
    expect(await page.getByRole('meter').getAttribute('aria-valuetext')).toBe('2 of 5 requirements met');
    await page.getByLabel('Confirm new password', { exact: true }).fill('Other');
    await press(page, 'Set New Password');
    await said(page, 'Password must be at least 8 characters long');
    await page.getByLabel('New password', { exact: true }).fill(NEW_PASSWORD);
    await press(page, 'Set New Password');
    await said(page, 'Passwords do not match');
    await page.getByLabel('Confirm new password', { exact: true }).fill(NEW_PASSWORD);
    await press(page, 'Set New Password');
    await page.getByRole('heading', { name: 'Team Dashboard' }).waitFor();
    await phone.page.waitForURL('**/login', { timeout: ENDED_MS });
  });

  it('is not replaced by the same link again, nor without one', async () => {
    const { page } = await sitDown(browser, lena);
    await page.goto(link);
    await page.getByLabel('New password', { exact: true }).fill(NEW_PASSWORD);
    await page.getByLabel('Confirm new password', { exact: true }).fill(NEW_PASSWORD);
    await press(page, 'Set New Password');
    await page.getByRole('heading', { name: 'This link is invalid' }).waitFor();
    await page.goto(`${system.url}/reset-password`);
    await page.getByRole('heading', { name: 'This link is invalid' }).waitFor();
    await page.getByRole('link', { name: 'Ask for a new link' }).click();
    await page.getByRole('heading', { name: 'Forgot your password?' }).waitFor();
    await page.context().close();
  });
});

describe('an invitation', () => {
  let page: Page;

  beforeAll(async () => {
    ({ page } = await sitDown(browser, { name: 'A guest', email: '', base: system.url }));
  });

  async function accept(link: string): Promise<void> {
    await page.goto(link);
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await page.getByLabel('Confirm password', { exact: true }).fill(PASSWORD);
    await press(page, 'Accept Invitation & Join Team');
  }

  it('without a token says so and leads to the sign-in after three seconds', async () => {
    await page.goto(`${system.url}/accept-invite`);
    await page.getByRole('heading', { name: 'Invalid Invitation' }).waitFor();
    const shownAt = performance.now();
    await said(page, 'Invalid Invite');
    await said(page, 'No invitation token found. Please check your invitation link.');
    await page.waitForURL('**/login');
    expect(performance.now() - shownAt).toBeGreaterThan(2_500);
  });

  it('that nobody made, and one of last week, each say what is wrong with them', async () => {
    await accept(`${system.url}/accept-invite?token=nobody-made-this`);
    await said(page, 'Invalid invitation token. Please check your invitation link.');
    const link = await invite('omar');
    await letInvitationsExpire();
    await accept(link);
    await said(page, 'This invitation has expired. Please contact your administrator for a new invite.');
    expect(await page.getByLabel('Password', { exact: true }).inputValue()).toBe(PASSWORD);
  });

  it('shows and hides what is typed, activates the account and leads to the dashboard after a second and a half', async () => {
    const link = await invite('ines');
    await page.goto(link);
    const password = page.getByLabel('Password', { exact: true });
    await password.fill(PASSWORD);
    await page.getByRole('button', { name: 'Show password' }).first().click();
    expect(await password.getAttribute('type')).toBe('text');
    await press(page, 'Hide password');
    expect(await password.getAttribute('type')).toBe('password');
    await accept(link);
    await said(page, 'Your account has been activated. Welcome to the team, ines!');
    const welcomedAt = performance.now();
    await page.getByRole('heading', { name: 'Team Dashboard' }).waitFor();
    expect(performance.now() - welcomedAt).toBeGreaterThan(1_000);
    await page.context().close();
  });
});

describe('Account Settings', () => {
  it('are reached by the account menu, and keep a profile whose e-mail is for reading only', async () => {
    const { page } = lena;
    await page.getByRole('button', { name: /, account/ }).click();
    await page.getByRole('menuitem', { name: 'Account Settings' }).click();
    await page.getByRole('heading', { name: 'Account Settings' }).waitFor();
    expect(await page.getByLabel('Email').getAttribute('readonly')).not.toBeNull();
    await page.getByRole('button', { name: /Department/ }).click();
    const offered = await page.getByRole('option').allTextContents();
    expect(offered).toEqual(['Engineering', 'Design', 'Product', 'Marketing', 'Sales', 'HR', 'Finance']);
    await page.keyboard.press('Escape');
    await choose(page.locator('main'), page, 'Department', 'Marketing');
    await page.getByLabel('Phone').fill('0123');
    await press(page, 'Save Changes');
    await said(page, 'Please enter a valid phone number');
    await page.getByLabel('Phone').fill('+4930123456');
    await press(page, 'Save Changes');
    await toast(page, 'Settings updated successfully');
    const { body } = await admin.call<{ data: object[] }>('GET', '/users?search=Lena');
    expect(body.data).toMatchObject([{ phone: '+4930123456', department: { name: 'Marketing' } }]);
  });

  it("show somebody else's newer save beside one's own, and overwrite neither unasked", async () => {
    const { page } = lena;
    await page.getByLabel('Location').fill('Bremen');
    const { body } = await admin.call<{ data: { _id: string }[] }>('GET', '/users?search=Lena');
    await demand(admin.call('PATCH', `/users/${body.data[0]?._id}`, { location: 'Lisbon' }), 200);
    await press(page, 'Save Changes');
    const values = page.getByRole('row', { name: /^Location/ });
    expect(await values.textContent()).toBe('LocationBremenLisbon');
    await press(page, 'Keep mine');
    await press(page, 'Save Changes');
    await toast(page, 'Settings updated successfully');
    const after = await admin.call<{ data: object[] }>('GET', '/users?search=Lena');
    expect(after.body.data).toMatchObject([{ location: 'Bremen' }]);
  });

  it('ask before what was typed is left behind, by a link, by logging out and by Back', async () => {
    const { page } = lena;
    await page.getByLabel('Bio').fill('Draws the maps.');
    await page.getByRole('link', { name: 'Back to Dashboard' }).click();
    await page.getByRole('alertdialog', { name: 'Discard changes?' }).waitFor();
    await press(page, 'Keep editing');
    await page.getByRole('button', { name: /, account/ }).click();
    await page.getByRole('menuitem', { name: 'Log out' }).click();
    await page.getByRole('alertdialog', { name: 'Discard changes?' }).waitFor();
    await press(page, 'Keep editing');
    expect(await page.getByLabel('Bio').inputValue()).toBe('Draws the maps.');
    await page.goBack();
    await page.getByRole('alertdialog', { name: 'Discard changes?' }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/settings');
    await page.getByRole('alertdialog').getByRole('button', { name: 'Discard changes' }).click();
    await page.getByRole('heading', { name: 'Team Dashboard' }).waitFor();
    await page.goto(`${system.url}/settings`);
    expect(await page.getByLabel('Bio').inputValue()).toBe('');
  });

  it('are gone to from the drawer of a small screen, which then stays closed', async () => {
    const { page } = lena;
    const drawer = page.getByRole('dialog', { name: 'Navigation' });
    const openDrawer = () => page.getByRole('button', { name: 'Open navigation' }).click();
    await page.setViewportSize({ width: 360, height: 740 });
    await page.goto(`${system.url}/team`);
    await openDrawer();
    await drawer.getByRole('link', { name: 'Meetings' }).click();
    await page.getByRole('heading', { name: 'Meetings', exact: true }).waitFor();
    await drawer.waitFor({ state: 'detached' });
    await openDrawer();
    await drawer.getByRole('link', { name: 'Meetings' }).click();
    await drawer.waitFor({ state: 'detached' });
    await page.goBack();
    await page.getByRole('heading', { name: 'Team Members', exact: true }).waitFor();
    expect(await drawer.count()).toBe(0);
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.goto(`${system.url}/settings`);
  });

  it('list where one is signed in, say which is this one, and sign another out at once', async () => {
    await signIn(phone, NEW_PASSWORD);
    const sessions = lena.page.getByRole('list', { name: 'Active sessions' }).getByRole('listitem');
    await sessions.nth(1).waitFor();
    expect(await sessions.filter({ hasText: 'This one' }).count()).toBe(1);
    const other = sessions.filter({ hasNotText: 'This one' }).first();
    await other.getByRole('button', { name: /Sign out/ }).click();
    await lena.page.getByRole('alertdialog').getByRole('button', { name: 'Sign Out' }).click();
    await phone.page.waitForURL('**/login', { timeout: ENDED_MS });
    await sessions.nth(1).waitFor({ state: 'detached' });
  });

  it('change the password, refusing a wrong one beside its field, and stay signed in', async () => {
    const { page } = lena;
    await page.getByLabel('Current password').fill('Wrong#Day9');
    await page.getByLabel('New password', { exact: true }).fill(PASSWORD);
    await page.getByLabel('Confirm new password').fill(PASSWORD);
    await press(page, 'Change Password');
    await said(page, 'Current password is incorrect');
    await page.getByLabel('Current password').fill(NEW_PASSWORD);
    await press(page, 'Change Password');
    await toast(page, 'Password changed');
    await page.reload();
    await page.getByRole('heading', { name: 'Account Settings' }).waitFor();
  });
});

describe('search and shortcuts', () => {
  it('find a person by Ctrl+K and go there by keyboard alone; ? shows what the keys do', async () => {
    const { page } = lena;
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: /Search people/ }).fill('Maya');
    await page
      .getByRole('option', { name: /Maya Okafor/ })
      .first()
      .waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Team Members', exact: true }).waitFor();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.locator('body').press('?');
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
    await page.keyboard.press('Escape');
  });
});

describe('a server that is away', () => {
  it('is tried four times over six seconds before the banner says so, which Retry takes away once it is back', async () => {
    await signIn(phone, PASSWORD);
    const { page } = phone;
    line.cut();
    const awayAt = performance.now();
    await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
    await said(page, BANNER);
    expect(performance.now() - awayAt).toBeGreaterThan(6_000);
    line.mend();
    await press(page, 'Retry');
    await page.getByText(BANNER).waitFor({ state: 'detached' });
  });
});
