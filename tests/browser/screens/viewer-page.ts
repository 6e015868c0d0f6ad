import type { Browser, Page } from 'playwright-core';
import { recordTexts } from '../recorder.ts';
import { saveScreenshot } from '../screenshots.ts';
import { disablePrefetch, injectTokens, type TestPage, type Tokens, watch } from '../test-pages.ts';

/** A page with reduced motion, and its errors. */
export type Viewer = TestPage;

type OpenViewerParams = { who: string; tokens?: Tokens };

/** Opens a separate browser context, signed in if tokens are given. */
export async function openUserPage(browser: Browser, { who, tokens }: OpenViewerParams): Promise<Viewer> {
  const context = await browser.newContext({ reducedMotion: 'reduce', locale: 'en-GB', timezoneId: 'Europe/Berlin' });
  await recordTexts(context);
  await disablePrefetch(context);
  if (tokens) await injectTokens(context, tokens);
  const page = await context.newPage();
  page.setDefaultTimeout(15_000);
  return watch(page, who);
}

/** Waits until nothing on the page is loading or moving. */
export async function waitUntilSettled(page: Page): Promise<void> {
  await page.waitForFunction(
    () => {
      const busy = [...document.querySelectorAll('[role=status], [aria-busy=true]')];
      return !busy.some((element) => element.ariaBusy === 'true' || /^Loading/.test(element.textContent ?? ''));
    },
    undefined,
    { polling: 50 },
  );
  await page.evaluate(async () => {
    await document.fonts.ready;
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
  });
}

export async function setWidth({ page }: Viewer, width: number): Promise<void> {
  await page.setViewportSize({ width, height: width < 700 ? 780 : 900 });
  await waitUntilSettled(page);
}

/** Sets the device's theme, which the app follows by default. */
export async function setTheme({ page }: Viewer, theme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme: theme });
  await page.waitForFunction((expectedTheme) => document.documentElement.dataset.theme === expectedTheme, theme);
}

/** Captures a screenshot. */
export const captureScreenshot = ({ page, who }: Viewer, name: string): Promise<void> =>
  saveScreenshot(page, 'screens', `${name}-${who}`);
