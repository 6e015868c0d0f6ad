import type { Role } from '@atrium/proto-events/people';
import { type System, startSystem } from '@atrium/test-kit/system/start-system';
import { afterAll, afterEach, beforeAll, beforeEach } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { type Client, join, setUp } from '../flows/workspace.ts';
import { launchChromium } from './chromium.ts';
import { openUserPage, type Person } from './person.ts';
import { recordLast } from './recorder.ts';
import { openTestPages } from './test-pages.ts';

/** One Atrium and one browser for the tests of a file, each of which has people of its own. */
export type Stage = {
  readonly system: System;
  readonly browser: Browser;
  /** Maya Okafor, who set the workspace up. */
  readonly admin: Client;
  /** Somebody whom no other test knows: `first` with a last name that nobody else has. */
  someone(first: string, role: Role): Promise<Client>;
  /** Their browser, signed in, at that path. */
  sit(client: Client, path?: string): Promise<Person>;
  /** A browser in which nobody has signed in. */
  guest(path?: string): Promise<Person>;
  /** A word that no other test uses, to name a project or a department by. */
  word(): string;
  /** What may go wrong in the browsers of this test, because it is what the test provokes. */
  expectFaults(...patterns: RegExp[]): void;
};

type StageOptions = {
  env?: Record<string, string>;
  /** What the tests make the processes complain of on purpose. */
  provokes?: readonly RegExp[];
};

// Of many tests against one gateway, so that only limits that a test sets itself are met.
const PLENTY = { RATE_LIMIT_PER_USER: '100000', RATE_LIMIT_PER_IP: '100000', RATE_LIMIT_SIGN_IN: '100000' };

// A refusal that the server answers is an answer, although Chromium calls it an error.
const REFUSAL = /Failed to load resource: the server responded with a status of 4\d\d/;

const LAST_NAMES = ['Abel', 'Berg', 'Cole', 'Dorn', 'Eden', 'Falk', 'Gray', 'Holm', 'Ives', 'Juhl', 'Kern', 'Lund'];

/** For the tests of a file: fails each one for faults in its browsers that it does not expect, and closes them after it. */
export function attendBrowsers(): Pick<Stage, 'expectFaults'> {
  const watched = watchBrowsers();
  afterEach(async () => {
    await Promise.all(
      openTestPages().map(async ({ page }) => {
        // One that has gone away, or never came, has nothing left to say.
        await recordLast(page).catch(() => undefined);
        await page.context().close();
      }),
    );
  });
  return watched;
}

/** The same for browsers that stay open from test to test. */
export function watchBrowsers(): Pick<Stage, 'expectFaults'> {
  let expected: RegExp[] = [];

  beforeEach(() => {
    expected = [REFUSAL];
  });

  // A hook of its own: when it fails the test, the pages are kept before another one closes them.
  afterEach(() => {
    const faults = openTestPages().flatMap((seat) => seat.faults.splice(0));
    const unexpected = faults.filter((fault) => !expected.some((pattern) => pattern.test(fault)));
    if (unexpected.length > 0) throw new Error(`went wrong in the browser:\n${unexpected.join('\n')}`);
  });

  return { expectFaults: (...patterns) => void expected.push(...patterns) };
}

/** Sets the stage of a file: registers what starts and ends it, and attends to the browsers of its tests. */
export function setUpTestEnvironment({ env = {}, provokes = [] }: StageOptions = {}): Stage {
  let running: { system: System; browser: Browser; admin: Client } | undefined;
  let count = 0;
  const now = () => {
    if (!running) throw new Error('the stage is open within tests only');
    return running;
  };
  const word = () => {
    const name = LAST_NAMES[count % LAST_NAMES.length] ?? '';
    const round = Math.floor(count / LAST_NAMES.length);
    count += 1;
    return name + (round > 0 ? name.slice(1).repeat(round) : '');
  };

  beforeAll(async () => {
    const starting = startSystem({ env: { ...PLENTY, ...env }, provokes });
    const [system, browser] = await Promise.all([starting, launchChromium()]);
    running = { system, browser, admin: await setUp(system.url) };
  }, 240_000);

  const { expectFaults } = attendBrowsers();

  afterAll(async () => {
    await running?.browser.close();
    await running?.system.stop();
  }, 90_000);

  return {
    get system() {
      return now().system;
    },
    get browser() {
      return now().browser;
    },
    get admin() {
      return now().admin;
    },
    word,
    expectFaults,
    someone: (first, role) => join(now().system.url, now().admin, { first, last: word(), role }),
    sit: (client, path = '/') =>
      sitDownAs(now().browser, client, { address: `${now().system.url}${path}`, savesData: true }),
    async guest(path) {
      const { browser, system } = now();
      const person = await openUserPage(browser, { name: 'A guest', email: '', base: system.url, savesData: true });
      if (path !== undefined) await person.page.goto(`${person.base}${path}`);
      return person;
    },
  };
}

type Place = { address: string; savesData?: true; timezone?: string; locale?: string };

/** The browser of somebody who has signed in, at that address. */
export async function sitDownAs(browser: Browser, client: Client, { address, ...how }: Place): Promise<Person> {
  const { name, email, token, refreshToken } = client;
  const tokens = { accessToken: token, refreshToken };
  const person = await openUserPage(browser, { name, email, base: new URL(address).origin, tokens, ...how });
  await person.page.goto(address);
  return person;
}
