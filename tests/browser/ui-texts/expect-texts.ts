import type { Locator, Page } from 'playwright-core';
import { flushTexts } from '../recorder.ts';

/** Waits until each text is visible as the whole text of an element. */
export async function expectTexts(root: Page | Locator, ...texts: string[]): Promise<void> {
  for (const text of texts) await root.getByText(text, { exact: true }).first().waitFor();
  await flushTexts('page' in root ? root.page() : root);
}

/** Locates the first button with a name. */
export const button = (root: Page | Locator, name: string | RegExp): Locator =>
  root.getByRole('button', { name, ...(typeof name === 'string' && { exact: true }) }).first();
