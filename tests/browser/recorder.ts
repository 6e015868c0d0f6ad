import type { BrowserContext, Page } from 'playwright-core';
import { noteSeen } from '../spec-coverage/coverage-records.ts';

/** Writes down every text that becomes visible in these pages, with the path of the screen that it stood on. */
export async function recordTexts(context: BrowserContext): Promise<void> {
  if (!process.env.CONTRACT_COVERAGE_DIR) return;
  await context.exposeBinding('atriumSaw', (_source, path: string, texts: string[]) =>
    noteSeen(texts.map((text) => ({ at: path, text }))),
  );
  await context.addInitScript(watchTexts);
}

/** Has a page that is about to be closed say what it shows and has not said yet: what came last is else seen by nobody. */
export async function recordLast(page: Page): Promise<void> {
  if (process.env.CONTRACT_COVERAGE_DIR) await page.evaluate(() => (globalThis as Watched).atriumLook?.());
}

type Watched = { atriumSaw?: (path: string, texts: string[]) => void; atriumLook?: () => void };

/** Runs in the page. What a frame has changed is looked at in the next one, when it has its place. */
function watchTexts(): void {
  const LONGEST = 400;
  const watched = globalThis as Watched;
  const tell = watched.atriumSaw;
  const told = new Set<string>();
  const changed = new Set<Node>();

  const textsOf = (element: Element): string[] => {
    // A sentence may be made of several pieces, so what its parent says as a whole counts as well.
    const own = element.textContent ?? '';
    const around = element.parentElement?.textContent ?? '';
    return [own, around].filter((text) => text.trim() !== '' && text.length <= LONGEST);
  };

  const look = () => {
    const path = location.pathname;
    const seen: string[] = [];
    for (const root of changed) {
      if (!root.isConnected) continue;
      const start = root instanceof Text ? root.parentElement : root;
      if (!(start instanceof Element)) continue;
      const walker = document.createTreeWalker(start, NodeFilter.SHOW_TEXT);
      for (let node = walker.nextNode(); node; node = walker.nextNode()) {
        const element = node.parentElement;
        if (!element || !node.textContent?.trim() || element.closest('script, style')) continue;
        if (!element.checkVisibility({ visibilityProperty: true })) continue;
        for (const text of textsOf(element)) {
          const key = `${path} ${text}`;
          if (!told.has(key)) {
            told.add(key);
            seen.push(text);
          }
        }
      }
    }
    changed.clear();
    if (seen.length > 0) tell?.(path, seen);
  };

  watched.atriumLook = look;
  new MutationObserver((records) => {
    if (changed.size === 0) requestAnimationFrame(look);
    for (const { target, addedNodes, type } of records) {
      if (type === 'childList') for (const node of addedNodes) changed.add(node);
      else changed.add(target);
    }
  }).observe(document, { subtree: true, childList: true, characterData: true, attributeFilter: ['hidden', 'open'] });
}
