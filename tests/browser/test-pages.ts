import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { onFailure } from '@atrium/test-kit/on-failure';
import type { BrowserContext, Page } from 'playwright-core';

export type Tokens = { accessToken: string; refreshToken: string };

/** A page that somebody looks at, with what its console said and what went wrong in it. */
export type TestPage = { who: string; page: Page; console: string[]; faults: string[] };

const taken = new Set<TestPage>();

/** Listens to a page from now on; should the test fail, its picture, its document and its console are kept. */
export function watch(page: Page, who: string): TestPage {
  const seat: TestPage = { who, page, console: [], faults: [] };
  page.on('console', (message) => {
    seat.console.push(`${message.type()}: ${message.text()}`);
    if (message.type() === 'error') seat.faults.push(`${who}: console: ${message.text()}`);
  });
  page.on('pageerror', (error) => {
    seat.console.push(`uncaught: ${error.stack ?? error.message}`);
    seat.faults.push(`${who}: uncaught: ${error.message}`);
  });
  page.on('close', () => taken.delete(seat));
  taken.add(seat);
  return seat;
}

/** All that are open. */
export const openTestPages = (): TestPage[] => [...taken];

onFailure(async (folder) => {
  await Promise.allSettled(openTestPages().map((seat, index) => keep(seat, join(folder, `${index + 1}-${seat.who}`))));
});

const QUICKLY = { timeout: 5_000 };

async function keep({ page, console: said }: TestPage, name: string): Promise<void> {
  mkdirSync(join(name, '..'), { recursive: true });
  writeFileSync(`${name}.console.txt`, `${page.url()}\n${said.join('\n')}\n`);
  await page.screenshot({ path: `${name}.png`, ...QUICKLY });
  writeFileSync(`${name}.html`, await page.content());
}

/**
 * Lets the app load each of its pieces when it is opened, as for people who save data. Fetching all of them ahead, at each page that is
 * loaded, takes more of the processor than most tests do; what it is good for is held by those that lose the network.
 */
export async function saveData(context: BrowserContext): Promise<void> {
  await context.addInitScript(() => {
    Object.defineProperty(navigator, 'connection', { value: { saveData: true } });
  });
}

/** Signs in whoever opens the first page there; from then on the app has tokens of its own, or has none because somebody left. */
export async function bringTokens(context: BrowserContext, tokens: Tokens): Promise<void> {
  await context.addInitScript(({ accessToken, refreshToken }) => {
    // A blank page keeps nothing.
    if (location.protocol === 'about:' || localStorage.getItem('tokens_brought')) return;
    localStorage.setItem('tokens_brought', 'yes');
    localStorage.setItem('access_token', accessToken);
    localStorage.setItem('refresh_token', refreshToken);
    localStorage.setItem('atrium:token-came-at', String(Date.now()));
  }, tokens);
}
