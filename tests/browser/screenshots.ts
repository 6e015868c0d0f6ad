import { mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';

/**
 * Saves a screenshot to `output/<folder>/` for review after the run. Does nothing in CI (`CI`, set by `.ci/run`), where
 * no one reviews five hundred screenshots and skipping them saves half a minute. Failed tests are captured anyway.
 */
export async function saveScreenshot(page: Page, folder: string, name: string): Promise<void> {
  if (process.env.CI) return;
  const target = fileURLToPath(new URL(`../../output/${folder}/`, import.meta.url));
  mkdirSync(target, { recursive: true });
  await page.screenshot({ path: `${target}${name}.png` });
}
