import { type System, startSystem } from '@atrium/test-kit/system/start-system';
import { waitFor } from '@atrium/test-kit/wait-for';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { createUser, expectStatus, PASSWORD, setUpWorkspace } from '../workspace/workspace.ts';
import { type BrowserUser, captureScreenshot, goTo, openUserPage } from './browser-user.ts';
import { launchChromium } from './chromium.ts';
import { checkBrowsers } from './test-environment.ts';

/** More departments than one page of the list shows, with each page longer than the window. */
const DEPARTMENTS = 70;

let system: System;
let browser: Browser;
let maya: BrowserUser;
let page: Page;
let lenaId: string;

beforeAll(async () => {
  [system, browser] = await Promise.all([
    startSystem({ env: { RATE_LIMIT_PER_USER: '10000', RATE_LIMIT_SIGN_IN: '10000' } }),
    launchChromium(),
  ]);
  const admin = await setUpWorkspace(system.url);
  ({ id: lenaId } = await createUser(system.url, admin, { first: 'Lena', role: 'member' }));
  for (let number = 1; number <= DEPARTMENTS; number += 1)
    await expectStatus(
      admin.call('POST', '/departments', { name: `Workshop ${String(number).padStart(2, '0')}` }),
      201,
    );
  maya = await openUserPage(browser, { name: 'Maya Okafor', email: 'maya@example.org', base: system.url });
  page = maya.page;
  await page.goto(`${system.url}/login`);
  await page.getByLabel('Email').fill(maya.email);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign In' }).click();
  await page.getByRole('navigation').first().waitFor();
});

afterAll(async () => {
  await browser?.close();
  await system?.stop();
});

checkBrowsers();

const getScrollTop = () => page.evaluate(() => window.scrollY);
const getAddress = () => page.evaluate(() => window.location.pathname + window.location.search);
const screen = (name: string) => page.getByRole('main', { name, exact: true });
const waitForFocus = (name: string) =>
  waitFor(() => screen(name).evaluate((main) => main === document.activeElement), {
    description: `${name} to have focus`,
  });
const details = () => page.getByRole('dialog', { name: 'User Details' });

async function openDetails(): Promise<void> {
  await page.getByRole('button', { name: 'Actions for Lena Example' }).click();
  await page.getByRole('menuitem', { name: 'View details' }).click();
  await details().waitFor();
}

beforeEach(async () => {
  await page.goto(`${system.url}/departments`);
  await page.getByRole('article', { name: 'Workshop 01' }).waitFor();
});

describe('navigating between screens', () => {
  it('scrolls to the top and focuses the new screen, and Back restores the scroll position', async () => {
    await page.evaluate(() => window.scrollTo(0, 900));
    await goTo(maya, 'Meetings');
    await waitForFocus('Meetings');
    expect(await getScrollTop()).toBe(0);
    await page.goBack();
    await waitForFocus('Departments');
    await waitFor(async () => (await getScrollTop()) === 900, { description: 'the previous scroll position' });
    await page.reload();
    await waitFor(async () => (await getScrollTop()) === 900, {
      description: 'the previous scroll position, after a reload',
    });
  });

  it('moves focus from the menu that was used to the new screen', async () => {
    await page.getByRole('button', { name: /account$/ }).click();
    await page.getByRole('menuitem', { name: 'Account Settings' }).click();
    await waitForFocus('Account Settings');
  });

  it('shows the next page of a list from its top, and keeps focus on the paging button', async () => {
    const next = page.getByRole('button', { name: 'Next page' });
    await next.focus();
    const before = await getScrollTop();
    await page.keyboard.press('Enter');
    await page.getByText(/Showing page 2 of 2/).waitFor();
    expect(await getScrollTop()).toBeLessThan(before);
    expect(await next.evaluate((button) => button === document.activeElement)).toBe(true);
    expect(await next.getAttribute('aria-disabled')).toBe('true');
    await page.goBack();
    await page.getByText(/Showing page 1 of 2/).waitFor();
  });
});

describe('an overlay in the URL', () => {
  it('closes with Back, and leaves no history entry when it is closed with Escape', async () => {
    await goTo(maya, 'User Management');
    await openDetails();
    expect(await getAddress()).toBe(`/user-management?user=${lenaId}`);
    await captureScreenshot(maya, 'navigation-user-details');
    await page.goBack();
    await details().waitFor({ state: 'detached' });
    expect(await getAddress()).toBe('/user-management');
    await openDetails();
    await page.keyboard.press('Escape');
    await details().waitFor({ state: 'detached' });
    await page.goBack();
    await waitForFocus('Departments');
  });

  it('opens from a link, and leaves its screen open when it is closed', async () => {
    await page.goto(`${system.url}/user-management?user=${lenaId}`);
    await details().waitFor();
    await page.keyboard.press('Escape');
    await details().waitFor({ state: 'detached' });
    expect(await getAddress()).toBe('/user-management');
    await page.goto(`${system.url}/user-management?user=65f0c0ffee00000000000000`);
    await page.getByText('This person no longer exists').waitFor();
  });

  it('asks for confirmation once before it discards changes, and then closes', async () => {
    await page.goto(`${system.url}/user-management?edit=${lenaId}`);
    const form = page.getByRole('dialog', { name: 'Edit User' });
    await form.getByLabel('Location').fill('Hamburg');
    await page.keyboard.press('Escape');
    await page.getByRole('alertdialog', { name: 'Discard changes?' }).getByText('Discard changes').last().click();
    await form.waitFor({ state: 'detached' });
    expect(await page.getByRole('alertdialog').count()).toBe(0);
    expect(await getAddress()).toBe('/user-management');
  });
});

