import { recordSeen } from '@atrium/tools/spec-coverage/seen-texts';
import type { BrowserContext, Page } from 'playwright-core';

/** Records every visible text of these pages with the path of its screen. */
export async function recordTexts(context: BrowserContext): Promise<void> {
  if (!process.env.CONTRACT_COVERAGE_DIR) return;
  await context.exposeBinding('atriumRecordTexts', (_source, path: string, texts: string[]) =>
    recordSeen(texts.map((text) => ({ at: path, text }))),
  );
  await context.addInitScript(watchTexts);
}

/** Records the pending texts of a page that is about to be closed. */
export async function flushTexts(page: Page): Promise<void> {
  if (process.env.CONTRACT_COVERAGE_DIR)
    await page.evaluate(() => (globalThis as RecordingGlobal).atriumFlushTexts?.());
}

type RecordingGlobal = { atriumRecordTexts?: (path: string, texts: string[]) => void; atriumFlushTexts?: () => void };

/** Runs in the page. Changes are examined in the following frame, after layout. */
function watchTexts(): void {
  const MAX_TEXT_LENGTH = 400;
  const recordingGlobal = globalThis as RecordingGlobal;
  const report = recordingGlobal.atriumRecordTexts;
  const reported = new Set<string>();
  const changed = new Set<Node>();

  const textsOf = (element: Element): string[] => {
    // A sentence may consist of several elements, so the parent's text counts as well.
    const ownText = element.textContent ?? '';
    const parentText = element.parentElement?.textContent ?? '';
    return [ownText, parentText].filter((text) => text.trim() !== '' && text.length <= MAX_TEXT_LENGTH);
  };

  const flush = () => {
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
          if (!reported.has(key)) {
            reported.add(key);
            seen.push(text);
          }
        }
      }
    }
    changed.clear();
    if (seen.length > 0) report?.(path, seen);
  };

  recordingGlobal.atriumFlushTexts = flush;
  new MutationObserver((records) => {
    if (changed.size === 0) requestAnimationFrame(flush);
    for (const { target, addedNodes, type } of records) {
      if (type === 'childList') for (const node of addedNodes) changed.add(node);
      else changed.add(target);
    }
  }).observe(document, { subtree: true, childList: true, characterData: true, attributeFilter: ['hidden', 'open'] });
}
