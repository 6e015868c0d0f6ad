import type { Browser, BrowserContext, Locator, Page } from 'playwright-core';
import { picture } from './pictures.ts';
import { recordTexts } from './recorder.ts';
import { bringTokens, saveData, type Tokens, watch } from './test-pages.ts';

/** Somebody at their own browser. */
export type Person = { name: string; email: string; base: string; context: BrowserContext; page: Page };

export const PASSWORD = 'Working#Day1';

type Given = {
  name: string;
  email: string;
  base: string;
  tokens?: Tokens;
  savesData?: true;
  timezone?: string;
  locale?: string;
};

/** Opens a browser context of their own, in which nothing of the others is stored; signed in where tokens are given. */
export async function openUserPage(browser: Browser, given: Given): Promise<Person> {
  const { name, email, base, tokens, savesData, timezone = 'Europe/Berlin', locale = 'en-GB' } = given;
  const context = await browser.newContext({
    viewport: { width: 1280, height: 800 },
    acceptDownloads: true,
    timezoneId: timezone,
    locale,
  });
  await recordTexts(context);
  // By itself a browser remembers 250 of the things that a page has loaded, and the pieces of the app are more.
  await context.addInitScript(() => performance.setResourceTimingBufferSize(2_000));
  if (savesData) await saveData(context);
  if (tokens) await bringTokens(context, tokens);
  const page = await context.newPage();
  watch(page, name.replaceAll(' ', '-').toLowerCase());
  // As long as a busy machine may need; what must be quicker says so where it is looked at.
  page.setDefaultTimeout(60_000);
  return { name, email, base, context, page };
}

/** Keeps a picture of what somebody sees. */
export const shoot = ({ page }: Person, step: string): Promise<void> => picture(page, 'working-day', step);

/** Follows an entry of the navigation. */
export const goTo = ({ page }: Person, entry: string): Promise<void> =>
  page.getByRole('navigation').getByRole('link', { name: entry }).first().click();

/** The open dialog of that title. */
export const dialog = ({ page }: Person, title: string | RegExp): Locator => page.getByRole('dialog', { name: title });

/**
 * Waits for a message of the app, and sends it away. A message stays for four seconds: one that is left standing is taken for the
 * next of the same words, before what that one speaks of has happened.
 */
export async function toast(page: Page, words: string): Promise<void> {
  const card = page.locator('[data-toast]').filter({ hasText: words });
  // At once, as a key does it: a pointer waits until it has come to rest, and on a busy machine it has gone by itself by then.
  await card.getByRole('button', { name: 'Dismiss' }).evaluate((button: HTMLElement) => button.click());
  await card.waitFor({ state: 'detached' });
}

/**
 * Waits until the list that was opened stands still. For an option that moves Playwright scrolls the page as well, by which lists go.
 */
export async function openedList(page: Page): Promise<void> {
  const list = page.locator('[data-trigger][data-placement]:not([data-entering])');
  await list.evaluate((it) => Promise.all(it.getAnimations().map(({ finished }) => finished)));
}

/** Chooses an option of a select field. */
export async function choose(place: Locator, page: Page, field: string, option: string): Promise<void> {
  const opener = place.getByRole('button', { name: new RegExp(field) });
  // A list goes when its page is scrolled: the page has come to rest before somebody presses.
  await opener.scrollIntoViewIfNeeded();
  await page.evaluate(() => new Promise(requestAnimationFrame));
  await opener.click();
  await openedList(page);
  // It scrolls to what is chosen, and focuses it: between press and release that would be a press of nothing.
  await page.locator(':is([role=option], [role=listbox], [role=combobox]):focus').waitFor();
  const chosen = page.getByRole('option', { name: option, exact: true });
  await chosen.click();
  // The next list may hold the same words.
  await chosen.waitFor({ state: 'detached' });
}

/** Picks that day of the month which a date field opens, or of one after it. */
export async function pickDay(form: Locator, field: string, day: number, { monthsAhead = 0 } = {}): Promise<void> {
  await form.getByRole('button', { name: `Calendar ${field}`, exact: true }).click();
  const month = form.page().getByRole('dialog', { name: `Calendar ${field}`, exact: true });
  for (let turned = 0; turned < monthsAhead; turned++) await month.getByRole('button', { name: 'Next month' }).click();
  await month.getByRole('button', { name: new RegExp(`\\b${day} [A-Z]`) }).click();
  await month.waitFor({ state: 'detached' });
}

/** Types a day into a date field, in the order of its parts. */
export async function typeDay(form: Locator, field: string, digits: string): Promise<void> {
  await form.getByRole('spinbutton', { name: `day, ${field}`, exact: true }).click();
  await form.page().keyboard.type(digits);
  await form.page().keyboard.press('Enter');
}

/** A date field that shows that, as in `14/12/2026`, or `dd/mm/yyyy` while it is empty. */
export const dateField = (form: Locator, field: string, shown: string | RegExp): Locator =>
  form.getByRole('group', { name: field, exact: true }).filter({ hasText: shown });

/** Ticks people in a people picker. */
export async function pick(place: Locator, group: string, names: readonly string[]): Promise<void> {
  const picker = place.getByRole('group', { name: group });
  for (const name of names) await pickPerson(picker, name);
}

/** Finds somebody in a people picker, which draws only those in view, and ticks them. */
export async function pickPerson(place: Locator, name: string): Promise<void> {
  await place.getByRole('searchbox').fill(name);
  // The list gets shorter, which scrolls a dialog, and scrolling closes what hangs from a field.
  const others = place.locator('[role=option][aria-selected=false]').filter({ hasNotText: new RegExp(name) });
  await others.first().waitFor({ state: 'detached' });
  await place.getByRole('option', { name: new RegExp(name) }).click();
}
