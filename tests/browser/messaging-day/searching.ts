import { waitFor } from '@atrium/test-kit/wait-for';
import type { Locator, Page } from 'playwright-core';
import { captureThemesAndSizes } from '../capture-screenshots.ts';
import { focused, moveTo, untilFocused } from './keyboard.ts';
import { composer, message, openConversation, replyIn, SIZES } from './screen.ts';
import type { Team, Teammate } from './team.ts';

const panel = (page: Page): Locator => page.getByRole('region', { name: 'Search messages' });
const field = (page: Page): Locator => page.getByRole('combobox', { name: 'Search messages' });
const results = (page: Page): Locator => panel(page).getByRole('listitem').getByRole('button');

/** Waits until messages have been indexed, which takes a moment. */
const untilFound = ({ client }: Teammate, words: string) =>
  waitFor(
    async () => {
      const path = `/chat/search?q=${encodeURIComponent(words)}`;
      return (await client.call<{ data: unknown[] }>('GET', path)).body.data.length > 0;
    },
    { description: `"${words}" to be found` },
  );

/** Finds a message by an operator and a reply by its words, and jumps to both. */
export async function search(team: Team): Promise<void> {
  const { desk } = team;
  const { page } = desk;
  await untilFound(desk, 'screen reader test');
  await openConversation(desk, 'lunch');
  await page.getByRole('button', { name: 'Search messages' }).first().click();
  await field(page).fill('version from:lena');
  await page.getByRole('option', { name: /Lena/ }).click();
  const plan = results(page).filter({ hasText: 'Plan for' });
  await plan.waitFor();
  await captureThemesAndSizes(desk, 'day-search', SIZES);
  await plan.click();
  await message(page, 'whole plan').waitFor();
  await field(page).fill('"screen reader test" is:thread');
  await page.keyboard.press('Enter');
  await panel(page).getByRole('button', { name: 'Remove filter from' }).click();
  await results(page).filter({ hasText: 'screen reader test' }).click();
  await replyIn(page, 'The screen reader test is done').waitFor();
  await searchByKeyboard(team);
}

async function searchByKeyboard({ keys }: Team): Promise<void> {
  const { page } = keys;
  await moveTo(page, composer(page));
  await page.keyboard.press('Control+Shift+F');
  await untilFocused(page, field(page));
  await page.keyboard.type('login');
  await page.keyboard.press('Enter');
  await panel(page)
    .getByRole('status')
    .filter({ hasText: /result|message/ })
    .waitFor();
  await results(page).filter({ hasText: 'please test the login' }).waitFor();
  await moveTo(page, results(page).filter({ hasText: 'please test the login' }), 'ArrowDown');
  await page.keyboard.press('Enter');
  await message(page, 'please test the login').and(page.locator('[aria-current=true]')).waitFor();
  await moveTo(page, field(page), 'Shift+Tab');
  await page.keyboard.press('Escape');
  await panel(page).waitFor({ state: 'detached' });
  await focused(page, page.locator(':not(body)')).first().waitFor();
}
