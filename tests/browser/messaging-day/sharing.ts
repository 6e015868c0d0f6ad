import { waitFor } from '@atrium/test-kit/wait-for';
import { expect } from '@jest/globals';
import type { Page } from 'playwright-core';
import { expectStatus } from '../../workspace/workspace.ts';
import { dialog } from '../browser-user.ts';
import { captureThemesAndSizes } from '../capture-screenshots.ts';
import { playByKeyboard, voteByKeyboard } from './keyboard-path.ts';
import { act, logOf, message, openConversation, SIZES, say, scrollTo, untilSeen } from './screen.ts';
import { conversationOf, PROJECT, type Team, write } from './team.ts';

/** A message of another channel is forwarded with a comment. */
export async function forward(team: Team): Promise<void> {
  const { manager, desk, phone } = team;
  await openConversation(phone, 'launch');
  await openConversation(manager, 'lunch');
  await act(manager, message(manager.page, 'Salad it is'), 'Forward');
  const form = dialog(manager, 'Forward message');
  await form.getByRole('searchbox', { name: 'Search conversations and people' }).fill('launch');
  await form
    .getByRole('option', { name: /launch/ })
    .first()
    .click();
  await form.getByLabel('Comment').fill('Lunch after the release');
  await captureThemesAndSizes(manager, 'day-forward', SIZES);
  await form.getByRole('button', { name: 'Forward', exact: true }).click();
  await form.waitFor({ state: 'detached' });
  await openConversation(manager, 'launch');
  await untilSeen([desk, phone, manager], (page) => message(page, 'Lunch after the release').getByText('Salad it is'));
}

const QUESTION = 'Where do we celebrate?';
const pollOf = (page: Page) => logOf(page).getByRole('group', { name: `Poll: ${QUESTION}` });
const optionOf = (page: Page, text: string) => pollOf(page).getByRole('button', { name: new RegExp(`^${text}:`) });

/** Three users vote: with the pointer, by touch, and with the keyboard. */
export async function poll(team: Team): Promise<void> {
  const { admin, desk, phone, keys, manager } = team;
  await openConversation(phone, 'launch');
  await admin.page.getByRole('button', { name: 'Create a poll' }).click();
  const form = dialog(admin, 'Create a poll');
  await form.getByLabel('Question').fill(QUESTION);
  await form.getByLabel('Option 1', { exact: true }).fill('On the roof');
  await form.getByLabel('Option 2', { exact: true }).fill('At the harbor');
  await captureThemesAndSizes(admin, 'day-poll-dialog', SIZES);
  await form.getByRole('button', { name: 'Send poll' }).click();
  await untilSeen([admin, desk, phone, keys, manager], pollOf);
  await optionOf(desk.page, 'On the roof').click();
  await optionOf(phone.page, 'At the harbor').tap();
  await voteByKeyboard(team, QUESTION, 'On the roof');
  await untilSeen([admin, desk, phone, keys, manager], (page) => pollOf(page).getByText(/^3 people voted/));
  await untilSeen([admin, manager], (page) =>
    pollOf(page).getByRole('button', { name: 'On the roof: 2 votes, 67%', exact: true }),
  );
  await captureThemesAndSizes(desk, 'day-poll', SIZES);
}

/** A voice note of the phone is played by the others. */
export async function sendVoiceNote(team: Team): Promise<void> {
  const { desk, phone, keys } = team;
  const { page } = phone;
  await openConversation(phone, 'launch');
  await page.getByRole('button', { name: 'Record a voice note' }).tap();
  const timer = page.getByRole('timer', { name: 'Duration' });
  await timer.filter({ hasText: '0:01' }).waitFor();
  await captureThemesAndSizes(phone, 'day-recording', [360]);
  await page.getByRole('button', { name: 'Stop recording' }).tap();
  await page
    .getByText(/^Voice note \d+ s\.weba$/)
    .first()
    .waitFor();
  await page.getByRole('button', { name: 'Send', exact: true }).tap();
  const player = logOf(desk.page).getByRole('group', { name: 'Voice note' });
  await player.waitFor();
  const slider = await player.getByRole('slider', { name: 'Position' }).elementHandle();
  // Watched in the page, because the position returns to the start after a second.
  await Promise.all([
    desk.page.waitForFunction((input) => input instanceof HTMLInputElement && Number(input.value) > 0, slider),
    player.getByRole('button', { name: 'Play' }).click(),
  ]);
  await captureThemesAndSizes(desk, 'day-voice', SIZES);
  await logOf(keys.page).getByRole('group', { name: 'Voice note' }).waitFor();
  await playByKeyboard(team);
}

/** A message becomes a task, whose state is live for the others. */
export async function createTask({ manager, desk, keys, admin, project }: Team): Promise<void> {
  await scrollTo(manager.page, 'please test the login');
  await act(manager, message(manager.page, 'please test the login'), 'Create task');
  const form = dialog(manager, 'New Task');
  await form.getByRole('combobox', { name: 'Project' }).fill(PROJECT);
  await manager.page.getByRole('option', { name: PROJECT }).click();
  await form.getByRole('button', { name: 'Continue' }).click();
  await form.getByRole('button', { name: 'Create Task' }).click();
  const chip = (page: Page) =>
    message(page, 'please test the login').getByRole('list', { name: 'Tasks from this message' }).getByRole('link');
  for (const { page } of [desk, keys, admin]) await scrollTo(page, 'please test the login');
  await untilSeen([manager, desk, keys, admin], chip);
  const tasks = await expectStatus(
    manager.client.call<{ data: { _id: string }[] }>('GET', `/tasks?project=${project}`),
    200,
  );
  const task = tasks.data[0]?._id ?? '';
  await expectStatus(manager.client.call('PATCH', `/tasks/${task}`, { status: 'review' }), 200);
  for (const { page } of [desk, keys])
    await waitFor(async () => (await chip(page).getAttribute('aria-label'))?.includes('Review'), {
      description: 'the state of the task',
    });
  await say(manager, `The board: ${manager.base}/progress/${project}?task=${task}`);
  for (const { page } of [desk, keys, admin]) await scrollTo(page, 'The board', 'down');
  await untilSeen([desk, keys], (page) => message(page, 'The board').getByRole('link', { name: /Task/ }).last());
}

/** A link to a message of a private conversation unfurls for its participants only. */
export async function linkPrivately({ manager, desk, phone }: Team): Promise<void> {
  await openConversation(phone, 'launch');
  const body = { type: 'group', title: 'budget', participants: [desk.client.id] };
  const { _id } = await expectStatus(manager.client.call<{ _id: string }>('POST', '/chat/conversations', body), 201);
  await write(manager, _id, 'The budget is approved');
  await say(manager, `Decision: ${manager.base}/chat?c=${_id}&m=1`);
  await message(desk.page, 'Decision').getByText('The budget is approved').waitFor();
  await message(phone.page, 'Decision').waitFor();
  await phone.page.waitForLoadState('networkidle');
  expect(await phone.page.getByText('The budget is approved').count()).toBe(0);
  await captureThemesAndSizes(desk, 'day-unfurled', SIZES);
  expect(conversationOf(phone.page)).not.toBe(_id);
}
