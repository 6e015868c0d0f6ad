import type { Locator, Page } from 'playwright-core';
import { message } from './screen.ts';

/** More stops than any screen of the day has. */
const MAX_PRESSES = 250;

type MoveKey = 'Tab' | 'Shift+Tab' | 'ArrowDown' | 'ArrowUp';

export const focused = (page: Page, target: Locator): Locator => target.and(page.locator(':focus'));

/** Presses a key until the target has focus, as a user does who listens to what is focused. */
export async function moveTo(page: Page, target: Locator, key: MoveKey = 'Tab'): Promise<void> {
  await target.first().waitFor({ state: 'attached' });
  for (let presses = 0; presses < MAX_PRESSES; presses += 1) {
    if ((await focused(page, target).count()) > 0) return;
    await page.keyboard.press(key);
  }
  throw new Error(`${key} does not reach ${target}`);
}

/** Moves to a control and presses Enter. */
export async function pressEnterOn(page: Page, target: Locator, key?: MoveKey): Promise<void> {
  await moveTo(page, target, key);
  await page.keyboard.press('Enter');
}

/** Chooses an item of the open menu. */
export async function chooseItem(page: Page, item: string): Promise<void> {
  const target = page.getByRole('menuitem', { name: item });
  await target.waitFor();
  await pressEnterOn(page, target, 'ArrowDown');
}

/** Moves backward from the composer to a message of the open conversation. */
export const moveToMessage = (page: Page, words: string): Promise<void> =>
  moveTo(page, message(page, words).getByRole('button', { name: 'Message actions' }), 'Shift+Tab');

export async function openMenu(page: Page, words: string, item: string): Promise<void> {
  await moveToMessage(page, words);
  await page.keyboard.press('Enter');
  await chooseItem(page, item);
}

/** Waits until a screen reader has announced something. */
export const isAnnounced = (page: Page, text: string | RegExp): Promise<void> =>
  page
    .locator('[role=log], [role=status], [role=alert], [aria-live]')
    .filter({ hasText: text })
    .first()
    .waitFor({ state: 'attached' });

/** Waits until focus is where it was before a dialog or a panel was opened. */
export const untilFocused = (page: Page, target: Locator): Promise<void> => focused(page, target).waitFor();
