import { waitFor } from '@atrium/test-kit/wait-for';
import { describe, expect, it } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import { type Client, expectStatus } from '../workspace/workspace.ts';
import { type BrowserUser, dialog, toast } from './browser-user.ts';
import { captureThemesAndSizes } from './capture-screenshots.ts';
import { setUpTestEnvironment } from './test-environment.ts';

const environment = setUpTestEnvironment();

const SIZES = [360, 1_600];

type Conversation = { _id: string; title: string };

const listOf = (page: Page): Locator => page.getByRole('region', { name: 'Conversations' });
const section = (page: Page, title: string): Locator => listOf(page).getByRole('region', { name: title, exact: true });
const row = (page: Page, name: string): Locator => listOf(page).getByRole('link', { name: new RegExp(name) });
const headingOf = (page: Page, title: string): Locator => page.getByRole('heading', { level: 2, name: title });
const composer = (page: Page): Locator => page.getByRole('textbox', { name: /^Message/ });
const filterField = (page: Page): Locator => page.getByRole('searchbox', { name: 'Filter conversations' });

async function createChannel(client: Client, title: string, body: object = {}): Promise<Conversation> {
  const unique = `${title}-${environment.uniqueWord().toLowerCase()}`;
  const channel = { type: 'group', title: unique, ...body };
  return expectStatus(client.call<Conversation>('POST', '/chat/conversations', channel), 201);
}

const send = (client: Client, { _id: conversation }: Conversation, content: string) =>
  expectStatus(client.call('POST', '/chat/messages', { conversation, content }), 201);

async function createUsers(): Promise<{ nora: Client; theo: Client }> {
  const [nora, theo] = await Promise.all([
    environment.createUser('Nora', 'member'),
    environment.createUser('Theo', 'member'),
  ]);
  return { nora, theo };
}

async function chooseInRowMenu({ page }: BrowserUser, name: string, item: string): Promise<void> {
  await row(page, name).click({ button: 'right' });
  await page.getByRole('menuitem', { name: item }).click();
}

async function chooseInHeader({ page }: BrowserUser, item: string): Promise<void> {
  await page.getByRole('button', { name: 'Conversation options' }).click();
  await page.getByRole('menuitem', { name: item }).click();
}

/** Lists the names of the shown conversations. */
const listNames = (page: Page): Promise<string[]> =>
  listOf(page).getByRole('listitem').locator('strong').allInnerTexts();

