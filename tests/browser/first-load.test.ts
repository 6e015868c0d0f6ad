import { waitFor } from '@atrium/test-kit/wait-for';
import { describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import type { Person } from './person.ts';
import { openStage } from './stage.ts';

const KB = 1024;

const stage = openStage();

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

describe('the first load', () => {
  it.each([
    ['/login', 3, 121],
    ['/', 39, 200],
    ['/chat', 39, 230],
  ])('of %s takes at most %i script files, which are %i KB', async (path, files, kilobytes) => {
    const { page } = await open(path);
    const scripts = await scriptsOf(page);
    expect(new URL(page.url()).pathname).toBe(path);
    // What keeps a signed-in page live is loaded after the screen, and belongs to it.
    expect(scripts.some(({ name }) => /\/live-/.test(name))).toBe(path !== '/login');
    expect(scripts.length).toBeLessThanOrEqual(files);
    expect(scripts.reduce((total, { bytes }) => total + bytes, 0)).toBeLessThanOrEqual(kilobytes * KB);
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
