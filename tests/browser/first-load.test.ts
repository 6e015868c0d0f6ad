import { waitFor } from '@atrium/test-kit/wait-for';
import { describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { buildProject } from '../workspace/builders.ts';
import { createResource } from '../workspace/workspace.ts';
import type { BrowserUser } from './browser-user.ts';
import { captureThemesAndSizes } from './capture-screenshots.ts';
import { setUpTestEnvironment } from './test-environment.ts';

const KB = 1024;

const environment = setUpTestEnvironment();

/** Opens a path in a fresh browser and waits until everything that the app loads automatically has arrived. */
async function open(path: string): Promise<BrowserUser> {
  const user =
    path === '/login'
      ? await environment.openGuestPage(path)
      : await environment.openPage(await environment.createUser('Lena', 'admin'), path);
  await user.page.getByRole('heading', { level: 1 }).waitFor();
  await user.page.waitForLoadState('networkidle');
  return user;
}

/** The scripts of a page, with their transfer sizes. */
const scriptsOf = (page: Page) =>
  page.evaluate(() => {
    const loaded = performance.getEntriesByType('resource') as PerformanceResourceTiming[];
    const scripts = loaded.filter(({ name }) => new URL(name).pathname.endsWith('.js'));
    return scripts.map(({ name, encodedBodySize }) => ({ name: new URL(name).pathname, bytes: encodedBodySize }));
  });

/** The path of a project's board. */
async function createBoard(): Promise<string> {
  return `/progress/${await createResource(environment.admin, '/projects', buildProject('First load', environment.admin))}`;
}

/** Where the product name is visible, in pixels. */
const namesAt = (page: Page) =>
  page.evaluate(() => {
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const found: { x: number; y: number }[] = [];
    while (texts.nextNode()) {
      if (texts.currentNode.textContent?.trim() !== 'Atrium') continue;
      const range = document.createRange();
      range.selectNodeContents(texts.currentNode);
      const { x, y, width } = range.getBoundingClientRect();
      if (width > 0) found.push({ x: Math.round(x), y: Math.round(y) });
    }
    return found;
  });

describe('the first load', () => {
  it.each([
    ['/login', 3, 125],
    ['/', 39, 205],
    ['/chat', 39, 243],
  ])('of %s takes at most %i script files with %i KB', async (path, files, kilobytes) => {
    const { page } = await open(path);
    const scripts = await scriptsOf(page);
    expect(new URL(page.url()).pathname).toBe(path);
    // The live-sync chunk of a signed-in page is loaded after the screen, and counts.
    expect(scripts.some(({ name }) => /\/live-/.test(name))).toBe(path !== '/login');
    expect(scripts.length).toBeLessThanOrEqual(files);
    expect(scripts.reduce((total, { bytes }) => total + bytes, 0)).toBeLessThanOrEqual(kilobytes * KB);
  });

  it.each([
    ['/', 5],
    ['/chat', 2],
    ['/progress/*', 6],
  ])('of %s sends its first requests once, and in parallel with the scripts', async (address, count) => {
    const { page } = await open('/');
    const path = address === '/progress/*' ? await createBoard() : address;
    await page.goto(new URL(path, page.url()).href);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.waitForLoadState('networkidle');
    const { chunks, early, entries, before } = await page.evaluate((place) => {
      const hints = JSON.parse(document.querySelector<HTMLMetaElement>('meta[name="atrium-signed-in"]')?.content ?? '');
      const last = location.pathname.split('/').at(-1) ?? '';
      const named = `${hints['*']} ${hints[place]}`.replaceAll(' ?/', ' /').split(' ');
      const loaded = performance.getEntriesByType('resource').map(({ name, startTime }) => {
        const { pathname, search } = new URL(name);
        return { path: pathname + search, startTime };
      });
      const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
      return {
        chunks: named.filter((one) => one.startsWith('assets/')),
        early: named.filter((one) => one.startsWith('/')).map((one) => `/api${one.replace('*', last)}`),
        entries: loaded,
        // The first script runs only then.
        before: navigation?.domInteractive ?? 0,
      };
    }, address);
    expect(early).toHaveLength(count);
    // Live sync starts after the screen is rendered, except in Team Chat.
    expect(chunks.some((name) => name.includes('/live-'))).toBe(address === '/chat');
    for (const path of early) {
      const asked = entries.filter((entry) => entry.path === path);
      expect(asked.filter(({ startTime }) => startTime < before)).toHaveLength(1);
      // A new user's first page has saved their time zone, of which this page is notified.
      if (path !== '/api/users/profile') expect(asked).toHaveLength(1);
    }
  });

  it.each([
    ['script', /\/assets\/start-[\w-]+\.js$/],
    ['style', /\/assets\/start-[\w-]+\.css$/],
  ])("reloads until the server's %s belongs to the same release as the page", async (_what, address) => {
    const { page, base } = await environment.openGuestPage();
    let missing = 2;
    let loads = 0;
    page.on('load', () => {
      loads += 1;
    });
    await page.route(address, async (route) => {
      missing -= 1;
      await (missing < 0 ? route.continue() : route.fulfill({ status: 404 }));
    });
    await page.goto(`${base}/login`);
    await page.getByRole('heading', { name: 'Welcome back' }).waitFor();
    await waitFor(async () => loads === 3, { description: 'two pages more' });
    expect(await page.evaluate(() => sessionStorage.getItem('atrium:start-missed'))).toBe('0');
  });

  it.each([390, 1_440])('has the app shell in place before its scripts have loaded, at %i pixels', async (width) => {
    const user = await open('/');
    const { page } = user;
    await page.setViewportSize({ width, height: 900 });
    const { promise: isLoaded, resolve: release } = Promise.withResolvers<void>();
    await page.route('**/assets/*.js', async (route) => {
      await isLoaded;
      await route.continue();
    });
    await page.goto(page.url(), { waitUntil: 'commit' });
    await page.getByText('Atrium', { exact: true }).waitFor();
    await page.evaluate(() => document.fonts.ready);
    expect(await page.locator('#root').innerHTML()).toBe('');
    const early = await namesAt(page);
    if (width === 390) await captureThemesAndSizes(user, 'frame');
    release();
    await page.getByRole('heading', { level: 1 }).waitFor();
    expect(await namesAt(page)).toEqual(early);
    expect(early).toHaveLength(1);
  });

  it('needs at most 20 script files with 263 KB for a board', async () => {
    const { page } = await open(await createBoard());
    const scripts = await scriptsOf(page);
    expect(scripts.length).toBeLessThanOrEqual(20);
    expect(scripts.reduce((total, { bytes }) => total + bytes, 0)).toBeLessThanOrEqual(263 * KB);
  });

  it('has no app shell for signed-out users', async () => {
    const { page } = await environment.openGuestPage('/login');
    await page.getByRole('heading', { level: 1 }).waitFor();
    expect(await page.locator('#frame').isVisible()).toBe(false);
    await page.route('**/assets/*.js', () => undefined);
    await page.goto(page.url(), { waitUntil: 'commit' });
    // The stylesheet blocks what follows it, so the shell would be visible by then.
    await page.waitForFunction(() => document.getElementById('root') && document.styleSheets.length > 0);
    expect(await page.locator('#frame').isVisible()).toBe(false);
  });

  it('requests the code of a screen before the session is known', async () => {
    const { page } = await open('/');
    const { promise: isLoaded, resolve: release } = Promise.withResolvers<void>();
    await page.route('**/api/users/profile', async (route) => {
      await isLoaded;
      await route.continue();
    });
    await page.goto(new URL('/chat', page.url()).href);
    const names = async () => (await scriptsOf(page)).map(({ name }) => name).join();
    await waitFor(async () => /\/shell-.*\/chat-|\/chat-.*\/shell-/.test(await names()), {
      description: 'the code of Team Chat',
    });
    expect(await page.getByRole('heading', { level: 1 }).count()).toBe(0);
    release();
    await page.getByRole('heading', { level: 1 }).waitFor();
  });
});
