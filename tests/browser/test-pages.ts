import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { onFailure } from '@atrium/test-kit/on-failure';
import type { BrowserContext, Page } from 'playwright-core';

export type Tokens = { accessToken: string; refreshToken: string };

/** A page with its console output and errors. */
export type TestPage = { who: string; page: Page; console: string[]; errors: string[] };

const testPages = new Set<TestPage>();

/** Records the console and errors of a page. If the test fails, saves its screenshot, document, and console. */
export function watch(page: Page, who: string): TestPage {
  const testPage: TestPage = { who, page, console: [], errors: [] };
  page.on('console', (message) => {
    testPage.console.push(`${message.type()}: ${message.text()}`);
    if (message.type() === 'error') testPage.errors.push(`${who}: console: ${message.text()}`);
  });
  page.on('pageerror', (error) => {
    testPage.console.push(`uncaught: ${error.stack ?? error.message}`);
    testPage.errors.push(`${who}: uncaught: ${error.message}`);
  });
  page.on('close', () => testPages.delete(testPage));
  testPages.add(testPage);
  return testPage;
}

export const openTestPages = (): TestPage[] => [...testPages];

onFailure(async (folder) => {
  await Promise.allSettled(
    openTestPages().map((testPage, index) => savePage(testPage, join(folder, `${index + 1}-${testPage.who}`))),
  );
});

const CAPTURE_TIMEOUT = { timeout: 5_000 };

async function savePage({ page, console: consoleLines }: TestPage, name: string): Promise<void> {
  mkdirSync(join(name, '..'), { recursive: true });
  writeFileSync(`${name}.console.txt`, `${page.url()}\n${consoleLines.join('\n')}\n`);
  await page.screenshot({ path: `${name}.png`, ...CAPTURE_TIMEOUT });
  writeFileSync(`${name}.html`, await page.content());
}

/**
 * Disables prefetching, as for users who save data, because prefetching screens on each load takes more CPU than most
 * tests. The tests of network loss cover prefetching.
 */
export async function disablePrefetch(context: BrowserContext): Promise<void> {
  await context.addInitScript(() => {
    Object.defineProperty(navigator, 'connection', { value: { saveData: true } });
  });
}

/** Stores tokens for the first page only. The app then has its own tokens, or none after signing out. */
export async function injectTokens(context: BrowserContext, tokens: Tokens): Promise<void> {
  await context.addInitScript(({ accessToken, refreshToken }) => {
    // A blank page has no storage.
    if (location.protocol === 'about:' || localStorage.getItem('tokens_brought')) return;
    localStorage.setItem('tokens_brought', 'yes');
    localStorage.setItem('access_token', accessToken);
    localStorage.setItem('refresh_token', refreshToken);
    localStorage.setItem('atrium:token-came-at', String(Date.now()));
  }, tokens);
}
