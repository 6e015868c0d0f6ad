import { expect } from '@jest/globals';
import { dialog } from '../browser-user.ts';
import { captureThemesAndSizes } from '../capture-screenshots.ts';
import {
  chooseItem,
  focused,
  isAnnounced,
  moveTo,
  moveToMessage,
  openMenu,
  pressEnterOn,
  untilFocused,
} from './keyboard.ts';
import { composer, listOf, message, replyField, replyIn, threadOf, untilSeen } from './screen.ts';
import type { Team, Teammate } from './team.ts';

const heading = ({ page }: Teammate, name: string) => page.getByRole('heading', { level: 2, name });

/** Finds a channel in the dialog and joins it. */
export async function browseByKeyboard(user: Teammate): Promise<void> {
  const { page } = user;
  const opener = page.getByRole('button', { name: 'Browse channels' }).first();
  await pressEnterOn(page, opener);
  const browse = dialog(user, 'Browse channels');
  await untilFocused(page, browse.getByRole('searchbox', { name: 'Search channels' }));
  await page.keyboard.press('Escape');
  await browse.waitFor({ state: 'detached' });
  await untilFocused(page, opener);
  await page.keyboard.press('Enter');
  await untilFocused(page, browse.getByRole('searchbox', { name: 'Search channels' }));
  await page.keyboard.type('noon');
  await browse.getByRole('button', { name: 'Open launch' }).waitFor({ state: 'detached' });
  await pressEnterOn(page, browse.getByRole('button', { name: 'Join lunch' }));
  await heading(user, 'lunch').waitFor();
  await untilFocused(page, composer(page));
}

/** Moves between conversations in the list and by the search of the app. */
export async function switchByKeyboard(user: Teammate): Promise<void> {
  const { page } = user;
  await page.keyboard.press('Control+k');
  const search = dialog(user, 'Search').getByRole('combobox');
  await untilFocused(page, search);
  await page.keyboard.type('launch');
  await dialog(user, 'Search')
    .getByRole('option', { name: /launch/ })
    .first()
    .waitFor();
  await page.keyboard.press('Escape');
  await untilFocused(page, composer(page));
  const names = await listOf(page).getByRole('listitem').locator('strong').allInnerTexts();
  const next = names[names.indexOf('lunch') + 1] ?? '';
  await page.keyboard.press('Alt+ArrowDown');
  await heading(user, next).waitFor();
  await page.keyboard.press('Alt+ArrowUp');
  await heading(user, 'lunch').waitFor();
  await moveTo(page, page.getByRole('searchbox', { name: 'Filter conversations' }));
  await page.keyboard.type('laun');
  await page.keyboard.press('Enter');
  await heading(user, 'launch').waitFor();
  await untilFocused(page, composer(page));
}

/** Writes with shortcuts and completion. */
export async function writeByKeyboard(team: Team): Promise<void> {
  const { keys, desk } = team;
  const { page } = keys;
  await moveTo(page, composer(page));
  await page.keyboard.press('Control+b');
  await page.keyboard.type('Done');
  await page.keyboard.press('Control+b');
  await page.keyboard.type(', @len');
  await page.getByRole('option', { name: /Lena/ }).waitFor();
  await page.keyboard.press('Enter');
  await page.keyboard.type(':tad');
  await page.getByRole('option', { name: ':tada:' }).waitFor();
  await page.keyboard.press('Tab');
  expect(await composer(page).inputValue()).toBe('**Done**, @Lena Falk 🎉 ');
  await page.keyboard.type('from the keys');
  await page.keyboard.press('Enter');
  await isAnnounced(page, 'Message sent');
  await message(desk.page, 'from the keys').locator('strong', { hasText: 'Done' }).waitFor();
  await message(desk.page, 'from the keys').getByText('@Lena Falk').waitFor();
}

