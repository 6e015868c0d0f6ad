import type { Locator, Page } from 'playwright-core';
import { recordLast } from '../recorder.ts';

/** Waits until each text is visible as a text of its own. */
export async function expectTexts(where: Page | Locator, ...texts: string[]): Promise<void> {
  for (const text of texts) await where.getByText(text, { exact: true }).first().waitFor();
  await recordLast('page' in where ? where.page() : where);
}

/** The first button with that name. */
export const button = (where: Page | Locator, name: string | RegExp): Locator =>
  where.getByRole('button', { name, ...(typeof name === 'string' && { exact: true }) }).first();
