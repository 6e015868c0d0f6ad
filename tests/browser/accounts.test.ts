import { createFaultyProxy } from '@atrium/test-kit/faulty-proxy';
import { waitFor } from '@atrium/test-kit/wait-for';
import { describe, expect, it } from '@jest/globals';
import pg from 'pg';
import type { Page } from 'playwright-core';
import { type Client, expectStatus, PASSWORD } from '../workspace/workspace.ts';
import { type BrowserUser, choose, toast } from './browser-user.ts';
import { captureThemesAndSizes } from './capture-screenshots.ts';
import { findLink, waitForEmail } from './mailbox.ts';
import { setUpTestEnvironment } from './test-environment.ts';

const NEW_PASSWORD = 'Better#Day2';
/** Every process rejects an ended session immediately, long before the access token expires. */
const ENDED_MS = 30_000;
const BANNER = 'Server is currently unavailable. Some features may not work properly.';

const environment = setUpTestEnvironment();

async function signIn({ page, base }: BrowserUser, email: string, password: string): Promise<void> {
  await page.goto(`${base}/login`);
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign In' }).click();
  await page.getByRole('heading', { name: 'Team Dashboard' }).waitFor();
}

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
const waitForText = (page: Page, text: string) => page.getByText(text, { exact: true }).first().waitFor();

async function invite(first: string): Promise<string> {
  const body = { email: `${first}@example.org`, firstName: first, lastName: 'Example', role: 'member' };
  const { inviteUrl } = await expectStatus(
    environment.admin.call<{ inviteUrl: string }>('POST', '/auth/invite', body),
    201,
  );
  return inviteUrl;
}

/** Makes all open invitations expire. */
async function expireInvitations(): Promise<void> {
  const url = new URL(environment.system.backing.addresses.postgres?.url ?? '');
  url.pathname = '/atrium_auth';
  const client = new pg.Client({ connectionString: url.href });
  await client.connect();
  await client.query("update invitations set expires_at = now() - interval '1 minute'");
  await client.end();
}

/** Requests a password reset and returns the link in its email. */
async function requestResetLink({ email, call }: Client): Promise<string> {
  await expectStatus(call('POST', '/auth/forgot-password', { email }), 202);
  return findLink(
    await waitForEmail(environment.system.mailboxUrl ?? '', email, /Reset your .* password/),
    '/reset-password',
  );
}

async function setPassword(page: Page, password: string): Promise<void> {
  await page.getByLabel('New password', { exact: true }).fill(password);
  await page.getByLabel('Confirm new password', { exact: true }).fill(password);
  await press(page, 'Set New Password');
}

describe('password reset', () => {
  it('the request form shows the same text for known and unknown addresses', async () => {
    const lena = await environment.createUser('Lena', 'member');
    const { page } = await environment.openGuestPage('/login');
    for (const email of ['nobody@example.org', lena.email]) {
      await page.getByLabel('Email').fill(email);
      if (page.url().endsWith('/login')) await page.getByRole('link', { name: 'Forgot your password?' }).click();
      await page.getByRole('heading', { name: 'Forgot your password?' }).waitFor();
      expect(await page.getByLabel('Email').inputValue()).toBe(email);
      await press(page, 'Send Reset Link');
      await waitForText(page, 'Check your inbox');
      const text = `If ${email} has an account, a link is on its way to it. It works once, within an hour.`;
      expect(await page.getByRole('status').filter({ hasText: 'has an account' }).textContent()).toBe(text);
      await press(page, 'Try another address');
    }
    const mail = await waitForEmail(environment.system.mailboxUrl ?? '', lena.email, /Reset your .* password/);
    expect(new URL(findLink(mail, '/reset-password')).searchParams.get('token')).toBeTruthy();
  });

  it('the emailed link sets a new password, signs in here, and signs out all other sessions', async () => {
    const lena = await environment.createUser('Lena', 'member');
    const phone = await environment.openPage(lena);
    await phone.page.getByRole('heading', { name: 'Team Dashboard' }).waitFor();
    const { page } = await environment.openGuestPage();
    await page.goto(await requestResetLink(lena));
    await page.getByLabel('New password', { exact: true }).fill('Better');
    expect(await page.getByRole('meter').getAttribute('aria-valuetext')).toBe('2 of 5 requirements met');
    await page.getByLabel('Confirm new password', { exact: true }).fill('Other');
    await press(page, 'Set New Password');
    await waitForText(page, 'Password must be at least 8 characters long');
    await page.getByLabel('New password', { exact: true }).fill(NEW_PASSWORD);
    await press(page, 'Set New Password');
    await waitForText(page, 'Passwords do not match');
    await page.getByLabel('Confirm new password', { exact: true }).fill(NEW_PASSWORD);
    await press(page, 'Set New Password');
    await page.getByRole('heading', { name: 'Team Dashboard' }).waitFor();
    await phone.page.waitForURL('**/login', { timeout: ENDED_MS });
    await signIn(phone, lena.email, NEW_PASSWORD);
  });

  it('a used link is rejected, and so is a missing token', async () => {
    const lena = await environment.createUser('Lena', 'member');
    const link = await requestResetLink(lena);
    const first = await environment.openGuestPage();
    await first.page.goto(link);
    await setPassword(first.page, NEW_PASSWORD);
    await first.page.getByRole('heading', { name: 'Team Dashboard' }).waitFor();
    const { page } = await environment.openGuestPage();
    await page.goto(link);
    // Repeating the same password would sign in, because the first response may have been lost.
    await setPassword(page, `${NEW_PASSWORD}!`);
    await page.getByRole('heading', { name: 'This link is invalid' }).waitFor();
    await page.goto(`${environment.system.url}/reset-password`);
    await page.getByRole('heading', { name: 'This link is invalid' }).waitFor();
    await page.getByRole('link', { name: 'Request a new link' }).click();
    await page.getByRole('heading', { name: 'Forgot your password?' }).waitFor();
  });
});

