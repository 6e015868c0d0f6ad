import { type BrowserUser, captureScreenshot } from './browser-user.ts';

/** Captures screenshots for phone and desktop in both themes, and restores the window size. */
export async function captureThemesAndSizes(user: BrowserUser, step: string, widths = [390, 1_440]): Promise<void> {
  const { page } = user;
  const viewportBefore = page.viewportSize();
  for (const width of widths) {
    await page.setViewportSize({ width, height: 900 });
    for (const scheme of ['light', 'dark']) {
      await page.evaluate((theme) => document.documentElement.setAttribute('data-theme', theme), scheme);
      await page.evaluate(finishTransitions);
      await captureScreenshot(user, `${step}-${width}-${scheme}`);
    }
  }
  if (viewportBefore) await page.setViewportSize(viewportBefore);
}

/** Waits for CSS transitions, because theme colors change with them. */
function finishTransitions(): Promise<unknown> {
  const transitions = document.getAnimations().filter((animation) => animation instanceof CSSTransition);
  return Promise.allSettled(transitions.map(({ finished }) => finished));
}
