import type { Role } from '@atrium/proto-events/people';
import { type System, startSystem } from '@atrium/test-kit/system/start-system';
import { afterAll, afterEach, beforeAll, beforeEach } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { buildProject, HIGH_LIMITS } from '../workspace/builders.ts';
import { type Client, createResource, createUser, setUpWorkspace } from '../workspace/workspace.ts';
import { type BrowserUser, openUserPage } from './browser-user.ts';
import { launchChromium } from './chromium.ts';
import { flushTexts } from './recorder.ts';
import { openTestPages } from './test-pages.ts';

/** One installation and one browser for the tests of a file. Each test creates its own users. */
export type TestEnvironment = {
  readonly system: System;
  readonly browser: Browser;
  /** Maya Okafor, who set up the workspace. */
  readonly admin: Client;
  /** Creates a user with a unique last name. */
  createUser(first: string, role: Role): Promise<Client>;
  /** Creates a project with a unique name. */
  createProject(manager: Client, fields?: { teamMembers: string[] }): Promise<{ project: string; name: string }>;
  /** Opens a signed-in browser of a user at a path. */
  openPage(client: Client, path?: string): Promise<BrowserUser>;
  /** Opens a signed-out browser. */
  openGuestPage(path?: string): Promise<BrowserUser>;
  /** Returns a unique word for names of projects or departments. */
  uniqueWord(): string;
  /** Expects browser errors that the test provokes. */
  expectErrors(...patterns: RegExp[]): void;
};

type TestEnvironmentOptions = {
  env?: Record<string, string>;
  /** Log lines that the tests provoke in the processes. */
  expectedLogErrors?: readonly RegExp[];
};

// Chromium logs rejected requests as errors, but they are not errors of the page.
const REJECTED_REQUEST = /Failed to load resource: the server responded with a status of 4\d\d/;

const LAST_NAMES = ['Abel', 'Berg', 'Cole', 'Dorn', 'Eden', 'Falk', 'Gray', 'Holm', 'Ives', 'Juhl', 'Kern', 'Lund'];

/** Fails each test with unexpected browser errors, and closes its browsers after the check. */
export function checkBrowsersPerTest(): Pick<TestEnvironment, 'expectErrors'> {
  const browserChecks = checkBrowsers();
  afterEach(async () => {
    await Promise.all(
      openTestPages().map(async ({ page }) => {
        // The page may be closed or may never have loaded.
        await flushTexts(page).catch(() => undefined);
        await page.context().close();
      }),
    );
  });
  return browserChecks;
}

/** Fails each test with unexpected browser errors; for browsers that stay open across tests. */
export function checkBrowsers(): Pick<TestEnvironment, 'expectErrors'> {
  let expected: RegExp[] = [];

  beforeEach(() => {
    expected = [REJECTED_REQUEST];
  });

  // A separate hook, so that pages are captured after a failure before another hook closes them.
  afterEach(() => {
    const errors = openTestPages().flatMap((testPage) => testPage.errors.splice(0));
    const unexpected = errors.filter((error) => !expected.some((pattern) => pattern.test(error)));
    if (unexpected.length > 0) throw new Error(`browser errors:\n${unexpected.join('\n')}`);
  });

  return { expectErrors: (...patterns) => void expected.push(...patterns) };
}

/** Registers the hooks that start and stop the environment of a file and check the browsers of its tests. */
export function setUpTestEnvironment({
  env = {},
  expectedLogErrors = [],
}: TestEnvironmentOptions = {}): TestEnvironment {
  let running: { system: System; browser: Browser; admin: Client } | undefined;
  let count = 0;
  const getRunning = () => {
    if (!running) throw new Error('The environment is available within tests only');
    return running;
  };
  const createWord = () => {
    const name = LAST_NAMES[count % LAST_NAMES.length] ?? '';
    const round = Math.floor(count / LAST_NAMES.length);
    count += 1;
    return name + (round > 0 ? name.slice(1).repeat(round) : '');
  };

  beforeAll(async () => {
    const starting = startSystem({ env: { ...HIGH_LIMITS, ...env }, expectedErrors: expectedLogErrors });
    const [system, browser] = await Promise.all([starting, launchChromium()]);
    running = { system, browser, admin: await setUpWorkspace(system.url) };
  });

  const { expectErrors } = checkBrowsersPerTest();

  afterAll(async () => {
    await running?.browser.close();
    await running?.system.stop();
  }, 90_000);

  return {
    get system() {
      return getRunning().system;
    },
    get browser() {
      return getRunning().browser;
    },
    get admin() {
      return getRunning().admin;
    },
    uniqueWord: createWord,
    expectErrors,
    createUser: (first, role) =>
      createUser(getRunning().system.url, getRunning().admin, { first, last: createWord(), role }),
    async createProject(manager, fields) {
      const name = `Harbour ${createWord()}`;
      const body = buildProject(name, manager, { priority: 'high', ...fields });
      return { project: await createResource(getRunning().admin, '/projects', body), name };
    },
    openPage: (client, path = '/') =>
      openSignedInPage(getRunning().browser, client, { address: `${getRunning().system.url}${path}`, savesData: true }),
    async openGuestPage(path) {
      const { browser, system } = getRunning();
      const user = await openUserPage(browser, { name: 'A guest', email: '', base: system.url, savesData: true });
      if (path !== undefined) await user.page.goto(`${user.base}${path}`);
      return user;
    },
  };
}

type PageOptions = { address: string; savesData?: true; timezone?: string; locale?: string; device?: 'phone' };

/** Opens a signed-in browser of a user at an address. */
export async function openSignedInPage(
  browser: Browser,
  client: Client,
  { address, ...options }: PageOptions,
): Promise<BrowserUser> {
  const { name, email, token, refreshToken } = client;
  const tokens = { accessToken: token, refreshToken };
  const user = await openUserPage(browser, { name, email, base: new URL(address).origin, tokens, ...options });
  await user.page.goto(address);
  return user;
}
