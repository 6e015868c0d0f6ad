import { mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';

/**
 * Keeps a picture in `output/<folder>/`, for people to look at after the run; nobody does so after one of CI (`CI`, as `.ci/run` sets
 * it), which has five hundred and half a minute less without them. What failed has its pictures anyway.
 */
export async function picture(page: Page, folder: string, name: string): Promise<void> {
  if (process.env.CI) return;
  const shots = fileURLToPath(new URL(`../../output/${folder}/`, import.meta.url));
  mkdirSync(shots, { recursive: true });
  await page.screenshot({ path: `${shots}${name}.png` });
}
