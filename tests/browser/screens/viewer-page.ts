import type { Browser, Page } from 'playwright-core';
import { picture } from '../pictures.ts';
import { recordTexts } from '../recorder.ts';
import { bringTokens, saveData, type TestPage, type Tokens, watch } from '../test-pages.ts';

/** Somebody at a browser that asks for less motion, and what went wrong in it. */
export type Viewer = TestPage;

type Given = { who: string; tokens?: Tokens; axe: string };

/** Opens a browser of their own, signed in where tokens are given. */
export async function openUserPage(browser: Browser, { who, tokens, axe }: Given): Promise<Viewer> {
  const context = await browser.newContext({ reducedMotion: 'reduce', locale: 'en-GB', timezoneId: 'Europe/Berlin' });
  await recordTexts(context);
  await context.addInitScript({ content: axe });
  await saveData(context);
  if (tokens) await bringTokens(context, tokens);
  const page = await context.newPage();
  page.setDefaultTimeout(15_000);
  return watch(page, who);
}

/** Waits until nothing on the page says that it is loading, and it has taken its place. */
export async function settled(page: Page): Promise<void> {
  await page.waitForFunction(
    () => {
      const busy = [...document.querySelectorAll('[role=status], [aria-busy=true]')];
      return !busy.some((one) => one.ariaBusy === 'true' || /^Loading/.test(one.textContent ?? ''));
    },
    undefined,
    { polling: 50 },
  );
  await page.evaluate(async () => {
    await document.fonts.ready;
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
  });
}

export async function atWidth({ page }: Viewer, width: number): Promise<void> {
  await page.setViewportSize({ width, height: width < 700 ? 780 : 900 });
  await settled(page);
}

/** The device's theme, which the app follows until somebody chooses another. */
export async function inTheme({ page }: Viewer, theme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme: theme });
  await page.waitForFunction((wanted) => document.documentElement.dataset.theme === wanted, theme);
}

/** Keeps a picture of what they see. */
export const shoot = ({ page, who }: Viewer, name: string): Promise<void> => picture(page, 'screens', `${name}-${who}`);
