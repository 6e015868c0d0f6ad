import { waitFor } from '@atrium/test-kit/wait-for';
import { expect, it } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import { type Client, expectStatus } from '../workspace/workspace.ts';
import { type BrowserUser, dialog, toast } from './browser-user.ts';
import { captureThemesAndSizes } from './capture-screenshots.ts';
import { setUpTestEnvironment } from './test-environment.ts';

const environment = setUpTestEnvironment();

const SIZES = [360, 1_600];

const logOf = (page: Page): Locator => page.getByRole('region', { name: /^Messages in/ });
const message = (page: Page, words: string): Locator => logOf(page).getByRole('article').filter({ hasText: words });
const rowOf = (page: Page, title: string): Locator =>
  page.getByRole('region', { name: 'Conversations' }).getByRole('link', { name: new RegExp(title) });

async function createGroup(owner: Client, title: string, participants: readonly Client[]): Promise<string> {
  const body = { type: 'group', title, participants: participants.map(({ id }) => id) };
  return (await expectStatus(owner.call<{ _id: string }>('POST', '/chat/conversations', body), 201))._id;
}

async function send(user: Client, conversation: string, ...contents: string[]): Promise<void> {
  for (const content of contents)
    await expectStatus(user.call('POST', '/chat/messages', { conversation, content }), 201);
}

/** Two conversations of Nora and Theo, of which both have the first one open. */
async function openConversation(...contents: string[]) {
  const [nora, theo] = await Promise.all([
    environment.createUser('Nora', 'member'),
    environment.createUser('Theo', 'member'),
  ]);
  const word = environment.uniqueWord().toLowerCase();
  const [title, otherTitle] = [`plans-${word}`, `elsewhere-${word}`];
  const other = await createGroup(nora, otherTitle, [theo]);
  const id = await createGroup(nora, title, [theo]);
  await send(nora, id, ...contents);
  const [left, right] = await Promise.all([
    environment.openPage(nora, `/chat?c=${id}`),
    environment.openPage(theo, `/chat?c=${id}`),
  ]);
  await message(left.page, contents.at(-1) ?? '').waitFor();
  await message(right.page, contents[0] ?? '').waitFor();
  return { nora, theo, left, right, id, other, title, otherTitle };
}

async function openMenu({ page }: BrowserUser, words: string): Promise<Locator> {
  await message(page, words).hover();
  await message(page, words).getByRole('button', { name: 'Message actions' }).click();
  return page.getByRole('menu', { name: 'Message actions' });
}

it('a message that is marked as unread stays so while it is shown, in every tab, until it is opened again', async () => {
  const { theo, right, id, title, otherTitle } = await openConversation('first plan', 'second plan', 'third plan');
  const { page } = right;
  const unreadCount = async () =>
    (await expectStatus(theo.call<{ unreadCount: number }>('GET', `/chat/conversations/${id}`), 200)).unreadCount;
  const second = await environment.openPage(theo, `/chat?c=${id}`);
  await message(second.page, 'third plan').waitFor();
  await page.bringToFront();
  await waitFor(async () => (await unreadCount()) === 0, { description: 'the messages to be read' });
  await (await openMenu(right, 'second plan')).getByRole('menuitem', { name: 'Mark as unread' }).click();
  await logOf(page).getByText('New messages').waitFor();
  for (const tab of [page, second.page]) await rowOf(tab, title).getByText('2 unread messages').waitFor();
  await captureThemesAndSizes(right, 'chat-marked-unread', SIZES);
  await second.page.bringToFront();
  await second.page.mouse.wheel(0, 100);
  await page.bringToFront();
  await rowOf(page, title).getByText('2 unread messages').waitFor();
  expect(await unreadCount()).toBe(2);
  await rowOf(page, otherTitle).click();
  await rowOf(page, title).click();
  for (const tab of [page, second.page])
    await rowOf(tab, title).getByText('2 unread messages').waitFor({ state: 'detached' });
  await message(page, 'third plan').click({ modifiers: ['Alt'], position: { x: 60, y: 8 } });
  await rowOf(page, title).getByText('1 unread message').waitFor();
  await logOf(page).focus();
  await page.keyboard.press('Escape');
  await rowOf(page, title).getByText('1 unread message').waitFor({ state: 'detached' });
});

