import { waitFor } from '@atrium/test-kit/wait-for';
import { describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { demand } from '../flows/workspace.ts';
import { shootEverywhere } from './capture-screenshots.ts';
import type { Person } from './person.ts';
import { setUpTestEnvironment } from './test-environment.ts';

const KB = 1024;

const stage = setUpTestEnvironment();

/** A browser with nothing kept that opens this path, and in which everything of the app has come that it loads by itself. */
async function open(path: string): Promise<Person> {
  const person =
    path === '/login' ? await stage.guest(path) : await stage.sit(await stage.someone('Lena', 'admin'), path);
  await person.page.getByRole('heading', { level: 1 }).waitFor();
  await person.page.waitForLoadState('networkidle');
  return person;
}

/** The scripts of a page, with their sizes as they came over the network. */
const scriptsOf = (page: Page) =>
  page.evaluate(() => {
    const loaded = performance.getEntriesByType('resource') as PerformanceResourceTiming[];
    const scripts = loaded.filter(({ name }) => new URL(name).pathname.endsWith('.js'));
    return scripts.map(({ name, encodedBodySize }) => ({ name: new URL(name).pathname, bytes: encodedBodySize }));
  });

/** The path of a project's board. */
async function aBoard(): Promise<string> {
  const how = { projectManager: stage.admin.id, priority: 'low', status: 'in-progress' };
  const body = { name: 'First load', description: 'What a page begins with', ...how };
  const { _id } = await demand(stage.admin.call<{ _id: string }>('POST', '/projects', body), 201);
  return `/progress/${_id}`;
}

/** Where the name of the product is in sight, in pixels. */
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
  ])('of %s takes at most %i script files, which are %i KB', async (path, files, kilobytes) => {
    const { page } = await open(path);
    const scripts = await scriptsOf(page);
    expect(new URL(page.url()).pathname).toBe(path);
    // What keeps a signed-in page live is loaded after the screen, and belongs to it.
    expect(scripts.some(({ name }) => /\/live-/.test(name))).toBe(path !== '/login');
    expect(scripts.length).toBeLessThanOrEqual(files);
    expect(scripts.reduce((total, { bytes }) => total + bytes, 0)).toBeLessThanOrEqual(kilobytes * KB);
  });

  it.each([
    ['/', 5],
    ['/chat', 2],
    ['/progress/*', 6],
  ])('of %s asks once, and beside the scripts, for what it begins with', async (address, count) => {
    const { page } = await open('/');
    const path = address === '/progress/*' ? await aBoard() : address;
    await page.goto(new URL(path, page.url()).href);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.waitForLoadState('networkidle');
    const { pieces, early, entries, before } = await page.evaluate((place) => {
      const hints = JSON.parse(document.querySelector<HTMLMetaElement>('meta[name="atrium-signed-in"]')?.content ?? '');
      const last = location.pathname.split('/').at(-1) ?? '';
      const named = `${hints['*']} ${hints[place]}`.replaceAll(' ?/', ' /').split(' ');
      const loaded = performance.getEntriesByType('resource').map(({ name, startTime }) => {
        const { pathname, search } = new URL(name);
        return { path: pathname + search, startTime };
      });
      const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
      return {
        pieces: named.filter((one) => one.startsWith('assets/')),
        early: named.filter((one) => one.startsWith('/')).map((one) => `/api${one.replace('*', last)}`),
        entries: loaded,
        // The first script runs only then.
        before: navigation?.domInteractive ?? 0,
      };
    }, address);
    expect(early).toHaveLength(count);
    // What is live is listened to once the screen is there, but in Team Chat.
    expect(pieces.some((name) => name.includes('/live-'))).toBe(address === '/chat');
    for (const path of early) {
      const asked = entries.filter((entry) => entry.path === path);
      expect(asked.filter(({ startTime }) => startTime < before)).toHaveLength(1);
      // The first page of somebody new has named their time zone, of which this one is told.
      if (path !== '/api/users/profile') expect(asked).toHaveLength(1);
    }
  });

  it.each([
    ['script', /\/assets\/start-[\w-]+\.js$/],
    ['style', /\/assets\/start-[\w-]+\.css$/],
  ])('begins anew where its %s is of another release than the page, until it is there', async (_what, address) => {
    const { page, base } = await stage.guest();
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
    await waitFor(async () => loads === 3, { what: 'two pages more' });
    expect(await page.evaluate(() => sessionStorage.getItem('atrium:start-missed'))).toBe('0');
  });

  it.each([390, 1_440])(
    'has the frame of the screen in its place before its scripts are there, %i wide',
    async (width) => {
      const person = await open('/');
      const { page } = person;
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
      if (width === 390) await shootEverywhere(person, 'frame');
      release();
      await page.getByRole('heading', { level: 1 }).waitFor();
      expect(await namesAt(page)).toEqual(early);
      expect(early).toHaveLength(1);
    },
  );

  it('needs at most 20 script files for a board, which are 263 KB', async () => {
    const { page } = await open(await aBoard());
    const scripts = await scriptsOf(page);
    expect(scripts.length).toBeLessThanOrEqual(20);
    expect(scripts.reduce((total, { bytes }) => total + bytes, 0)).toBeLessThanOrEqual(263 * KB);
  });

  it('has no frame where nobody is signed in', async () => {
    const { page } = await stage.guest('/login');
    await page.getByRole('heading', { level: 1 }).waitFor();
    expect(await page.locator('#frame').isVisible()).toBe(false);
    await page.route('**/assets/*.js', () => undefined);
    await page.goto(page.url(), { waitUntil: 'commit' });
    // The style holds back what comes after it, and then it would be seen.
    await page.waitForFunction(() => document.getElementById('root') && document.styleSheets.length > 0);
    expect(await page.locator('#frame').isVisible()).toBe(false);
  });

  it('asks for the code of a screen while it is not known yet who is signed in', async () => {
    const { page } = await open('/');
    const { promise: isLoaded, resolve: release } = Promise.withResolvers<void>();
    await page.route('**/api/users/profile', async (route) => {
      await isLoaded;
      await route.continue();
    });
    await page.goto(new URL('/chat', page.url()).href);
    const names = async () => (await scriptsOf(page)).map(({ name }) => name).join();
    await waitFor(async () => /\/shell-.*\/chat-|\/chat-.*\/shell-/.test(await names()), {
      what: 'the code of Team Chat',
    });
    expect(await page.getByRole('heading', { level: 1 }).count()).toBe(0);
    release();
    await page.getByRole('heading', { level: 1 }).waitFor();
  });
});