describe('accepting an invitation', () => {
  async function accept(page: Page, link: string): Promise<void> {
    await page.goto(link);
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await page.getByLabel('Confirm password', { exact: true }).fill(PASSWORD);
    await press(page, 'Accept Invitation & Join Team');
  }

  it('shows an error without a token, and leads to sign-in after three seconds', async () => {
    // Measured from before the page shows anything, because a busy browser reports it late.
    const startedAt = performance.now();
    const { page } = await environment.openGuestPage('/accept-invite');
    await page.getByRole('heading', { name: 'Invalid Invitation' }).waitFor();
    await waitForText(page, 'Invalid Invite');
    await waitForText(page, 'No invitation token found. Please check your invitation link.');
    await page.waitForURL('**/login');
    expect(performance.now() - startedAt).toBeGreaterThan(3_000);
  });

  it('shows separate errors for an unknown and an expired invitation', async () => {
    const { page } = await environment.openGuestPage();
    await accept(page, `${environment.system.url}/accept-invite?token=nobody-made-this`);
    await waitForText(page, 'Invalid invitation token. Please check your invitation link.');
    const link = await invite('omar');
    await expireInvitations();
    await accept(page, link);
    await waitForText(page, 'This invitation has expired. Please contact your administrator for a new invite.');
    expect(await page.getByLabel('Password', { exact: true }).inputValue()).toBe(PASSWORD);
  });

  it('toggles password visibility, activates the account, and leads to the dashboard after 1.5 seconds', async () => {
    const link = await invite('ines');
    const { page } = await environment.openGuestPage();
    await page.goto(link);
    const password = page.getByLabel('Password', { exact: true });
    await password.fill(PASSWORD);
    await page.getByRole('button', { name: 'Show password' }).first().click();
    expect(await password.getAttribute('type')).toBe('text');
    await press(page, 'Hide password');
    expect(await password.getAttribute('type')).toBe('password');
    await accept(page, link);
    await waitForText(page, 'Your account has been activated. Welcome to the team, ines!');
    const welcomedAt = performance.now();
    await page.getByRole('heading', { name: 'Team Dashboard' }).waitFor();
    expect(performance.now() - welcomedAt).toBeGreaterThan(1_000);
  });
});

