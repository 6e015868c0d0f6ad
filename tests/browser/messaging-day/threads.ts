import { expect } from '@jest/globals';
import { captureThemesAndSizes } from '../capture-screenshots.ts';
import { replyByKeyboard } from './keyboard-path.ts';
import {
  act,
  message,
  openConversation,
  press,
  replyField,
  replyIn,
  SIZES,
  scrollTo,
  summary,
  threadOf,
  untilSeen,
  view,
  viewLink,
} from './screen.ts';
import type { Team, Teammate } from './team.ts';

const ROOT = 'whole plan';

async function reply({ page }: Teammate, text: string): Promise<void> {
  await replyField(page).fill(text);
  await replyField(page).press('Enter');
  await replyIn(page, text).waitFor();
}

/** Four users reply, one of them into the conversation, too. */
export async function replyInThread(team: Team): Promise<void> {
  const { desk, manager, phone, keys } = team;
  await openConversation(phone, 'launch');
  await act(phone, message(phone.page, ROOT), 'Reply in thread');
  await reply(phone, 'I can test it on phones');
  const box = await threadOf(phone.page).boundingBox();
  expect([box?.x, box?.width]).toEqual([0, 360]);
  await untilSeen([desk, manager], (page) => summary(page, ROOT));
  await summary(desk.page, ROOT).click();
  await replyIn(desk.page, 'I can test it on phones').waitFor();
  await press(manager, message(manager.page, ROOT), 'Reply in thread');
  await threadOf(manager.page).getByText('Also send to launch').click();
  await reply(manager, 'Then we are ready on Friday');
  // Opening the thread has scrolled up to its root.
  await scrollTo(desk.page, 'Then we are ready', 'down');
  await untilSeen([desk, keys], (page) =>
    message(page, 'Then we are ready').getByRole('button', { name: /Replied to a thread/ }),
  );
  await replyByKeyboard(team, ROOT, 'The screen reader test is done');
  await untilSeen([phone, manager], (page) => replyIn(page, 'The screen reader test is done'));
  await captureThemesAndSizes(desk, 'day-thread', SIZES);
  await captureThemesAndSizes(phone, 'day-thread-phone', [360]);
}

/** What is not followed does not count; what is followed counts until it is read. */
export async function followThreads(team: Team): Promise<void> {
  const { admin, desk, manager, phone } = team;
  await threadOf(desk.page).getByRole('button', { name: 'Unfollow' }).click();
  await threadOf(desk.page).getByRole('button', { name: 'Follow', exact: true }).waitFor();
  await threadOf(desk.page).getByRole('button', { name: 'Close thread' }).last().click();
  await threadOf(manager.page).getByRole('button', { name: 'Close thread' }).last().click();
  await threadOf(phone.page).getByRole('button', { name: 'Close thread' }).first().tap();
  await phone.page.getByRole('button', { name: 'All conversations' }).tap();
  await press(admin, message(admin.page, ROOT), 'Reply in thread');
  await reply(admin, 'Approved');
  await threadOf(admin.page).getByRole('button', { name: 'Close thread' }).last().click();
  await viewLink(phone.page, 'Threads').getByText('1 unread reply').waitFor();
  await summary(desk.page, ROOT).filter({ hasText: '4 replies' }).waitFor();
  expect(
    await viewLink(desk.page, 'Threads')
      .getByText(/unread/)
      .count(),
  ).toBe(0);
  await viewLink(phone.page, 'Threads').click();
  const threads = view(phone.page, 'Threads');
  await threads.getByRole('button', { name: /1 unread reply/ }).waitFor();
  await captureThemesAndSizes(phone, 'day-threads', [360]);
  await threads.getByRole('button', { name: /1 unread reply/ }).click();
  await replyIn(phone.page, 'Approved').waitFor();
  await threadOf(phone.page).getByRole('button', { name: 'Close thread' }).first().tap();
  await threads.getByRole('button', { name: /unread/ }).waitFor({ state: 'detached' });
  await summary(manager.page, ROOT).click();
  await replyIn(manager.page, 'Approved').waitFor();
  await threadOf(manager.page).getByRole('button', { name: 'Close thread' }).last().click();
}
