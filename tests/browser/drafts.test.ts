import type { Message } from '@atrium/proto-events/http/chat/messages';
import type { ScheduledMessage } from '@atrium/proto-events/http/chat/scheduled';
import { waitFor } from '@atrium/test-kit/wait-for';
import { describe, expect, it } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import { type Client, expectStatus } from '../workspace/workspace.ts';
import { type BrowserUser, dialog, toast } from './browser-user.ts';
import { captureThemesAndSizes } from './capture-screenshots.ts';
import { setUpTestEnvironment } from './test-environment.ts';

const environment = setUpTestEnvironment();

const SIZES = [360, 1_600];
/** The soonest time that a message can be scheduled for, and a second for the request. */
const SOONEST_MS = 61_000;

type Conversation = { _id: string };

const composer = (page: Page): Locator => page.getByRole('textbox', { name: /^Message/ });
const listOf = (page: Page): Locator => page.getByRole('region', { name: 'Conversations' });
const viewLink = (page: Page, name: string): Locator =>
  listOf(page).getByRole('link', { name: new RegExp(`^${name}`) });
const view = (page: Page, name: string): Locator => page.getByRole('region', { name, exact: true });
const article = (page: Page, text: string): Locator => page.getByRole('article').filter({ hasText: text });

/** Creates two channels of two users, of which the first one is open on both pages. */
async function openTwoDevices(): Promise<{
  nora: Client;
  theo: Client;
  paths: [string, string];
  ids: [string, string];
}> {
  const [nora, theo] = await Promise.all([
    environment.createUser('Nora', 'member'),
    environment.createUser('Theo', 'member'),
  ]);
  const create = async (title: string) => {
    const body = {
      type: 'group',
      title: `${title}-${environment.uniqueWord().toLowerCase()}`,
      participants: [theo.id],
    };
    return (await expectStatus(nora.call<Conversation>('POST', '/chat/conversations', body), 201))._id;
  };
  const ids: [string, string] = [await create('plans'), await create('lunch')];
  return { nora, theo, ids, paths: [`/chat?c=${ids[0]}`, `/chat?c=${ids[1]}`] };
}

const untilText = (page: Page, text: string) =>
  waitFor(async () => (await composer(page).inputValue()) === text, { description: `the draft "${text}"` });

async function openMenu({ page }: BrowserUser, text: string, item: string): Promise<void> {
  await article(page, text).hover();
  await article(page, text).getByRole('button', { name: 'Message actions' }).click();
  await page.getByRole('menuitem', { name: item }).click();
}

async function chooseSendLater(page: Page, item: RegExp): Promise<void> {
  await page.getByRole('button', { name: 'Send later' }).click();
  await page.getByRole('menuitem', { name: item }).click();
}

describe('a draft', () => {
  it('appears on the other device of its author, and goes when it is sent there', async () => {
    const { nora, theo, ids, paths } = await openTwoDevices();
    const desktop = await environment.openPage(nora, paths[0]);
    const phone = await environment.openPage(nora, paths[0]);
    await composer(desktop.page).fill('The agenda for Monday');
    await untilText(phone.page, 'The agenda for Monday');
    await phone.page.goto(`${phone.base}${paths[1]}`);
    const row = listOf(phone.page).locator(`[data-conversation="${ids[0]}"]`);
    await row.getByText('Draft', { exact: true }).waitFor({ state: 'attached' });
    await viewLink(phone.page, 'Drafts').click();
    await view(phone.page, 'Drafts').getByText('The agenda for Monday').waitFor();
    await captureThemesAndSizes(phone, 'drafts-view', SIZES);
    await view(phone.page, 'Drafts').getByRole('button', { name: 'Continue writing' }).click();
    await untilText(phone.page, 'The agenda for Monday');
    await phone.page.keyboard.press('Enter');
    await article(phone.page, 'The agenda for Monday').waitFor();
    await untilText(desktop.page, '');
    await viewLink(desktop.page, 'Drafts').waitFor({ state: 'detached' });
    const other = await environment.openPage(theo, paths[0]);
    await article(other.page, 'The agenda for Monday').waitFor();
    expect(await viewLink(other.page, 'Drafts').count()).toBe(0);
  });

  it('is saved when the page is closed, and deleted with an undo', async () => {
    const { nora, paths } = await openTwoDevices();
    const first = await environment.openPage(nora, paths[0]);
    await composer(first.page).waitFor();
    await first.page.waitForLoadState('networkidle');
    await composer(first.page).fill('Written and closed');
    await first.page.close({ runBeforeUnload: true });
    const second = await environment.openPage(nora, paths[0]);
    await untilText(second.page, 'Written and closed');
    await viewLink(second.page, 'Drafts').click();
    const drafts = view(second.page, 'Drafts');
    await drafts.getByRole('button', { name: 'Delete' }).click();
    await drafts.getByText('No drafts').waitFor();
    await drafts.locator(':focus').waitFor();
    await captureThemesAndSizes(second, 'drafts-empty', SIZES);
    await second.page.getByRole('button', { name: 'Undo' }).click();
    await drafts.getByText('Written and closed').waitFor();
  });

  it('is kept together with the text of another device when both were changed', async () => {
    const { nora, ids, paths } = await openTwoDevices();
    const user = await environment.openPage(nora, paths[0]);
    await composer(user.page).fill('Typed here');
    const saved = (content: string) =>
      waitFor(
        async () => {
          const drafts = await expectStatus(nora.call<{ data: { content: string }[] }>('GET', '/chat/drafts'), 200);
          return drafts.data.some((draft) => draft.content === content);
        },
        { description: `"${content}" to be saved` },
      );
    await saved('Typed here');
    await composer(user.page).fill('Typed here, and more');
    await expectStatus(nora.call('PUT', '/chat/drafts', { conversation: ids[0], content: 'From elsewhere' }), 200);
    await saved('From elsewhere\nTyped here, and more');
    await untilText(user.page, 'From elsewhere\nTyped here, and more');
  });
});

