import { waitFor } from '@atrium/test-kit/wait-for';
import type { Locator, Page } from 'playwright-core';
import type { BrowserUser } from '../browser-user.ts';

export const SIZES = [360, 1_600];

export const listOf = (page: Page): Locator => page.getByRole('region', { name: 'Conversations' });
export const row = (page: Page, name: string): Locator =>
  listOf(page)
    .getByRole('link')
    .filter({ has: page.locator('strong').filter({ hasText: new RegExp(`^${name}$`) }) });
export const viewLink = (page: Page, name: string): Locator =>
  listOf(page).getByRole('link', { name: new RegExp(`^${name}`) });
export const section = (page: Page, title: string): Locator =>
  listOf(page).getByRole('region', { name: title, exact: true });
export const view = (page: Page, name: string): Locator => page.getByRole('region', { name, exact: true });
export const logOf = (page: Page): Locator => page.getByRole('region', { name: /^Messages in (?!thread)/ });
export const repliesOf = (page: Page): Locator => page.getByRole('region', { name: 'Messages in thread' });
export const threadOf = (page: Page): Locator => page.getByRole('region', { name: 'Thread', exact: true });
export const composer = (page: Page): Locator => page.getByRole('textbox', { name: /^Message / });
export const replyField = (page: Page): Locator => page.getByRole('textbox', { name: 'Reply', exact: true });
export const message = (page: Page, words: string | RegExp): Locator =>
  logOf(page).getByRole('article').filter({ hasText: words });
export const replyIn = (page: Page, words: string | RegExp): Locator =>
  repliesOf(page).getByRole('article').filter({ hasText: words });
export const summary = (page: Page, words: string): Locator =>
  message(page, words).getByRole('button', { name: /\d repl(y|ies)/ });

/** Opens a conversation from the list, which a phone shows instead of a conversation. */
export async function openConversation({ page }: BrowserUser, name: string): Promise<void> {
  const back = page.getByRole('button', { name: 'All conversations' });
  if (await back.isVisible()) await activate(back);
  await activate(row(page, name));
  await page.getByRole('heading', { level: 2, name, exact: true }).waitFor();
}

/** Writes and sends a message in the open conversation. */
export async function say({ page }: BrowserUser, text: string): Promise<void> {
  await composer(page).fill(text);
  await composer(page).press('Enter');
}

const hasPointer = (page: Page): Promise<boolean> => page.evaluate(() => matchMedia('(hover: hover)').matches);

/** Presses a control as its user does. On a phone, a pointer would stay there, and hold a toast below it. */
async function activate(target: Locator): Promise<void> {
  if (await hasPointer(target.page())) await target.click();
  else await target.tap();
}

/** Shows the actions of a message as its user does: with the pointer, or by touching it. */
async function reach({ page }: BrowserUser, target: Locator): Promise<void> {
  if (await hasPointer(page)) return target.hover();
  const bar = target.getByRole('group', { name: 'Message', exact: true });
  const touch = async () => {
    await target.tap({ position: { x: 80, y: 8 } });
    return bar.evaluate((element) => getComputedStyle(element).pointerEvents === 'auto');
  };
  // A touch while a list is still moving shows nothing.
  await waitFor(touch, { description: 'the actions of the message' });
}

/** Scrolls the open conversation to a message, which is not rendered far from what is visible. */
export async function scrollTo(page: Page, words: string, direction: 'up' | 'down' = 'up'): Promise<void> {
  const step = direction === 'up' ? -0.5 : 0.5;
  await waitFor(
    async () => {
      if ((await message(page, words).count()) > 0) return true;
      await logOf(page).evaluate((box, pages) => box.scrollBy({ top: pages * box.clientHeight }), step);
      return false;
    },
    { description: `${words} to load while scrolling ${direction}` },
  );
  await message(page, words).scrollIntoViewIfNeeded();
}

/** Chooses an action from the menu of a message. */
export async function act(user: BrowserUser, target: Locator, item: string): Promise<void> {
  await reach(user, target);
  await activate(target.getByRole('button', { name: 'Message actions' }));
  await activate(user.page.getByRole('menuitem', { name: item }));
}

/** Presses a button of the bar of a message. */
export async function press(user: BrowserUser, target: Locator, button: string): Promise<void> {
  await reach(user, target);
  await target.getByRole('group', { name: 'Message', exact: true }).getByRole('button', { name: button }).click();
}

/** Chooses an action of the open conversation. */
export async function chooseInHeader(
  { page }: BrowserUser,
  item: string,
  role: 'menuitem' | 'menuitemradio' = 'menuitem',
) {
  await activate(page.getByRole('button', { name: 'Conversation options' }));
  await activate(page.getByRole(role, { name: item }));
  // The menu stays open for another choice.
  if (role === 'menuitemradio') await page.keyboard.press('Escape');
  await page.getByRole('menu').waitFor({ state: 'detached' });
}

/** Waits until an action of one user is visible to all others. */
export const untilSeen = (users: readonly BrowserUser[], locate: (page: Page) => Locator): Promise<unknown> =>
  Promise.all(users.map(({ page }) => locate(page).first().waitFor()));

export const untilValue = (field: Locator, text: string): Promise<unknown> =>
  waitFor(async () => (await field.inputValue()) === text, { description: `the field to contain "${text}"` });
