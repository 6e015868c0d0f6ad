import { type System, startSystem } from '@atrium/test-kit/system/start-system';
import { waitFor } from '@atrium/test-kit/wait-for';
import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { demand, join, PASSWORD, setUp } from '../flows/workspace.ts';
import { launchChromium } from './chromium.ts';
import { goTo, openUserPage, type Person, shoot } from './person.ts';
import { watchBrowsers } from './test-environment.ts';

jest.setTimeout(240_000);

/** More than one page of them, and each page longer than the window. */
const DEPARTMENTS = 70;

let system: System;
let browser: Browser;
let maya: Person;
let page: Page;
let lenaId: string;

beforeAll(async () => {
  [system, browser] = await Promise.all([
    startSystem({ env: { RATE_LIMIT_PER_USER: '10000', RATE_LIMIT_SIGN_IN: '10000' } }),
    launchChromium(),
  ]);
  const admin = await setUp(system.url);
  ({ id: lenaId } = await join(system.url, admin, { first: 'Lena', role: 'member' }));
  for (let number = 1; number <= DEPARTMENTS; number += 1)
    await demand(admin.call('POST', '/departments', { name: `Workshop ${String(number).padStart(2, '0')}` }), 201);
  maya = await openUserPage(browser, { name: 'Maya Okafor', email: 'maya@example.org', base: system.url });
  page = maya.page;
  await page.goto(`${system.url}/login`);
  await page.getByLabel('Email').fill(maya.email);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign In' }).click();
  await page.getByRole('navigation').first().waitFor();
}, 300_000);

afterAll(async () => {
  await browser?.close();
  await system?.stop();
}, 90_000);

watchBrowsers();