it('a message is forwarded with a comment, and opens its original', async () => {
  const { left, right, title, otherTitle } = await openConversation('The plan for spring', 'anything else');
  const { page } = left;
  await (await openMenu(left, 'The plan')).getByRole('menuitem', { name: 'Forward' }).click();
  const form = dialog(left, 'Forward message');
  await form.getByRole('searchbox').fill('elsewhere');
  await form.getByRole('option', { name: new RegExp(otherTitle) }).click();
  await form.getByLabel('Comment').fill('What do you think?');
  await captureThemesAndSizes(left, 'chat-forward-dialog', SIZES);
  await form.getByRole('button', { name: 'Forward' }).click();
  await toast(page, `Forwarded to`);
  await rowOf(right.page, otherTitle).click();
  const forward = message(right.page, 'What do you think?');
  const quote = forward.getByRole('blockquote');
  await quote.getByText('The plan').waitFor();
  expect(await quote.getAttribute('aria-label')).toMatch(/^Forwarded message from Nora/);
  await captureThemesAndSizes(right, 'chat-forwarded', SIZES);
  await quote.getByRole('button', { name: 'View original' }).click();
  await right.page.getByRole('region', { name: `Messages in ${title}` }).waitFor();
  await message(right.page, 'The plan').and(right.page.locator('[aria-current]')).waitFor();
});

it('a poll is made by keyboard, voted in by two users, and closed', async () => {
  const { left, right } = await openConversation('we need a place');
  const { page } = left;
  await page.getByRole('button', { name: 'Create a poll' }).click();
  const form = dialog(left, 'Create a poll');
  await form.getByLabel('Question').waitFor();
  await page.keyboard.type('Where do we meet in spring?');
  await page.keyboard.press('Tab');
  for (const option of ['Lisbon', 'Porto', 'Faro']) {
    await page.keyboard.type(option);
    await page.keyboard.press('Enter');
  }
  await page.keyboard.press('Backspace');
  expect(await form.getByRole('textbox', { name: /^Option/ }).count()).toBe(3);
  await captureThemesAndSizes(left, 'chat-poll-dialog', SIZES);
  await form.getByRole('button', { name: 'Send poll' }).click();
  const pollIn = (user: BrowserUser) => user.page.getByRole('group', { name: 'Poll: Where do we meet in spring?' });
  await pollIn(right).getByRole('button', { name: 'Lisbon: 0 votes, 0%' }).click();
  await pollIn(right).getByRole('button', { name: 'Lisbon: 1 vote, 100%', pressed: true }).waitFor();
  await pollIn(left).getByRole('button', { name: 'Lisbon: 1 vote, 100%', pressed: false }).waitFor();
  await pollIn(left)
    .getByRole('button', { name: /^Porto/ })
    .focus();
  await page.keyboard.press('Space');
  await pollIn(right).getByRole('button', { name: 'Porto: 1 vote, 50%', pressed: false }).waitFor();
  await pollIn(right)
    .getByRole('button', { name: /^Porto/ })
    .click();
  await pollIn(left).getByRole('button', { name: 'Porto: 2 votes, 100%', pressed: true }).waitFor();
  await captureThemesAndSizes(left, 'chat-poll', SIZES);
  await pollIn(left).getByRole('button', { name: 'Who voted for Porto' }).click();
  await page.getByRole('dialog', { name: 'Who voted for Porto' }).getByText(/Theo/).waitFor();
  await captureThemesAndSizes(left, 'chat-poll-voters', [1_600]);
  await page.keyboard.press('Escape');
  expect(await pollIn(right).getByRole('button', { name: 'Close poll' }).count()).toBe(0);
  await pollIn(left).getByRole('button', { name: 'Close poll' }).click();
  await page.getByRole('alertdialog', { name: 'Close this poll?' }).getByRole('button', { name: 'Close poll' }).click();
  await pollIn(right).getByText('2 people voted · Closed').waitFor();
  expect(
    await pollIn(right)
      .getByRole('button', { name: /^Porto/ })
      .getAttribute('aria-disabled'),
  ).toBe('true');
});