/** Reacts with the picker, whose search and grid follow the keys. */
export async function reactByKeyboard({ keys, desk }: Team, words: string): Promise<void> {
  const { page } = keys;
  await moveToMessage(page, words);
  await page.keyboard.press('r');
  const picker = dialog(keys, 'Add reaction');
  await picker.getByRole('gridcell').first().waitFor();
  await page.keyboard.press('Escape');
  await picker.waitFor({ state: 'detached' });
  await untilFocused(page, message(page, words).getByRole('button', { name: 'Message actions' }));
  await page.keyboard.press('r');
  await picker.getByRole('gridcell').first().waitFor();
  await page.keyboard.type('hedgehog');
  await picker.getByRole('gridcell', { name: 'Hedgehog' }).waitFor();
  await page.keyboard.press('Enter');
  await message(desk.page, words).getByRole('button', { name: '🦔, 1 person' }).waitFor();
}

/** Replies in a thread, and returns to where it was opened. */
export async function replyByKeyboard({ keys, desk }: Team, words: string, reply: string): Promise<void> {
  const { page } = keys;
  await moveToMessage(page, words);
  await page.keyboard.press('t');
  await untilFocused(page, replyField(page));
  await page.keyboard.type(reply);
  await page.keyboard.press('Enter');
  await replyIn(page, reply).waitFor();
  await replyIn(desk.page, reply).waitFor();
  await page.keyboard.press('Escape');
  await threadOf(page).waitFor({ state: 'detached' });
  await page.locator(':focus').and(logFocus(keys, words)).waitFor();
}

const logFocus = ({ page }: Teammate, words: string) => message(page, words).getByRole('button');

/** Pins a message, and finds it in the list of pinned messages. */
export async function pinByKeyboard(team: Team, words: string): Promise<void> {
  const { keys, manager, phone } = team;
  const { page } = keys;
  await openMenu(page, words, 'Pin for everyone');
  await untilSeen([manager, phone], (other) => message(other, words).getByText('Pinned by Stan Novak'));
  const options = page.getByRole('button', { name: 'Conversation options' });
  await pressEnterOn(page, options);
  await chooseItem(page, 'Pinned messages');
  const pins = dialog(keys, 'Pinned messages');
  await pins.getByText(words).first().waitFor();
  await captureThemesAndSizes(keys, 'day-pins', [1_600]);
  await page.keyboard.press('Escape');
  await pins.waitFor({ state: 'detached' });
  await untilFocused(page, options);
}

export async function voteByKeyboard({ keys }: Team, question: string, option: string): Promise<void> {
  const { page } = keys;
  await moveTo(page, composer(page));
  const poll = page.getByRole('group', { name: `Poll: ${question}` });
  await pressEnterOn(page, poll.getByRole('button', { name: new RegExp(`^${option}:`) }), 'Shift+Tab');
  await poll.getByRole('button', { name: new RegExp(`^${option}:`), pressed: true }).waitFor();
}

export async function markUnreadByKeyboard({ keys }: Team, words: string): Promise<void> {
  const { page } = keys;
  await moveTo(page, composer(page));
  await openMenu(page, words, 'Mark as unread');
  await untilFocused(page, message(page, words).getByRole('button', { name: 'Message actions' }));
  await listOf(page)
    .getByRole('link', { name: /launch/ })
    .getByText(/unread message/)
    .waitFor({ state: 'attached' });
  await moveTo(page, page.getByRole('region', { name: /^Messages in launch/ }), 'Shift+Tab');
  await page.keyboard.press('Escape');
  await listOf(page)
    .getByRole('link', { name: /launch/ })
    .getByText(/unread message/)
    .waitFor({ state: 'detached' });
  // Tab passes all messages, and ends at the latest.
  await moveTo(page, composer(page));
  await message(page, words).waitFor();
}

/** Plays the voice note. */
export async function playByKeyboard({ keys }: Team): Promise<void> {
  const { page } = keys;
  await moveTo(page, composer(page));
  const player = page.getByRole('group', { name: 'Voice note' }).last();
  await pressEnterOn(page, player.getByRole('button', { name: 'Play' }), 'Shift+Tab');
  await player
    .getByRole('button', { name: 'Pause' })
    .or(player.getByRole('button', { name: 'Play' }))
    .waitFor();
  expect(await focused(page, player.getByRole('button')).count()).toBe(1);
}
