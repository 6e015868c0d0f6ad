import { waitFor } from '@atrium/test-kit/wait-for';
import { describe, expect, it } from '@jest/globals';
import { type Client, PASSWORD, signInClient } from '../workspace/workspace.ts';
import { type BrowserUser, toast } from './browser-user.ts';
import { setUpTestEnvironment } from './test-environment.ts';

/** Every process rejects an ended session immediately, long before the access token expires. */
const ENDED_MS = 30_000;

const environment = setUpTestEnvironment();

const press = ({ page }: BrowserUser, name: string) => page.getByRole('button', { name, exact: true }).click();

/** Opens the dashboard in a separate browser. */
async function openDashboard(client: Client): Promise<BrowserUser> {
  const user = await environment.openPage(client);
  await user.page.getByRole('heading', { name: 'Team Dashboard' }).waitFor();
  return user;
}

/** Starts another session of the same user. */
const signInAgain = async ({ email }: Client) => signInClient(environment.system.url, email, PASSWORD);

async function waitUntilRejected({ call }: Client): Promise<void> {
  await waitFor(async () => (await call('GET', '/users/profile')).status === 401, {
    description: 'the tokens to be rejected',
    timeoutMs: ENDED_MS,
  });
}

async function signIn({ page }: BrowserUser, email: string): Promise<void> {
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign In' }).click();
}

describe('signing out everywhere', () => {
  it('in Account Settings leads to sign-in, and ends all sessions of only this user', async () => {
    const [lena, omar] = await Promise.all([
      environment.createUser('Lena', 'member'),
      environment.createUser('Omar', 'member'),
    ]);
    const other = await signInAgain(lena);
    const [laptop, phone, colleague] = await Promise.all([
      environment.openPage(lena, '/settings'),
      openDashboard(other),
      openDashboard(omar),
    ]);
    await press(laptop, 'Sign out everywhere');
    const confirmation = laptop.page.getByRole('alertdialog', { name: 'Sign out everywhere?' });
    await confirmation.getByRole('button', { name: 'Cancel' }).click();
    await confirmation.waitFor({ state: 'detached' });
    await press(laptop, 'Sign out everywhere');
    await confirmation.getByRole('button', { name: 'Sign Out Everywhere' }).click();
    await Promise.all(
      [laptop, phone].map(({ page }) => page.waitForURL((url) => url.pathname === '/login', { timeout: ENDED_MS })),
    );
    await phone.page.getByText('You signed out on all devices.').waitFor();
    await Promise.all([lena, other].map(waitUntilRejected));
    for (const { page } of [laptop, phone]) {
      await page.goto(`${environment.system.url}/team`);
      await page.getByRole('heading', { name: 'Welcome back' }).waitFor();
    }
    expect(new URL(colleague.page.url()).pathname).toBe('/');
    expect((await omar.call('GET', '/users/profile')).status).toBe(200);
    await signIn(laptop, lena.email);
    await laptop.page.getByRole('heading', { name: 'Team Members', exact: true }).waitFor();
  });

  it('as an administrator ends all sessions of another user, who can sign in again', async () => {
    const [lena, omar] = await Promise.all([
      environment.createUser('Lena', 'member'),
      environment.createUser('Omar', 'member'),
    ]);
    const other = await signInAgain(lena);
    const [maya, laptop, phone] = await Promise.all([
      environment.openPage(environment.admin, `/user-management?search=${lena.name}`),
      openDashboard(lena),
      openDashboard(other),
    ]);
    await press(maya, `Actions for ${lena.name}`);
    await maya.page.getByRole('menuitem', { name: 'Sign out everywhere' }).click();
    const confirmation = maya.page.getByRole('alertdialog', { name: 'Sign out everywhere?' });
    await confirmation
      .getByText(`${lena.name} will be signed out on every device immediately and can sign in again.`)
      .waitFor();
    await confirmation.getByRole('button', { name: 'Sign Out Everywhere' }).click();
    await toast(maya.page, `${lena.name} is signed out everywhere.`);
    await confirmation.waitFor({ state: 'detached' });
    await Promise.all(
      [laptop, phone].map(({ page }) => page.waitForURL((url) => url.pathname === '/login', { timeout: ENDED_MS })),
    );
    await laptop.page.getByText('An administrator signed you out.').waitFor();
    await Promise.all([lena, other].map(waitUntilRejected));
    expect((await omar.call('GET', '/users/profile')).status).toBe(200);
    await signIn(laptop, lena.email);
    await laptop.page.getByRole('heading', { name: 'Team Dashboard' }).waitFor();
    await maya.page.goto(`${environment.system.url}/user-management?search=${environment.admin.name}`);
    await press(maya, `Actions for ${environment.admin.name}`);
    await maya.page.getByRole('menuitem', { name: 'Edit' }).waitFor();
    expect(await maya.page.getByRole('menuitem', { name: 'Sign out everywhere' }).count()).toBe(0);
  });
});
