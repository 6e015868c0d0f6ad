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

/** Lists the scripts of a page with their transfer sizes. */
const listScripts = (page: Page) =>
  page.evaluate(() => {
    const loaded = performance.getEntriesByType('resource') as PerformanceResourceTiming[];
    const scripts = loaded.filter(({ name }) => new URL(name).pathname.endsWith('.js'));
    return scripts.map(({ name, encodedBodySize }) => ({ name: new URL(name).pathname, bytes: encodedBodySize }));
  });

/** Creates a project and returns the path of its board. */
async function createBoard(): Promise<string> {
  return `/progress/${await createResource(environment.admin, '/projects', buildProject('First load', environment.admin))}`;
}

/** Returns the positions at which the product name is visible, in pixels. */
const findProductName = (page: Page) =>
  page.evaluate(() => {
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const positions: { x: number; y: number }[] = [];
    while (texts.nextNode()) {
      if (texts.currentNode.textContent?.trim() !== 'Atrium') continue;
      const range = document.createRange();
      range.selectNodeContents(texts.currentNode);
      const { x, y, width } = range.getBoundingClientRect();
      if (width > 0) positions.push({ x: Math.round(x), y: Math.round(y) });
    }
    return positions;
  });

describe('the first load', () => {
  it.each([
    ['/login', 3, 112],
    ['/', 9, 166],
    ['/chat', 15, 234],
    ['/my-work', 18, 252],
  ])('of %s needs at most %i script files with %i KB', async (path, files, kilobytes) => {
    const { page } = await open(path);
    const scripts = await listScripts(page);
    expect(new URL(page.url()).pathname).toBe(path);
    // The live-sync chunk of a signed-in page is loaded after the screen, and counts as well.
    expect(scripts.some(({ name }) => /\/live-/.test(name))).toBe(path !== '/login');
    expect(scripts.length).toBeLessThanOrEqual(files);
    expect(scripts.reduce((total, { bytes }) => total + bytes, 0)).toBeLessThanOrEqual(kilobytes * KB);
  });

  it('of / needs at most 150 KB of scripts until the dashboard is complete, before live sync is loaded', async () => {
    const { page } = await open('/');
    const { promise: isComplete, resolve: release } = Promise.withResolvers<void>();
    await page.route(/\/assets\/(live|changes)-[\w-]+\.js$/, async (route) => {
      await isComplete;
      await route.continue();
    });
    await page.reload({ waitUntil: 'commit' });
    await page.getByText('No projects yet').waitFor();
    await page.getByText('No upcoming meetings').waitFor();
    const scripts = await listScripts(page);
    expect(scripts.some(({ name }) => /\/home-/.test(name))).toBe(true);
    expect(scripts.some(({ name }) => /\/live-/.test(name))).toBe(false);
    const bytes = scripts.reduce((total, script) => total + script.bytes, 0);
    expect(bytes).toBeLessThanOrEqual(150 * KB);
    release();
    await page.waitForLoadState('networkidle');
    expect((await listScripts(page)).some(({ name }) => /\/live-/.test(name))).toBe(true);
  });

  it.each([
    ['/', 5],
    ['/my-work', 3],
    ['/notifications', 2],
    ['/chat', 2],
    ['/progress/*', 6],
  ])('of %s sends its first requests once, and in parallel with the scripts', async (address, count) => {
    const { page } = await open('/');
    const path = address === '/progress/*' ? await createBoard() : address;
    await page.goto(new URL(path, page.url()).href);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.waitForLoadState('networkidle');
    const { chunks, earlyUrls, entries, before } = await page.evaluate((route) => {
      const hints = JSON.parse(document.querySelector<HTMLMetaElement>('meta[name="atrium-signed-in"]')?.content ?? '');
      const last = location.pathname.split('/').at(-1) ?? '';
      const hintedUrls = `${hints['*']} ${hints[route]}`.replaceAll(' ?/', ' /').split(' ');
      const loaded = performance.getEntriesByType('resource').map(({ name, startTime }) => {
        const { pathname, search } = new URL(name);
        return { path: pathname + search, startTime };
      });
      const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
      return {
        chunks: hintedUrls.filter((url) => url.startsWith('assets/')),
        earlyUrls: hintedUrls.filter((url) => url.startsWith('/')).map((url) => `/api${url.replace('*', last)}`),
        entries: loaded,
        // The first script runs only after the document is parsed.
        before: navigation?.domInteractive ?? 0,
      };
    }, address);
    expect(earlyUrls).toHaveLength(count);
    // Live sync starts after the screen is rendered, except in Team Chat.
    expect(chunks.some((name) => name.includes('/live-'))).toBe(address === '/chat');
    for (const path of earlyUrls) {
      const requests = entries.filter((entry) => entry.path === path);
      expect(requests.filter(({ startTime }) => startTime < before)).toHaveLength(1);
      // A new user's first page has saved their time zone, so this page is notified of a changed profile.
      if (path !== '/api/users/profile') expect(requests).toHaveLength(1);
    }
  });

  it.each([
    ['script', /\/assets\/start-[\w-]+\.js$/],
    ['style', /\/assets\/start-[\w-]+\.css$/],
  ])("reloads until the server has the %s of the page's release", async (_label, address) => {
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
    await waitFor(async () => loads === 3, { description: 'two reloads' });
    expect(await page.evaluate(() => sessionStorage.getItem('atrium:start-missed'))).toBe('0');
  });

  it.each([390, 1_440])('shows the app shell before scripts have loaded, at a width of %i pixels', async (width) => {
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
    const positionsBefore = await findProductName(page);
    if (width === 390) await captureThemesAndSizes(user, 'frame');
    release();
    await page.getByRole('heading', { level: 1 }).waitFor();
    expect(await findProductName(page)).toEqual(positionsBefore);
    expect(positionsBefore).toHaveLength(1);
  });

  it('needs at most 20 script files with 266 KB for a board', async () => {
    const { page } = await open(await createBoard());
    const scripts = await listScripts(page);
    expect(scripts.length).toBeLessThanOrEqual(20);
    expect(scripts.reduce((total, { bytes }) => total + bytes, 0)).toBeLessThanOrEqual(266 * KB);
  });

  it('has no app shell for signed-out users', async () => {
    const { page } = await environment.openGuestPage('/login');
    await page.getByRole('heading', { level: 1 }).waitFor();
    expect(await page.locator('#frame').isVisible()).toBe(false);
    await page.route('**/assets/*.js', () => undefined);
    await page.goto(page.url(), { waitUntil: 'commit' });
    // The stylesheet blocks rendering of what follows it, so the shell would be visible by now.
    await page.waitForFunction(() => document.getElementById('root') && document.styleSheets.length > 0);
    expect(await page.locator('#frame').isVisible()).toBe(false);
  });

  it('requests the code of a screen before the session has loaded', async () => {
    const { page } = await open('/');
    const { promise: isLoaded, resolve: release } = Promise.withResolvers<void>();
    await page.route('**/api/users/profile', async (route) => {
      await isLoaded;
      await route.continue();
    });
    await page.goto(new URL('/chat', page.url()).href);
    const names = async () => (await listScripts(page)).map(({ name }) => name).join();
    await waitFor(async () => /\/shell-.*\/chat-|\/chat-.*\/shell-/.test(await names()), {
      description: 'the code of Team Chat',
    });
    expect(await page.getByRole('heading', { level: 1 }).count()).toBe(0);
    release();
    await page.getByRole('heading', { level: 1 }).waitFor();
  });
});