describe('channels', () => {
  it('are browsed by name, joined, and opened, and appear live', async () => {
    const { nora, theo } = await createUsers();
    const lunch = await createChannel(nora, 'lunch', { visibility: 'public', purpose: 'Where to eat at noon' });
    const cycling = await createChannel(nora, 'cycling', { visibility: 'public', purpose: 'Rides on Sunday' });
    await send(nora, lunch, 'Noodles today?');
    const user = await environment.openPage(theo, '/chat');
    const { page } = user;
    await page.getByRole('button', { name: 'Browse channels' }).first().click();
    const browse = dialog(user, 'Browse channels');
    await browse.getByRole('button', { name: `Join ${cycling.title}` }).waitFor();
    await captureThemesAndSizes(user, 'channels-browse', SIZES);
    const added = await createChannel(nora, 'added-live', { visibility: 'public' });
    await browse.getByText(added.title).waitFor();
    await browse.getByRole('searchbox', { name: 'Search channels' }).fill('noon');
    await browse.getByText(cycling.title).waitFor({ state: 'detached' });
    await browse.getByRole('button', { name: `Join ${lunch.title}` }).click();
    await headingOf(page, lunch.title).waitFor();
    await page.getByText('Noodles today?').last().waitFor();
    await section(page, 'Channels').getByRole('link', { name: lunch.title }).waitFor();
    await composer(page).fill('Count me in');
    await page.keyboard.press('Enter');
    await page.getByRole('article').filter({ hasText: 'Count me in' }).waitFor();
    await page.getByRole('button', { name: 'Browse channels' }).first().click();
    await browse.getByRole('button', { name: `Open ${lunch.title}` }).click();
    await browse.waitFor({ state: 'detached' });
    await headingOf(page, lunch.title).waitFor();
  });

  it('are created as public ones with a purpose', async () => {
    const { nora, theo } = await createUsers();
    const user = await environment.openPage(nora, '/chat');
    const { page } = user;
    const title = `garden-${environment.uniqueWord().toLowerCase()}`;
    await page.getByRole('button', { name: 'New Channel' }).first().click();
    const form = dialog(user, 'Create New Channel');
    await form.getByLabel('Channel name').fill(title);
    await form.getByLabel('Purpose').fill('Plants in the office');
    await form.getByText(/^Public/).click();
    await captureThemesAndSizes(user, 'channels-create', SIZES);
    await form.getByRole('button', { name: 'Create Channel' }).click();
    await headingOf(page, title).waitFor();
    await page.getByText('1 member · Plants in the office').waitFor();
    const found = await expectStatus(
      theo.call<{ data: Conversation[] }>('GET', '/chat/channels?search=plants%20office'),
      200,
    );
    expect(found.data.map((channel) => channel.title)).toEqual([title]);
  });

  it('are archived and restored live, and take messages from managers only if so set', async () => {
    const { nora, theo } = await createUsers();
    const channel = await createChannel(nora, 'release', { participants: [theo.id] });
    await send(nora, channel, 'Version 2 is out');
    const path = `/chat?c=${channel._id}`;
    const [manager, member] = await Promise.all([environment.openPage(nora, path), environment.openPage(theo, path)]);
    await composer(member.page).fill('unfinished draft');

    await chooseInHeader(manager, 'Channel settings');
    const settings = dialog(manager, 'Channel settings');
    await settings.getByLabel('Purpose').fill('About releases');
    await settings.getByRole('radiogroup', { name: 'Who can write messages' }).getByText('Managers only').click();
    await captureThemesAndSizes(manager, 'channels-settings', SIZES);
    await settings.getByRole('button', { name: 'Save changes' }).click();
    await toast(manager.page, 'Channel settings saved');
    await member.page.getByText('Only managers of this channel can write here. You can reply in threads.').waitFor();
    await composer(member.page).waitFor({ state: 'detached' });
    await member.page.getByText('2 members · About releases').waitFor();
    await composer(manager.page).waitFor();
    await captureThemesAndSizes(member, 'channels-announcements', SIZES);

    await chooseInHeader(manager, 'Archive channel');
    await manager.page.getByRole('alertdialog').getByRole('button', { name: 'Archive' }).click();
    await toast(manager.page, 'Channel archived');
    for (const { page } of [manager, member]) {
      await page.getByText('This channel is archived. Its messages stay readable.').waitFor();
      expect(await page.getByRole('article').filter({ hasText: 'Version 2 is out' }).isVisible()).toBe(true);
    }
    await captureThemesAndSizes(manager, 'channels-archived', SIZES);
    expect(await member.page.getByRole('button', { name: 'Restore' }).count()).toBe(0);
    await manager.page.getByRole('button', { name: 'Restore' }).click();
    await toast(manager.page, 'Channel restored');
    await expectStatus(nora.call('PATCH', `/chat/conversations/${channel._id}`, { posting: 'everyone' }), 200);
    await composer(member.page).waitFor();
    expect(await composer(member.page).inputValue()).toBe('unfinished draft');
  });
});

