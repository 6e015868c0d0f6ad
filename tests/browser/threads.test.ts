import { waitFor } from '@atrium/test-kit/wait-for';
import { describe, expect, it } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import { type Client, expectStatus } from '../workspace/workspace.ts';
import type { BrowserUser } from './browser-user.ts';
import { captureThemesAndSizes } from './capture-screenshots.ts';
import { setUpTestEnvironment } from './test-environment.ts';

const environment = setUpTestEnvironment();
const WIDTHS = [360, 1_600];

type Sent = { _id: string; seq: number };
type Conversation = { id: string; title: string; path: string };

async function createConversation(creator: Client, ...others: Client[]): Promise<Conversation> {
  const title = `room-${environment.uniqueWord().toLowerCase()}`;
  const body = { type: 'group', title, participants: others.map(({ id }) => id) };
  const { _id: id } = await expectStatus(creator.call<{ _id: string }>('POST', '/chat/conversations', body), 201);
  return { id, title, path: `/chat?c=${id}` };
}

const send = ({ call }: Client, { id }: Conversation, content: string, fields: object = {}) =>
  expectStatus(call<Sent>('POST', '/chat/messages', { conversation: id, content, ...fields }), 201);

const createPair = () =>
  Promise.all([environment.createUser('Nora', 'member'), environment.createUser('Theo', 'member')]);

const log = (page: Page): Locator => page.getByRole('region', { name: /^Messages in room-/ });
const panel = (page: Page): Locator => page.getByRole('region', { name: 'Thread', exact: true });
const replies = (page: Page): Locator => page.getByRole('region', { name: 'Messages in thread' });
const article = (container: Locator, words: string): Locator =>
  container.getByRole('article').filter({ has: container.page().getByText(words, { exact: true }) });
const summary = (page: Page, text: RegExp): Locator => log(page).getByRole('button', { name: text });
const view = (page: Page): Locator => page.getByRole('region', { name: 'Threads', exact: true });
const threadsLink = (page: Page): Locator => page.getByRole('link', { name: /^Threads/ });
const composer = (page: Page): Locator => panel(page).getByRole('textbox', { name: 'Reply' });

async function reply(page: Page, text: string): Promise<void> {
  await composer(page).fill(text);
  await composer(page).press('Enter');
  await article(replies(page), text).waitFor();
}

/** Reads the label of the badge in a link. */
async function readCount(link: Locator): Promise<number> {
  const labels = await link.getByText(/^\d+ unread/).allTextContents();
  return Number.parseInt(labels[0] ?? '0', 10);
}

/** Waits until the tab, the navigation, the list, and the server show the same number of unread replies. */
async function waitForUnreadReplies({ page }: BrowserUser, reader: Client, count: number): Promise<void> {
  const shown = async () => ({
    title: Number(/^\((\d+)\)/.exec(await page.title())?.[1] ?? 0),
    navigation: await readCount(page.getByRole('navigation').getByRole('link', { name: /Team Chat/ })),
    list: await readCount(threadsLink(page)),
    server: (await expectStatus(reader.call<{ threads: number }>('GET', '/chat/unread'), 200)).threads,
  });
  const expected = { title: count, navigation: count, list: count, server: count };
  let last: object = {};
  await waitFor(
    async () => {
      last = await shown();
      return JSON.stringify(last) === JSON.stringify(expected);
    },
    { description: `${count} unread replies everywhere` },
  ).catch((error: unknown) => {
    throw new Error(`${error}: ${JSON.stringify(last)}`);
  });
}