const top = () => page.evaluate(() => window.scrollY);
const address = () => page.evaluate(() => window.location.pathname + window.location.search);
const screen = (name: string) => page.getByRole('main', { name, exact: true });
const hasFocus = (name: string) =>
  waitFor(() => screen(name).evaluate((main) => main === document.activeElement), {
    what: `the focus on ${name}`,
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

describe('going from screen to screen', () => {
  it('begins at the top with the focus on the screen, and Back leads to where it was left', async () => {
    await page.evaluate(() => window.scrollTo(0, 900));
    await goTo(maya, 'Meetings');
    await hasFocus('Meetings');
    expect(await top()).toBe(0);
    await page.goBack();
    await hasFocus('Departments');
    await waitFor(async () => (await top()) === 900, { what: 'the place that was left' });
    await page.reload();
    await waitFor(async () => (await top()) === 900, { what: 'the place that was left, after a reload' });
  });

  it('takes the focus from a menu that led there', async () => {
    await page.getByRole('button', { name: /account$/ }).click();
    await page.getByRole('menuitem', { name: 'Account Settings' }).click();
    await hasFocus('Account Settings');
  });

  it('shows the next page of a list from its beginning, and keeps the focus on the button that led there', async () => {
    const next = page.getByRole('button', { name: 'Next page' });
    await next.focus();
    const before = await top();
    await page.keyboard.press('Enter');
    await page.getByText(/Showing page 2 of 2/).waitFor();
    expect(await top()).toBeLessThan(before);
    expect(await next.evaluate((button) => button === document.activeElement)).toBe(true);
    expect(await next.getAttribute('aria-disabled')).toBe('true');
    await page.goBack();
    await page.getByText(/Showing page 1 of 2/).waitFor();
  });
});

describe('what is opened over a screen', () => {
  it('stands in the address, is closed by Back, and leaves nothing for Back to go through when it is closed', async () => {
    await goTo(maya, 'User Management');
    await openDetails();
    expect(await address()).toBe(`/user-management?user=${lenaId}`);
    await shoot(maya, 'navigation-user-details');
    await page.goBack();
    await details().waitFor({ state: 'detached' });
    expect(await address()).toBe('/user-management');
    await openDetails();
    await page.keyboard.press('Escape');
    await details().waitFor({ state: 'detached' });
    await page.goBack();
    await hasFocus('Departments');
  });

  it('is there for whoever got the link, and closing it stays on the screen', async () => {
    await page.goto(`${system.url}/user-management?user=${lenaId}`);
    await details().waitFor();
    await page.keyboard.press('Escape');
    await details().waitFor({ state: 'detached' });
    expect(await address()).toBe('/user-management');
    await page.goto(`${system.url}/user-management?user=65f0c0ffee00000000000000`);
    await page.getByText('This person is not there any more').waitFor();
  });

  it('asks once before changes are lost, and is then closed', async () => {
    await page.goto(`${system.url}/user-management?edit=${lenaId}`);
    const form = page.getByRole('dialog', { name: 'Edit User' });
    await form.getByLabel('Location').fill('Hamburg');
    await page.keyboard.press('Escape');
    await page.getByRole('alertdialog', { name: 'Discard changes?' }).getByText('Discard changes').last().click();
    await form.waitFor({ state: 'detached' });
    expect(await page.getByRole('alertdialog').count()).toBe(0);
    expect(await address()).toBe('/user-management');
  });
});

describe('on a phone', () => {
  it('leads to the main screens by tabs at the bottom, of which none covers what is above them', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    await goTo(maya, 'Chat');
    await hasFocus('Team Chat');
    const tabs = page.getByRole('navigation', { name: 'Main' });
    const boxes = await Promise.all((await tabs.locator('a, button').all()).map((tab) => tab.boundingBox()));
    expect(boxes).toHaveLength(5);
    for (const box of boxes) expect(Math.min(box?.width ?? 0, box?.height ?? 0)).toBeGreaterThanOrEqual(44);
    const bar = await tabs.boundingBox();
    expect((bar?.y ?? 0) + (bar?.height ?? 0)).toBe(844);
    const main = await screen('Team Chat').boundingBox();
    expect((main?.y ?? 0) + (main?.height ?? 0)).toBeLessThanOrEqual(bar?.y ?? 0);
    expect(await tabs.getByRole('link', { name: /^Chat/ }).getAttribute('aria-current')).toBe('page');
    await tabs.getByRole('button', { name: 'More' }).click();
    await page.getByRole('dialog', { name: 'Navigation' }).getByRole('link', { name: 'Document Hub' }).click();
    await hasFocus('Document Hub');
    await shoot(maya, 'navigation-tabs');
    await page.setViewportSize({ width: 1_280, height: 800 });
  });
});

describe('an overlay that is not in the address', () => {
  it('is closed by Back', async () => {
    await goTo(maya, 'Document Hub');
    await hasFocus('Document Hub');
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog', { name: 'Search' }).waitFor();
    await page.goBack();
    await hasFocus('Departments');
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

describe('on paper', () => {
  it('has the content of the screen in dark letters, without the frame', async () => {
    await page.evaluate(() => document.documentElement.setAttribute('data-theme', 'dark'));
    await page.emulateMedia({ media: 'print' });
    await page.getByText('Workshop 01').first().waitFor();
    expect(await page.getByRole('navigation').count()).toBe(0);
    expect(await page.getByText('Skip to content').isVisible()).toBe(false);
    const color = await page.evaluate(() => getComputedStyle(document.body).color.match(/\d+/g)?.map(Number) ?? []);
    expect(Math.max(...color)).toBeLessThan(80);
    await page.emulateMedia({ media: null });
  });

  it('has what was opened alone, and nothing of the page behind it', async () => {
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

describe('the link to the content', () => {
  it('gives it the focus, and takes no step in the history', async () => {
    const before = await page.evaluate(() => [window.history.length, window.location.href]);
    await page.getByRole('link', { name: 'Skip to content' }).focus();
    await page.keyboard.press('Enter');
    await hasFocus('Departments');
    expect(await page.evaluate(() => [window.history.length, window.location.href])).toEqual(before);
  });
});

describe('a button that has done its work', () => {
  it('keeps the focus, so that the next key goes on from there', async () => {
    await page.goto(`${system.url}/settings`);
    await page.getByLabel('Location').fill('Bremen');
    const save = page.getByRole('button', { name: 'Save Changes' });
    await save.focus();
    await page.keyboard.press('Enter');
    await page.getByText('Settings updated successfully').waitFor();
    await waitFor(async () => (await save.getAttribute('aria-disabled')) === 'true', { what: 'nothing to save' });
    expect(await save.evaluate((button) => button === document.activeElement)).toBe(true);
    await page.keyboard.press('Shift+Tab');
    expect(await page.getByLabel('Bio').evaluate((field) => field === document.activeElement)).toBe(true);
  });
});