describe('the conversation list', () => {
  it('has sections, stars, muted, and hidden conversations, live in another tab', async () => {
    const { nora, theo } = await createUsers();
    const [design, ops, social, press] = [
      await createChannel(nora, 'design', { participants: [theo.id], visibility: 'public' }),
      await createChannel(nora, 'operations', { participants: [theo.id] }),
      await createChannel(nora, 'social', { participants: [theo.id], visibility: 'public' }),
      await createChannel(nora, 'newsletter', { participants: [theo.id], visibility: 'public' }),
    ];
    const direct = await expectStatus(
      nora.call<Conversation>('POST', '/chat/conversations', { type: 'direct', participants: [theo.id] }),
      201,
    );
    await send(nora, direct, 'Do you have a minute?');
    for (const channel of [design, ops, social, press]) await send(nora, channel, `Welcome to ${channel.title}`);
    const user = await environment.openPage(theo, `/chat?c=${design._id}`);
    const { page } = user;
    const otherTab = await environment.openPage(theo, `/chat?c=${design._id}`);
    await row(page, ops.title).waitFor();
    await section(page, 'Direct messages').getByRole('link', { name: /Nora/ }).waitFor();

    await chooseInHeader(user, 'Star');
    await chooseInRowMenu(user, ops.title, 'Move to section…');
    const move = dialog(user, 'Move to section');
    await move.getByLabel('Section name').fill('Daily work');
    await captureThemesAndSizes(user, 'channels-section', SIZES);
    await move.getByRole('button', { name: 'Move' }).click();
    await row(page, social.title).click({ button: 'right' });
    await page.getByRole('menuitemradio', { name: 'Nothing' }).click();
    await captureThemesAndSizes(user, 'channels-menu', [1_600]);
    await page.keyboard.press('Escape');
    await page.getByRole('menu').waitFor({ state: 'detached' });
    await send(nora, social, 'Who wins tonight?');
    for (const tab of [page, otherTab.page]) {
      await section(tab, 'Starred').getByRole('link', { name: design.title }).waitFor();
      await section(tab, 'Daily work').getByRole('link', { name: ops.title }).waitFor();
      await row(tab, social.title).filter({ hasText: 'Who wins tonight?' }).getByText('Muted').waitFor();
      expect(
        await row(tab, social.title)
          .getByText(/unread message/)
          .count(),
      ).toBe(0);
      await row(tab, ops.title).getByText('1 unread message').waitFor();
    }
    await send(nora, ops, `<@${theo.id}>, please check the backups`);
    for (const tab of [page, otherTab.page]) {
      await row(tab, ops.title).getByText('1 mention', { exact: true }).waitFor();
      await row(tab, ops.title).getByText('2 unread messages').waitFor();
    }
    await page.mouse.move(0, 0);
    await captureThemesAndSizes(user, 'channels-list', [1_600]);
    await page.goto(`${user.base}/chat`);
    await page.setViewportSize({ width: 360, height: 740 });
    await page.goto(`${user.base}/chat`);
    await row(page, ops.title).waitFor();
    await captureThemesAndSizes(user, 'channels-list', [360]);
    await page.setViewportSize({ width: 1_280, height: 800 });

    await row(page, press.title).click();
    await headingOf(page, press.title).waitFor();
    await row(page, design.title).click();
    await row(page, press.title)
      .getByText(/unread message/)
      .waitFor({ state: 'detached' });
    await chooseInRowMenu(user, press.title, 'Hide');
    await toast(page, 'Hidden until there are new messages');
    for (const tab of [page, otherTab.page]) await row(tab, press.title).waitFor({ state: 'detached' });
    await send(nora, press, 'Issue 12 is out');
    for (const tab of [page, otherTab.page]) await row(tab, press.title).waitFor();

    await section(page, 'Daily work').getByRole('button', { name: 'Daily work' }).click();
    await row(page, ops.title).getByText('2 unread messages').waitFor();
    await expectStatus(theo.call('POST', `/chat/conversations/${ops._id}/read`), 200);
    await row(page, ops.title).waitFor({ state: 'detached' });
    await page.reload();
    await section(page, 'Daily work').waitFor();
    expect(await row(page, ops.title).count()).toBe(0);
  });

  it('is filtered and moved through by keyboard only, and shows unread conversations only', async () => {
    const { nora, theo } = await createUsers();
    const channels = [];
    for (const title of ['alpha', 'beta', 'gamma'])
      channels.push(await createChannel(nora, title, { participants: [theo.id] }));
    const [alpha, beta, gamma] = channels;
    if (!alpha || !beta || !gamma) throw new Error('Not all channels were created');
    const user = await environment.openPage(theo, `/chat?c=${gamma._id}`);
    const { page } = user;
    await composer(page).waitFor();
    expect(await listNames(page)).toEqual([gamma.title, beta.title, alpha.title]);

    await page.keyboard.press('Alt+ArrowDown');
    await headingOf(page, beta.title).waitFor();
    await page.keyboard.press('Alt+ArrowDown');
    await headingOf(page, alpha.title).waitFor();
    await page.keyboard.press('Alt+ArrowUp');
    await headingOf(page, beta.title).waitFor();

    await filterField(page).focus();
    await page.keyboard.type('gam');
    await row(page, alpha.title).waitFor({ state: 'detached' });
    expect(await listNames(page)).toEqual([gamma.title]);
    await captureThemesAndSizes(user, 'channels-filter', [1_600]);
    await page.keyboard.press('Enter');
    await headingOf(page, gamma.title).waitFor();
    await filterField(page).focus();
    await page.keyboard.press('Escape');
    await row(page, alpha.title).waitFor();
    expect(await filterField(page).inputValue()).toBe('');
    await filterField(page).fill('no such conversation');
    await page.getByText('No conversations found').waitFor();
    await page.keyboard.press('Escape');

    await row(page, gamma.title).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Shift+F10');
    await page.getByRole('menuitem', { name: 'Star' }).waitFor();
    await page.keyboard.press('Enter');
    await section(page, 'Starred').getByRole('link', { name: beta.title }).waitFor();

    await send(nora, alpha, 'Something new');
    await row(page, alpha.title).getByText('1 unread message').waitFor();
    await filterField(page).focus();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Space');
    await page.getByRole('button', { name: 'Unread only', pressed: true }).waitFor();
    await waitFor(async () => (await listNames(page)).join() === [alpha.title, gamma.title].join(), {
      description: 'the open and the unread conversation to be listed',
    });
  });

  it('is unchanged with an error if a preference cannot be saved', async () => {
    const { nora, theo } = await createUsers();
    const channel = await createChannel(nora, 'unstarred', { participants: [theo.id] });
    const user = await environment.openPage(theo, `/chat?c=${channel._id}`);
    await composer(user.page).waitFor();
    await user.page.route('**/preferences', (route) => route.fulfill({ status: 400, json: {} }));
    await chooseInHeader(user, 'Star');
    await toast(user.page, 'Failed to update conversation');
    await section(user.page, 'Starred').waitFor({ state: 'detached' });
    await section(user.page, 'Channels').getByRole('link', { name: channel.title }).waitFor();
  });
});
