import { mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';

/**
 * Saves a screenshot to `output/<folder>/` for review after the run. Skipped in CI (`CI`, set by `.ci/run`), where nobody reviews five
 * hundred of them and skipping saves half a minute. Failed tests are captured anyway.
 */
export async function saveScreenshot(page: Page, folder: string, name: string): Promise<void> {
  if (process.env.CI) return;
  const shots = fileURLToPath(new URL(`../../output/${folder}/`, import.meta.url));
  mkdirSync(shots, { recursive: true });
  await page.screenshot({ path: `${shots}${name}.png` });
}
