import type { Locator } from 'playwright-core';
import { type BrowserUser, captureScreenshot } from './browser-user.ts';

/**
 * Captures screenshots for phone and desktop in both themes, and restores the window size and the theme. `target` is
 * scrolled into view.
 */
export async function captureThemesAndSizes(
  user: BrowserUser,
  step: string,
  widths = [390, 1_440],
  target?: Locator,
): Promise<void> {
  const { page } = user;
  const viewportBefore = page.viewportSize();
  const themeBefore = await page.evaluate(() => document.documentElement.dataset.theme ?? 'light');
  for (const width of widths) {
    await page.setViewportSize({ width, height: 900 });
    await target?.scrollIntoViewIfNeeded();
    for (const scheme of ['light', 'dark']) {
      await page.evaluate(setTheme, scheme);
      await page.evaluate(finishTransitions);
      await captureScreenshot(user, `${step}-${width}-${scheme}`);
    }
  }
  await page.evaluate(setTheme, themeBefore);
  if (viewportBefore) await page.setViewportSize(viewportBefore);
}

function setTheme(theme: string): void {
  document.documentElement.dataset.theme = theme;
}

/** Waits for CSS transitions: theme colors change with them, and what opens starts one after its first frame. */
export async function finishTransitions(): Promise<void> {
  await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
  const transitions = document.getAnimations().filter((animation) => animation instanceof CSSTransition);
  await Promise.allSettled(transitions.map(({ finished }) => finished));
}
