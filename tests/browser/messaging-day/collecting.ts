import { expect } from '@jest/globals';
import { expectStatus } from '../../workspace/workspace.ts';
import { dialog, toast } from '../browser-user.ts';
import { captureThemesAndSizes } from '../capture-screenshots.ts';
import { markUnreadByKeyboard, pinByKeyboard, reactByKeyboard } from './keyboard-path.ts';
import {
  act,
  composer,
  listOf,
  message,
  openConversation,
  press,
  row,
  SIZES,
  say,
  untilSeen,
  untilValue,
  view,
  viewLink,
} from './screen.ts';
import { conversationOf, type Team, untilFigures } from './team.ts';

/** Reactions of three users, one of them with the emoji of the workspace. */
export async function react(team: Team): Promise<void> {
  const { admin, desk, phone, keys } = team;
  const chip = (name: string) => (page: typeof desk.page) =>
    message(page, 'on all devices').getByRole('button', { name, exact: true });
  await press(desk, message(desk.page, 'on all devices'), 'Add reaction');
  const picker = dialog(desk, 'Add reaction');
  await picker.getByRole('searchbox', { name: 'Search emoji' }).fill('ship');
  await picker.getByRole('button', { name: 'ship_it' }).click();
  await untilSeen([admin, keys], chip(':ship_it:, 1 person'));
  await openConversation(phone, 'launch');
  await chip(':ship_it:, 1 person')(phone.page).tap();
  await untilSeen([phone], chip(':ship_it:, 2 people, including you'));
  await untilSeen([desk], chip(':ship_it:, 2 people, including you'));
  await untilSeen([admin, keys], chip(':ship_it:, 2 people'));
  await reactByKeyboard(team, 'on all devices');
}

/** Messages are pinned for everyone, and saved and remembered for one user. */
export async function collect(team: Team): Promise<void> {
  const { desk, phone } = team;
  const { page } = desk;
  await openConversation(phone, 'launch');
  await pinByKeyboard(team, 'whole plan');
  await act(desk, message(page, 'please test the login'), 'Save for later');
  await message(page, 'please test the login').getByText('Saved', { exact: true }).waitFor();
  expect(await message(phone.page, 'please test the login').getByText('Saved', { exact: true }).count()).toBe(0);
  await act(desk, message(page, 'thank you all'), 'Remind me about this');
  const reminder = dialog(desk, 'Remind me').getByRole('button', { name: /^Tomorrow/ });
  await reminder.waitFor();
  await captureThemesAndSizes(desk, 'day-reminder', SIZES);
  await reminder.click();
  await toast(page, 'Reminder set');
  await page.getByRole('button', { name: 'Saved messages' }).click();
  const saved = dialog(desk, 'Saved messages');
  await saved.getByText(/^Reminder tomorrow at/).waitFor();
  await saved.getByText('please test the login').waitFor();
  await captureThemesAndSizes(desk, 'day-saved', SIZES);
  await page.keyboard.press('Escape');
  await saved.waitFor({ state: 'detached' });
}

/** Two tabs of a user agree on what is unread. */
export async function markUnread(team: Team): Promise<void> {
  const { desk, manager } = team;
  const tab = { ...desk, page: await desk.context.newPage() };
  await tab.page.goto(`${desk.base}/chat`);
  await openConversation(tab, 'lunch');
  await say(manager, 'One more thing');
  await message(desk.page, 'One more thing').waitFor();
  await untilFigures(desk, 0);
  await act(desk, message(desk.page, 'One more thing'), 'Mark as unread');
  for (const user of [desk, tab]) {
    await row(user.page, 'launch').getByText('1 unread message', { exact: true }).waitFor({ state: 'attached' });
    await untilFigures(user, 1);
  }
  await openConversation(tab, 'launch');
  await message(tab.page, 'One more thing').waitFor();
  for (const user of [tab, desk]) await untilFigures(user, 0);
  await tab.page.close();
  await markUnreadByKeyboard(team, 'One more thing');
}

/** A draft is continued on the phone of its author. */
export async function continueDraft(team: Team): Promise<void> {
  const { phone, desk } = team;
  await openConversation(phone, 'launch');
  const laptop = await team.openDevice(phone, `/chat?c=${conversationOf(phone.page)}`);
  await composer(laptop.page).fill('The phone test is');
  await untilValue(composer(phone.page), 'The phone test is');
  await phone.page.getByRole('button', { name: 'All conversations' }).click();
  await viewLink(phone.page, 'Drafts').click();
  const drafts = view(phone.page, 'Drafts');
  await drafts.getByText('The phone test is').waitFor();
  await captureThemesAndSizes(phone, 'day-drafts', [360]);
  await captureThemesAndSizes(laptop, 'day-draft-composer', [1_600]);
  await drafts.getByRole('button', { name: 'Continue writing' }).tap();
  await untilValue(composer(phone.page), 'The phone test is');
  await composer(phone.page).fill('The phone test is finished');
  await phone.page.getByRole('button', { name: 'Send', exact: true }).tap();
  await message(desk.page, 'The phone test is finished').waitFor();
  await untilValue(composer(laptop.page), '');
  await viewLink(laptop.page, 'Drafts').waitFor({ state: 'detached' });
  await laptop.context.close();
}

/** The soonest time that a message can be scheduled for, and a second for the request. */
const SOONEST_MS = 61_000;

/** Schedules two messages: one is sent now, and the other one arrives later. */
export async function schedule({ manager, desk }: Team): Promise<void> {
  const { page, client } = manager;
  for (const text of ['The build is public', 'Sent ahead of time']) {
    await composer(page).fill(text);
    await page.getByRole('button', { name: 'Send later' }).click();
    await page.getByRole('menuitem', { name: /^In 30 minutes/ }).click();
    await toast(page, 'Message scheduled');
  }
  await viewLink(page, 'Scheduled').click();
  const scheduled = view(page, 'Scheduled');
  await scheduled.getByText('The build is public').waitFor();
  await captureThemesAndSizes(manager, 'day-scheduled', SIZES);
  await scheduled
    .getByRole('listitem')
    .filter({ hasText: 'Sent ahead of time' })
    .getByRole('button', { name: 'Send now' })
    .click();
  await message(desk.page, 'Sent ahead of time').waitFor();
  const { data } = await expectStatus(client.call<{ data: { _id: string }[] }>('GET', '/chat/scheduled'), 200);
  const sendAt = new Date(Date.now() + SOONEST_MS).toISOString();
  await expectStatus(client.call('PATCH', `/chat/scheduled/${data[0]?._id}`, { sendAt }), 200);
  await openConversation(manager, 'launch');
  await listOf(page).waitFor();
}