describe('a thread', () => {
  it('opens next to its conversation, and is live for both users', async () => {
    const [nora, theo] = await createPair();
    const conversation = await createConversation(nora, theo);
    await send(nora, conversation, 'Where do we meet on Thursday?');
    const writer = await environment.openPage(nora, conversation.path);
    const reader = await environment.openPage(theo, conversation.path);
    await article(log(reader.page), 'Where do we meet on Thursday?').hover();
    await log(reader.page).getByRole('button', { name: 'Reply in thread' }).click();
    await panel(reader.page).getByRole('heading', { name: 'Thread' }).waitFor();
    await reply(reader.page, 'In the kitchen');
    await summary(writer.page, /1 reply/).click();
    await article(replies(writer.page), 'In the kitchen').waitFor();
    await reply(writer.page, 'Fine, at noon');
    await article(replies(reader.page), 'Fine, at noon').waitFor();
    await summary(reader.page, /2 replies/).waitFor();
    expect(await log(reader.page).getByText('Fine, at noon').count()).toBe(0);

    await panel(writer.page).getByText(`Also send to ${conversation.title}`).click();
    await reply(writer.page, 'We meet in the kitchen at noon');
    const copy = article(log(reader.page), 'We meet in the kitchen at noon');
    await copy.getByRole('button', { name: /Replied to a thread: Where do we meet/ }).waitFor();
    expect(await panel(writer.page).getByRole('checkbox').isChecked()).toBe(false);

    const own = article(replies(writer.page), 'Fine, at noon');
    await own.hover();
    await own.getByRole('button', { name: 'Edit message' }).click();
    await panel(writer.page).getByRole('textbox', { name: 'Edit message' }).fill('Fine, at one');
    await writer.page.keyboard.press('Enter');
    await article(replies(reader.page), 'Fine, at one (edited)')
      .or(replies(reader.page).getByText('Fine, at one'))
      .first()
      .waitFor();
    await captureThemesAndSizes(reader, 'thread', WIDTHS);

    await reader.page.reload();
    await article(replies(reader.page), 'In the kitchen').waitFor();
    await reader.page.goBack();
    await panel(reader.page).waitFor({ state: 'detached' });
    await reader.page.goForward();
    await article(replies(reader.page), 'In the kitchen').waitFor();
  });

  it('shows who is typing in it, apart from its conversation', async () => {
    const [nora, theo] = await createPair();
    const conversation = await createConversation(nora, theo);
    const root = await send(nora, conversation, 'Who books the room?');
    await send(nora, conversation, 'Any takers?', { thread: root._id });
    const writer = await environment.openPage(nora, conversation.path);
    const reader = await environment.openPage(theo, conversation.path);
    for (const { page } of [writer, reader]) await summary(page, /1 reply/).click();
    const typing = reader.page.getByText('Nora is typing…');
    const inPanel = panel(reader.page).getByText('Nora is typing…');
    await composer(writer.page).pressSequentially('I do');
    await inPanel.waitFor();
    expect(await typing.count()).toBe(1);
    await captureThemesAndSizes(reader, 'thread-typing', WIDTHS);
    await composer(writer.page).press('Enter');
    await article(replies(reader.page), 'I do').waitFor();
    await inPanel.waitFor({ state: 'detached' });
    await writer.page.getByRole('textbox', { name: /^Message room-/ }).pressSequentially('Done');
    await typing.waitFor();
    expect(await inPanel.count()).toBe(0);
  });

  it('counts once for those who follow it, until its replies have been visible', async () => {
    const [nora, theo] = await createPair();
    const conversation = await createConversation(nora, theo);
    const root = await send(nora, conversation, 'Who takes the minutes?');
    const user = await environment.openPage(nora, '/chat');
    await log(user.page).getByText('Who takes the minutes?').waitFor();
    await send(theo, conversation, 'I can', { thread: root._id });
    await send(theo, conversation, 'From ten on', { thread: root._id });
    await waitForUnreadReplies(user, nora, 2);
    await summary(user.page, /2 replies.*2 unread/).waitFor();
    await threadsLink(user.page).click();
    await view(user.page)
      .getByRole('button', { name: /2 unread replies/ })
      .waitFor();
    await captureThemesAndSizes(user, 'threads-view', WIDTHS);
    await view(user.page)
      .getByRole('button', { name: /Who takes the minutes/ })
      .click();
    await article(replies(user.page), 'From ten on').waitFor();
    await waitForUnreadReplies(user, nora, 0);
    await view(user.page).getByRole('radio', { name: 'Unread' }).click({ force: true });
    await view(user.page).getByText('No unread replies').waitFor();
    await user.page.goBack();
    await view(user.page)
      .getByRole('button', { name: /Who takes the minutes/ })
      .waitFor();

    await view(user.page)
      .getByRole('button', { name: /Who takes the minutes/ })
      .click();
    await panel(user.page).getByRole('button', { name: 'Unfollow' }).click();
    await panel(user.page).getByRole('button', { name: 'Follow', exact: true }).waitFor();
    await panel(user.page).getByRole('button', { name: 'Jump to message' }).click();
    await log(user.page).getByText('Who takes the minutes?').waitFor();
    await panel(user.page).getByRole('button', { name: 'Close thread' }).last().click();
    await send(theo, conversation, 'Not counted', { thread: root._id });
    await summary(user.page, /3 replies/).waitFor();
    await waitForUnreadReplies(user, nora, 0);
  });

  it('can be used with the keyboard alone, and survives the deletion of its root', async () => {
    const [nora, theo] = await createPair();
    const conversation = await createConversation(nora, theo);
    const root = await send(nora, conversation, 'Any objections?');
    const { page } = await environment.openPage(theo, conversation.path);
    await article(log(page), 'Any objections?').focus();
    await page.keyboard.press('t');
    await composer(page).and(page.locator(':focus')).waitFor();
    await page.keyboard.type('None');
    await page.keyboard.press('Enter');
    await summary(page, /1 reply/).waitFor();
    await page.keyboard.press('Escape');
    await panel(page).waitFor({ state: 'detached' });
    await summary(page, /1 reply/)
      .and(page.locator(':focus'))
      .waitFor();
    await page.keyboard.press('Enter');
    await article(replies(page), 'None').waitFor();
    await expectStatus(nora.call('DELETE', `/chat/messages/${root._id}`), 204);
    await replies(page).getByText('This message was deleted').waitFor();
    await reply(page, 'Still here');
    await page.keyboard.press('Escape');
    await summary(page, /2 replies/).waitFor();
  });

  it('fills the screen of a phone, and leads back to the conversation', async () => {
    const [nora, theo] = await createPair();
    const conversation = await createConversation(nora, theo);
    const root = await send(nora, conversation, 'Lunch?');
    await send(theo, conversation, 'Yes', { thread: root._id });
    const { page } = await environment.openPage(nora, '/chat');
    await page.setViewportSize({ width: 360, height: 740 });
    await page.getByRole('link', { name: conversation.title }).click();
    await summary(page, /1 reply/).click();
    await article(replies(page), 'Yes').waitFor();
    const box = await panel(page).boundingBox();
    expect([box?.x, box?.width]).toEqual([0, 360]);
    expect(await log(page).isVisible()).toBe(false);
    await panel(page).getByRole('button', { name: 'Close thread' }).first().click();
    await log(page).getByText('Lunch?').waitFor();
  });
});
