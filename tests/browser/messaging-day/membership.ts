import { expect } from '@jest/globals';
import type { Page } from 'playwright-core';
import { expectStatus } from '../../workspace/workspace.ts';
import { dialog, toast } from '../browser-user.ts';
import { captureThemesAndSizes } from '../capture-screenshots.ts';
import {
  act,
  chooseInHeader,
  composer,
  message,
  openConversation,
  replyField,
  replyIn,
  row,
  SIZES,
  say,
  summary,
  threadOf,
  untilSeen,
} from './screen.ts';
import type { Team } from './team.ts';

const NOTICE = 'The office closes at four';

/** Members cannot write in an announcement channel, but reply. */
export async function announce(team: Team): Promise<void> {
  const { admin, desk, phone, keys } = team;
  const body = { type: 'group', title: 'bulletin', participants: [desk, phone, keys].map(({ client }) => client.id) };
  await expectStatus(admin.client.call('POST', '/chat/conversations', body), 201);
  for (const user of [admin, desk, phone]) await openConversation(user, 'bulletin');
  await composer(phone.page).waitFor();
  await chooseInHeader(admin, 'Channel settings');
  const settings = dialog(admin, 'Channel settings');
  await settings.getByRole('radiogroup', { name: 'Who can write messages' }).getByText('Managers only').click();
  await captureThemesAndSizes(admin, 'day-settings', SIZES);
  await settings.getByRole('button', { name: 'Save changes' }).click();
  await toast(admin.page, 'Channel settings saved');
  await untilSeen([desk, phone], (page) => page.getByText(/^Only managers of this channel can write here/));
  expect(await composer(phone.page).count()).toBe(0);
  await say(admin, NOTICE);
  await act(phone, message(phone.page, NOTICE), 'Reply in thread');
  await replyField(phone.page).fill('Thank you');
  await replyField(phone.page).press('Enter');
  await replyIn(phone.page, 'Thank you').waitFor();
  await captureThemesAndSizes(phone, 'day-announcement-thread', [360]);
  await captureThemesAndSizes(desk, 'day-announcement', [1_600]);
  await threadOf(phone.page).getByRole('button', { name: 'Close thread' }).first().tap();
  await untilSeen([admin, desk], (page) => summary(page, NOTICE));
}

/** An archived channel takes nothing until it is restored. */
export async function archive({ admin, desk, phone }: Team): Promise<void> {
  await chooseInHeader(admin, 'Archive channel');
  await admin.page.getByRole('alertdialog').getByRole('button', { name: 'Archive' }).click();
  await toast(admin.page, 'Channel archived');
  await untilSeen([admin, desk, phone], (page) => page.getByText(/^This channel is archived/));
  await captureThemesAndSizes(phone, 'day-archived', [360]);
  await captureThemesAndSizes(admin, 'day-archived', [1_600]);
  await admin.page.getByRole('button', { name: 'Restore' }).click();
  await toast(admin.page, 'Channel restored');
  await untilSeen([desk, phone], (page) => page.getByText(/^Only managers of this channel can write here/));
}

/** One member leaves, and another one is removed and loses everything at once. */
export async function leaveAndRemove({ admin, desk, phone }: Team): Promise<void> {
  await desk.page.getByRole('button', { name: 'Info', exact: true }).click();
  await dialog(desk, 'Group Chat Info').getByRole('button', { name: 'Leave' }).click();
  await desk.page.getByRole('alertdialog').getByRole('button', { name: 'Leave' }).click();
  await row(desk.page, 'bulletin').waitFor({ state: 'detached' });
  await admin.page.getByRole('button', { name: 'Info', exact: true }).click();
  const info = dialog(admin, 'Group Chat Info');
  await info.getByText('Members (3)').waitFor();
  await summary(phone.page, NOTICE).tap();
  await replyIn(phone.page, 'Thank you').waitFor();
  // Toasts disappear, and do so at different times.
  await Promise.all([
    phone.page.getByText(/^You were removed from conversation/).waitFor(),
    phone.page.getByText('This conversation is not available').waitFor(),
    toast(admin.page, `${phone.name} removed from the conversation`),
    info.getByRole('button', { name: `Remove ${phone.name}` }).click(),
  ]);
  await expectNothingOf(phone.page);
  await phone.page.goBack();
  await phone.page.waitForLoadState('networkidle');
  await expectNothingOf(phone.page);
  await phone.page.goto(`${phone.base}/chat`);
  await row(phone.page, 'launch').waitFor();
  expect(await row(phone.page, 'bulletin').count()).toBe(0);
  await admin.page.keyboard.press('Escape');
}

async function expectNothingOf(page: Page): Promise<void> {
  for (const text of [NOTICE, 'Thank you']) expect(await page.getByText(text, { exact: true }).count()).toBe(0);
}