describe('Account Settings', () => {
  it('opens from the account menu, and the email address is read-only', async () => {
    const lena = await environment.createUser('Lena', 'member');
    const { page } = await environment.openPage(lena);
    await page.getByRole('button', { name: /, account/ }).click();
    await page.getByRole('menuitem', { name: 'Account Settings' }).click();
    await page.getByRole('heading', { name: 'Account Settings' }).waitFor();
    const sections = page.getByRole('navigation', { name: 'Settings sections' }).getByRole('link');
    const targets = await sections.evaluateAll((links) =>
      links.map((link) => document.querySelector((link as HTMLAnchorElement).hash)?.querySelector('h2')?.textContent),
    );
    expect(targets).toEqual(await sections.allTextContents());
    await sections.last().click();
    await page.getByRole('region', { name: 'Active sessions' }).getByRole('heading').waitFor();
    await waitFor(() => page.evaluate(() => window.scrollY > 0), { description: 'the section to be scrolled to' });
    expect(await page.getByLabel('Email', { exact: true }).getAttribute('readonly')).not.toBeNull();
    await page.getByRole('button', { name: /Department/ }).click();
    const options = await page.getByRole('option').allTextContents();
    expect(options).toEqual(['Engineering', 'Design', 'Product', 'Marketing', 'Sales', 'HR', 'Finance']);
    await page.keyboard.press('Escape');
    await choose(page.locator('main'), page, 'Department', 'Marketing');
    await page.getByLabel('Phone').fill('0123');
    await press(page, 'Save Changes');
    await waitForText(page, 'Please enter a valid phone number');
    await page.getByLabel('Phone').fill('+4930123456');
    await press(page, 'Save Changes');
    await toast(page, 'Settings updated successfully');
    const savedProfile = await expectStatus(lena.call<object>('GET', '/users/profile'), 200);
    expect(savedProfile).toMatchObject({ phone: '+4930123456', department: { name: 'Marketing' } });
  });

  it('shows a newer save by an administrator next to unsaved changes, and overwrites only what was typed', async () => {
    const lena = await environment.createUser('Lena', 'member');
    const { page } = await environment.openPage(lena, '/settings');
    await page.getByLabel('Location').fill('Bremen');
    await expectStatus(environment.admin.call('PATCH', `/users/${lena.id}`, { location: 'Lisbon' }), 200);
    await press(page, 'Save Changes');
    const values = page.getByRole('row', { name: /^Location/ });
    expect(await values.textContent()).toBe('LocationBremenLisbon');
    await press(page, 'Keep mine');
    await press(page, 'Save Changes');
    await toast(page, 'Settings updated successfully');
    const savedProfile = await expectStatus(lena.call<object>('GET', '/users/profile'), 200);
    expect(savedProfile).toMatchObject({ location: 'Bremen' });
  });

  it('asks before changes are discarded by following a link, signing out, or going back', async () => {
    const { page } = await environment.openPage(await environment.createUser('Lena', 'member'));
    await page.getByRole('heading', { name: 'Team Dashboard' }).waitFor();
    await page.getByRole('button', { name: /, account/ }).click();
    await page.getByRole('menuitem', { name: 'Account Settings' }).click();
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
    await page.goto(`${environment.system.url}/settings`);
    expect(await page.getByLabel('Bio').inputValue()).toBe('');
  });

  it('keeps the navigation drawer of a small screen closed after a link in it was followed', async () => {
    const { page } = await environment.openPage(await environment.createUser('Lena', 'member'));
    const drawer = page.getByRole('dialog', { name: 'Navigation' });
    const openDrawer = () => page.getByRole('button', { name: 'More', exact: true }).click();
    await page.setViewportSize({ width: 360, height: 740 });
    await page.goto(`${environment.system.url}/team`);
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
  });

  it('lists the active sessions, marks the current one, and ends another immediately', async () => {
    const lenaClient = await environment.createUser('Lena', 'member');
    const lena = await environment.openPage(lenaClient, '/settings');
    const phone = await environment.openGuestPage();
    await signIn(phone, lenaClient.email, PASSWORD);
    await lena.page.reload();
    const sessions = lena.page.getByRole('list', { name: 'Active sessions' }).getByRole('listitem');
    await sessions.nth(1).waitFor();
    expect(await sessions.filter({ hasText: 'This device' }).count()).toBe(1);
    const other = sessions.filter({ hasNotText: 'This device' }).first();
    await other.getByRole('button', { name: /Sign out/ }).click();
    await lena.page.getByRole('alertdialog').getByRole('button', { name: 'Sign Out' }).click();
    await phone.page.waitForURL('**/login', { timeout: ENDED_MS });
    await sessions.nth(1).waitFor({ state: 'detached' });
  });

  it('opens at the notifications by address, and saves channels, quiet hours, and a pause', async () => {
    const lena = await environment.createUser('Lena', 'member');
    const user = await environment.openPage(lena, '/settings#notifications');
    const { page } = user;
    const panel = page.locator('#notifications');
    await panel.getByRole('region', { name: 'Tasks' }).waitFor();
    const top = () => panel.evaluate((section) => section.getBoundingClientRect().top);
    await waitFor(async () => Math.abs(await top()) < 200, { description: 'the section to be scrolled to' });
    await panel.getByRole('checkbox', { name: 'In Atrium: Tasks assigned to you' }).press('Space');
    await choose(panel, page, 'Email: Meeting reminders', 'In a digest');
    await panel.getByText('Quiet hours', { exact: true }).click();
    await press(page, 'Add time');
    for (const width of [360, 1_600]) {
      await page.setViewportSize({ width, height: 900 });
      await panel.evaluate((section) => section.scrollIntoView());
      await captureThemesAndSizes(user, 'notification-settings', [width]);
      await panel
        .getByRole('button', { name: 'Save Notifications' })
        .evaluate((button) => button.scrollIntoView(false));
      await captureThemesAndSizes(user, 'notification-settings-times', [width]);
      expect(await page.evaluate(() => document.documentElement.scrollWidth > innerWidth)).toBe(false);
    }
    await press(page, 'Save Notifications');
    await toast(page, 'Notification settings saved');
    await press(page, 'Pause');
    await page.getByRole('menuitem', { name: 'For 1 hour' }).click();
    await panel.getByText(/^Paused until/).waitFor();
    expect(await expectStatus(lena.call<object>('GET', '/users/profile/notices'), 200)).toMatchObject({
      channels: {
        task_assigned: { app: false, push: true, email: 'immediate' },
        meeting_reminder: { app: true, push: true, email: 'digest' },
      },
      digestTimes: ['08:00', '12:00'],
      quietHours: { start: '22:00', end: '07:00' },
      pausedUntil: expect.any(String),
    });
    await press(page, 'Resume');
    await panel.getByText('Pause notifications', { exact: true }).waitFor();
  });

  it('shows a wrong current password next to its field, changes the password, and stays signed in', async () => {
    const lena = await environment.createUser('Lena', 'member');
    const { page } = await environment.openPage(lena, '/settings');
    await page.getByLabel('Current password').fill('Wrong#Day9');
    await page.getByLabel('New password', { exact: true }).fill(NEW_PASSWORD);
    await page.getByLabel('Confirm new password').fill(NEW_PASSWORD);
    await press(page, 'Change Password');
    await waitForText(page, 'Current password is incorrect');
    await page.getByLabel('Current password').fill(PASSWORD);
    await press(page, 'Change Password');
    await toast(page, 'Password changed');
    await page.reload();
    await page.getByRole('heading', { name: 'Account Settings' }).waitFor();
  });
});