describe('on a phone', () => {
  it('tabs at the bottom lead to the main screens and do not cover them', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    await goTo(maya, 'Chat');
    await waitForFocus('Team Chat');
    const tabs = page.getByRole('navigation', { name: 'Main' });
    const boxes = await Promise.all((await tabs.locator('a, button').all()).map((tab) => tab.boundingBox()));
    expect(boxes).toHaveLength(6);
    for (const box of boxes) expect(Math.min(box?.width ?? 0, box?.height ?? 0)).toBeGreaterThanOrEqual(44);
    const bar = await tabs.boundingBox();
    expect((bar?.y ?? 0) + (bar?.height ?? 0)).toBe(844);
    const main = await screen('Team Chat').boundingBox();
    expect((main?.y ?? 0) + (main?.height ?? 0)).toBeLessThanOrEqual(bar?.y ?? 0);
    expect(await tabs.getByRole('link', { name: /^Chat/ }).getAttribute('aria-current')).toBe('page');
    await tabs.getByRole('button', { name: 'More' }).click();
    await page.getByRole('dialog', { name: 'Navigation' }).getByRole('link', { name: 'Document Hub' }).click();
    await waitForFocus('Document Hub');
    await captureScreenshot(maya, 'navigation-tabs');
    await page.setViewportSize({ width: 1_280, height: 800 });
  });
});

describe('an overlay that is not in the URL', () => {
  it('closes with Back', async () => {
    await goTo(maya, 'Document Hub');
    await waitForFocus('Document Hub');
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog', { name: 'Search' }).waitFor();
    await page.goBack();
    await waitForFocus('Departments');
    expect(await page.getByRole('dialog').count()).toBe(0);
    await page.getByRole('button', { name: 'Next page' }).click();
    await page.getByText(/Showing page 2 of 2/).waitFor();
    await page.getByRole('button', { name: /account$/ }).click();
    await page.getByRole('menu', { name: 'Account' }).waitFor();
    await page.goBack();
    await page.getByText(/Showing page 1 of 2/).waitFor();
    await page.getByRole('menu', { name: 'Account' }).waitFor({ state: 'detached' });
  });
});

describe('printing', () => {
  it('shows the content of the screen in dark text, without the app shell', async () => {
    await page.evaluate(() => document.documentElement.setAttribute('data-theme', 'dark'));
    await page.emulateMedia({ media: 'print' });
    await page.getByText('Workshop 01').first().waitFor();
    expect(await page.getByRole('navigation').count()).toBe(0);
    expect(await page.getByText('Skip to content').isVisible()).toBe(false);
    const color = await page.evaluate(() => getComputedStyle(document.body).color.match(/\d+/g)?.map(Number) ?? []);
    expect(Math.max(...color)).toBeLessThan(80);
    await page.emulateMedia({ media: null });
  });

  it('shows only an open overlay, without the page behind it', async () => {
    await page.getByRole('button', { name: 'Edit Workshop 01' }).click();
    const form = page.getByRole('dialog');
    await form.waitFor();
    await page.emulateMedia({ media: 'print' });
    expect(await page.getByText('Workshop 02').first().isVisible()).toBe(false);
    expect(await form.isVisible()).toBe(true);
    expect((await form.boundingBox())?.y).toBeLessThan(20);
    await page.emulateMedia({ media: null });
    await page.keyboard.press('Escape');
    await form.waitFor({ state: 'detached' });
  });
});

describe('the skip link', () => {
  it('focuses the content without a history entry', async () => {
    const before = await page.evaluate(() => [window.history.length, window.location.href]);
    await page.getByRole('link', { name: 'Skip to content' }).focus();
    await page.keyboard.press('Enter');
    await waitForFocus('Departments');
    expect(await page.evaluate(() => [window.history.length, window.location.href])).toEqual(before);
  });
});

describe('a button that disables itself', () => {
  it('keeps its focus position for the next key press', async () => {
    await page.goto(`${system.url}/settings`);
    await page.getByLabel('Location').fill('Bremen');
    const save = page.getByRole('button', { name: 'Save Changes' });
    await save.focus();
    await page.keyboard.press('Enter');
    await page.getByText('Settings updated successfully').waitFor();
    await waitFor(async () => (await save.getAttribute('aria-disabled')) === 'true', {
      description: 'the save button to be disabled',
    });
    expect(await save.evaluate((button) => button === document.activeElement)).toBe(true);
    await page.keyboard.press('Shift+Tab');
    expect(await page.getByLabel('Bio').evaluate((field) => field === document.activeElement)).toBe(true);
  });
});
