import { type BrowserUser, captureScreenshot } from './browser-user.ts';

/** Captures screenshots for phone and desktop in both themes, and restores the window size and the theme. */
export async function captureThemesAndSizes(user: BrowserUser, step: string, widths = [390, 1_440]): Promise<void> {
  const { page } = user;
  const viewportBefore = page.viewportSize();
  // What has just been opened is not yet visible, and has no transition yet.
  await page.waitForFunction(() => !document.querySelector('[data-entering]'));
  const themeBefore = await page.evaluate(() => document.documentElement.dataset.theme ?? 'light');
  for (const width of widths) {
    await page.setViewportSize({ width, height: 900 });
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

/** Waits for CSS transitions, because theme colors change with them. */
function finishTransitions(): Promise<unknown> {
  const transitions = document.getAnimations().filter((animation) => animation instanceof CSSTransition);
  return Promise.allSettled(transitions.map(({ finished }) => finished));
}