describe('a scheduled message', () => {
  it('is chosen from a menu, can be changed, and appears on time', async () => {
    const { nora, theo, paths } = await openTwoDevices();
    const user = await environment.openPage(nora, paths[0]);
    const { page } = user;
    await composer(page).fill('Good morning, everyone');
    await page.getByRole('button', { name: 'Send later' }).click();
    await page.getByRole('menuitem', { name: /^Tomorrow/ }).waitFor();
    await captureThemesAndSizes(user, 'send-later-menu', SIZES);
    await page.getByRole('menuitem', { name: 'In 30 minutes' }).click();
    await toast(page, 'Message scheduled');
    await untilText(page, '');
    await viewLink(page, 'Scheduled').click();
    const scheduled = view(page, 'Scheduled');
    await scheduled.getByText('Good morning, everyone').waitFor();
    await scheduled.getByRole('button', { name: 'Edit' }).click();
    await dialog(user, 'Edit scheduled message').getByLabel('Message').fill('Good morning, all');
    await dialog(user, 'Edit scheduled message').getByRole('button', { name: 'Save' }).click();
    await scheduled.getByText('Good morning, all').waitFor();
    await scheduled.getByRole('button', { name: 'Reschedule' }).click();
    await dialog(user, 'Reschedule')
      .getByRole('button', { name: /^Monday|^Tomorrow/ })
      .first()
      .waitFor();
    await captureThemesAndSizes(user, 'reschedule-dialog', SIZES);
    await dialog(user, 'Reschedule')
      .getByRole('button', { name: /^Tomorrow/ })
      .click();
    await scheduled.getByText(/^Sends tomorrow at/).waitFor();
    await captureThemesAndSizes(user, 'scheduled-view', SIZES);
    const { data } = await expectStatus(nora.call<{ data: ScheduledMessage[] }>('GET', '/chat/scheduled'), 200);
    const sendAt = new Date(Date.now() + SOONEST_MS).toISOString();
    await expectStatus(nora.call('PATCH', `/chat/scheduled/${data[0]?._id}`, { sendAt }), 200);
    await scheduled.getByText(/^Sends today at/).waitFor();
    const other = await environment.openPage(theo, paths[0]);
    await article(other.page, 'Good morning, all').waitFor({ timeout: 90_000 });
    expect(Date.now()).toBeGreaterThanOrEqual(Date.parse(sendAt));
    await scheduled.getByText('No scheduled messages').waitFor();
  });

  it('shows why it was not sent, and is sent now or deleted', async () => {
    const { nora, ids, paths } = await openTwoDevices();
    const user = await environment.openPage(nora, paths[0]);
    const { page } = user;
    for (const text of ['The first one', 'The second one']) {
      await composer(page).fill(text);
      await chooseSendLater(page, /^In 30 minutes/);
      await toast(page, 'Message scheduled');
    }
    await viewLink(page, 'Scheduled').click();
    const scheduled = view(page, 'Scheduled');
    const item = (text: string) => scheduled.getByRole('listitem').filter({ hasText: text });
    await expectStatus(nora.call('POST', `/chat/conversations/${ids[0]}/archive`), 200);
    await item('The first one').getByRole('button', { name: 'Send now' }).click();
    await toast(page, 'This channel is archived');
    await expectStatus(nora.call('POST', `/chat/conversations/${ids[0]}/restore`), 200);
    await item('The second one').getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
    await item('The second one').waitFor({ state: 'detached' });
    await scheduled.locator(':focus').waitFor();
    await item('The first one').getByRole('button', { name: 'Send now' }).click();
    await article(page, 'The first one').waitFor();
  });
});

it('a reminder is set from the menu of a message, and shown with the saved messages', async () => {
  const { nora, theo, ids, paths } = await openTwoDevices();
  const body = { conversation: ids[0], content: 'Please review the contract' };
  await expectStatus(theo.call<Message>('POST', '/chat/messages', body), 201);
  const user = await environment.openPage(nora, paths[0]);
  const { page } = user;
  await openMenu(user, 'Please review', 'Remind me about this');
  await dialog(user, 'Remind me').getByRole('button', { name: 'In 3 hours' }).waitFor();
  await captureThemesAndSizes(user, 'reminder-dialog', SIZES);
  await dialog(user, 'Remind me')
    .getByRole('button', { name: /^Tomorrow/ })
    .click();
  await toast(page, 'Reminder set');
  await page.setViewportSize({ width: 1_280, height: 800 });
  await page.getByRole('button', { name: 'Saved messages' }).click();
  const saved = dialog(user, 'Saved messages');
  await saved.getByText(/^Reminder tomorrow at/).waitFor();
  await captureThemesAndSizes(user, 'saved-reminder', SIZES);
  await saved.getByRole('button', { name: 'Remove reminder' }).click();
  await saved.getByText(/^Reminder tomorrow at/).waitFor({ state: 'detached' });
});
