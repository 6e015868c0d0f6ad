import type { Browser, BrowserContext, Locator, Page } from 'playwright-core';
import { recordTexts } from './recorder.ts';
import { saveScreenshot } from './screenshots.ts';
import { disablePrefetch, injectTokens, type Tokens, watch } from './test-pages.ts';

/** A user with their own browser context. */
export type BrowserUser = { name: string; email: string; base: string; context: BrowserContext; page: Page };

export const PASSWORD = 'Working#Day1';

type OpenPageParams = {
  name: string;
  email: string;
  base: string;
  tokens?: Tokens;
  savesData?: true;
  timezone?: string;
  locale?: string;
  device?: 'phone';
};

const DESKTOP = { viewport: { width: 1280, height: 800 } };
const PHONE = { viewport: { width: 360, height: 780 }, hasTouch: true, isMobile: true };

/** Opens a separate browser context, signed in if tokens are given. */
export async function openUserPage(browser: Browser, params: OpenPageParams): Promise<BrowserUser> {
  const { name, email, base, tokens, savesData, timezone = 'Europe/Berlin', locale = 'en-GB' } = params;
  const context = await browser.newContext({
    ...(params.device === 'phone' ? PHONE : DESKTOP),
    acceptDownloads: true,
    timezoneId: timezone,
    locale,
  });
  await recordTexts(context);
  // By default a browser records 250 resource timings, and the app has more chunks.
  await context.addInitScript(() => performance.setResourceTimingBufferSize(2_000));
  if (savesData) await disablePrefetch(context);
  if (tokens) await injectTokens(context, tokens);
  const page = await context.newPage();
  watch(page, name.replaceAll(' ', '-').toLowerCase());
  // Enough for a busy machine; stricter limits are asserted where they matter.
  page.setDefaultTimeout(60_000);
  return { name, email, base, context, page };
}

/** Captures a screenshot. */
export const captureScreenshot = ({ page }: BrowserUser, step: string): Promise<void> =>
  saveScreenshot(page, 'working-day', step);

/** Follows an entry of the navigation. */
export const goTo = ({ page }: BrowserUser, entry: string): Promise<void> =>
  page.getByRole('navigation').getByRole('link', { name: entry }).first().click();

/** Locates the open dialog with a title. */
export const dialog = ({ page }: BrowserUser, title: string | RegExp): Locator =>
  page.getByRole('dialog', { name: title });

/**
 * Waits for a toast and dismisses it, because a toast stays for four seconds and could be mistaken for the next one
 * with the same text.
 */
export async function toast(page: Page, text: string): Promise<void> {
  const card = page.locator('[data-toast]').filter({ hasText: text });
  // Clicks in the page, because a pointer waits for the animation to end, and the toast may be gone by then.
  await card.getByRole('button', { name: 'Dismiss' }).evaluate((button: HTMLElement) => button.click());
  await card.waitFor({ state: 'detached' });
}

/**
 * Waits until an opened list has stopped moving. Playwright scrolls the page to reach a moving option, which closes the
 * list.
 */
export async function waitForOpenList(page: Page): Promise<void> {
  const list = page.locator('[data-trigger][data-placement]:not([data-entering])');
  await list.evaluate((element) => Promise.all(element.getAnimations().map(({ finished }) => finished)));
}

/** Selects an option of a select field. */
export async function choose(container: Locator, page: Page, field: string, option: string): Promise<void> {
  const opener = container.getByRole('button', { name: new RegExp(field) });
  // Scrolling closes the list, so the field must be in view before it is pressed.
  await opener.scrollIntoViewIfNeeded();
  await page.evaluate(() => new Promise(requestAnimationFrame));
  await opener.click();
  await waitForOpenList(page);
  // The list scrolls to the selected option and focuses it; a press during that would hit nothing.
  await page.locator(':is([role=option], [role=listbox], [role=combobox]):focus').waitFor();
  const optionLocator = page.getByRole('option', { name: option, exact: true });
  await optionLocator.click();
  // The next list may contain the same text.
  await optionLocator.waitFor({ state: 'detached' });
}

/** Picks a day in the calendar of a date field, `monthsAhead` months after the one that it shows first. */
export async function pickDay(form: Locator, field: string, day: number, { monthsAhead = 0 } = {}): Promise<void> {
  await form.getByRole('button', { name: `Calendar ${field}`, exact: true }).click();
  const month = form.page().getByRole('dialog', { name: `Calendar ${field}`, exact: true });
  for (let pagesTurned = 0; pagesTurned < monthsAhead; pagesTurned++)
    await month.getByRole('button', { name: 'Next month' }).click();
  await month.getByRole('button', { name: new RegExp(`\\b${day} [A-Z]`) }).click();
  await month.waitFor({ state: 'detached' });
}

/** Types the digits of a date into a date field, in the order of the field's segments. */
export async function typeDay(form: Locator, field: string, digits: string): Promise<void> {
  await form.getByRole('spinbutton', { name: `day, ${field}`, exact: true }).click();
  await form.page().keyboard.type(digits);
  await form.page().keyboard.press('Enter');
}

/** Locates a date field by its content, such as `14/12/2026`, or `dd/mm/yyyy` while it is empty. */
export const dateField = (form: Locator, field: string, shown: string | RegExp): Locator =>
  form.getByRole('group', { name: field, exact: true }).filter({ hasText: shown });

/** Selects users in a people picker. */
export async function pick(container: Locator, group: string, names: readonly string[]): Promise<void> {
  const picker = container.getByRole('group', { name: group });
  for (const name of names) await pickUser(picker, name);
}

/** Searches for a user in a people picker, which renders only visible options, and selects them. */
export async function pickUser(picker: Locator, name: string): Promise<void> {
  await picker.getByRole('searchbox').fill(name);
  // The filtered list is shorter, which scrolls a dialog, and scrolling closes a field's popover.
  const others = picker.locator('[role=option][aria-selected=false]').filter({ hasNotText: new RegExp(name) });
  await others.first().waitFor({ state: 'detached' });
  await picker.getByRole('option', { name: new RegExp(name) }).click();
}

/** Reads the clipboard in a separate page, because pages of the app must not read it. */
export async function readClipboard({ context }: Pick<BrowserUser, 'context'>): Promise<string> {
  const page = await context.newPage();
  await page.setContent('<textarea></textarea>');
  const field = page.locator('textarea');
  await field.press('ControlOrMeta+V');
  const text = await field.inputValue();
  await page.close();
  return text;
}