describe('search and shortcuts', () => {
  it('Ctrl+K finds a user and opens a conversation by keyboard alone; ? shows the shortcuts', async () => {
    const { page } = await environment.openPage(await environment.createUser('Lena', 'member'));
    await page.getByRole('heading', { name: 'Team Dashboard' }).waitFor();
    await page.locator('body').press('?');
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Search everything' }).fill('Maya');
    await page
      .getByRole('option', { name: /Maya Okafor/ })
      .first()
      .waitFor();
    await page.keyboard.press('Enter');
    // Enter on a user opens the conversation with them.
    await page.waitForURL(/\/chat\?c=[0-9a-f]{24}$/);
    await page.getByRole('heading', { name: /^Maya Okafor/ }).waitFor();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  });
});

describe('an unavailable server', () => {
  it('is retried four times over six seconds before the banner appears; Retry removes the banner after the recovery', async () => {
    environment.expectErrors(/net::ERR/, /WebSocket/);
    const proxy = await createFaultyProxy(environment.system.url);
    try {
      const { page } = await environment.openGuestPage();
      const { email } = await environment.createUser('Lena', 'member');
      await signIn({ name: 'Lena', email, base: proxy.url, context: page.context(), page }, email, PASSWORD);
      proxy.cut();
      const cutAt = performance.now();
      await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
      await waitForText(page, BANNER);
      expect(performance.now() - cutAt).toBeGreaterThan(6_000);
      proxy.restore();
      // On a slow machine, the dashboard's lists may also show a Retry button.
      await page.getByRole('alert').filter({ hasText: BANNER }).getByRole('button', { name: 'Retry' }).click();
      await page.getByText(BANNER).waitFor({ state: 'detached' });
    } finally {
      await proxy.close();
    }
  });
});
