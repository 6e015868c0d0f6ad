import { buildPng } from '@atrium/test-kit/build-png';
import { expect } from '@jest/globals';
import { expectStatus } from '../../workspace/workspace.ts';
import { dialog, toast } from '../browser-user.ts';
import { captureThemesAndSizes } from '../capture-screenshots.ts';
import { browseByKeyboard } from './keyboard-path.ts';
import { chooseInHeader, message, openConversation, row, SIZES, say, section, untilSeen } from './screen.ts';
import { DEPARTMENT, everyone, type Team } from './team.ts';

/** The administrator creates a public channel with a department, and an emoji. */
export async function createChannelAndEmoji(team: Team): Promise<void> {
  const { admin, desk, keys, manager } = team;
  const { page } = admin;
  await page.getByRole('button', { name: 'New Channel' }).first().click();
  const form = dialog(admin, 'Create New Channel');
  await form.getByLabel('Channel name').fill('launch');
  await form.getByLabel('Purpose').fill('The release of version 3');
  await form.getByText(/^Public/).click();
  await form.getByRole('button', { name: 'Create Channel' }).click();
  await page.getByRole('heading', { level: 2, name: 'launch' }).waitFor();
  await page.getByRole('button', { name: 'Info', exact: true }).click();
  const info = dialog(admin, 'Group Chat Info');
  await info.getByRole('button', { name: 'Add department or project' }).click();
  await info.getByRole('combobox', { name: /Department/ }).fill(DEPARTMENT);
  await page.getByRole('option', { name: DEPARTMENT }).click();
  await info.getByRole('button', { name: 'Add', exact: true }).click();
  await toast(page, 'Members are being added to the channel');
  await info.getByText('Members (52)').waitFor();
  await captureThemesAndSizes(admin, 'day-members', SIZES);
  await page.keyboard.press('Escape');
  await untilSeen([desk, keys, manager, team.phone], (other) => row(other, 'launch'));
  await addEmoji(team);
}

async function addEmoji({ admin }: Team): Promise<void> {
  const { page } = admin;
  await page.goto(`${admin.base}/settings#emoji`);
  const form = page.getByRole('form', { name: 'Add emoji' });
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    form.getByRole('button', { name: 'Choose image' }).click(),
  ]);
  const buffer = buildPng({ width: 64, height: 64, shade: 120 });
  await chooser.setFiles({ name: 'Ship It.png', mimeType: 'image/png', buffer });
  await form.getByRole('button', { name: 'Add emoji' }).click();
  await toast(page, ':ship_it: added');
  const emoji = page.getByRole('list', { name: 'Emoji of the workspace' }).getByText(':ship_it:');
  await captureThemesAndSizes(admin, 'day-emoji', SIZES, emoji);
  await page.goto(`${admin.base}/chat`);
  await openConversation(admin, 'launch');
}

/** Everyone opens the channel, and joins another one that they find. */
export async function joinChannels(team: Team): Promise<void> {
  const { admin, manager, desk, phone, keys } = team;
  const body = { type: 'group', title: 'lunch', visibility: 'public', purpose: 'Where to eat at noon' };
  await expectStatus(manager.client.call('POST', '/chat/conversations', body), 201);
  for (const user of [admin, desk, phone]) {
    const { page } = user;
    const back = page.getByRole('button', { name: 'All conversations' });
    if (await back.isVisible()) await back.click();
    await page.getByRole('button', { name: 'Browse channels' }).first().click();
    const browse = dialog(user, 'Browse channels');
    await browse.getByRole('searchbox', { name: 'Search channels' }).fill('noon');
    await browse.getByRole('button', { name: 'Open launch' }).waitFor({ state: 'detached' });
    if (user === phone) await captureThemesAndSizes(user, 'day-browse', [360]);
    if (user === desk) await captureThemesAndSizes(user, 'day-browse', [1_600]);
    await browse.getByRole('button', { name: 'Join lunch' }).click();
    await page.getByRole('heading', { level: 2, name: 'lunch' }).waitFor();
  }
  await browseByKeyboard(keys);
  await openConversation(manager, 'lunch');
  await say(manager, 'Noodles or salad today?');
  await untilSeen(everyone(team), (page) => message(page, 'Noodles or salad'));
}

/** The phone mutes one channel and stars another. */
export async function sortList({ phone, manager }: Team): Promise<void> {
  const { page } = phone;
  await chooseInHeader(phone, 'Nothing', 'menuitemradio');
  await openConversation(phone, 'launch');
  await chooseInHeader(phone, 'Star');
  await page.getByRole('button', { name: 'All conversations' }).click();
  await section(page, 'Starred')
    .getByRole('link', { name: /launch/ })
    .waitFor();
  await say(manager, 'Salad it is');
  await row(page, 'lunch').filter({ hasText: 'Salad it is' }).getByText('Muted').waitFor({ state: 'attached' });
  expect(
    await row(page, 'lunch')
      .getByText(/unread message/)
      .count(),
  ).toBe(0);
  await captureThemesAndSizes(phone, 'day-list', [360]);
}
