import { expect } from '@jest/globals';
import { captureThemesAndSizes } from '../capture-screenshots.ts';
import { isAnnounced } from './keyboard.ts';
import { switchByKeyboard, writeByKeyboard } from './keyboard-path.ts';
import { composer, message, openConversation, row, say, untilSeen, untilValue } from './screen.ts';
import { everyone, type Team } from './team.ts';

export const PLAN = `## Plan for **version 3**
We ship on _Friday_, ~~Thursday~~. Details at https://example.com/plan

1. Run \`npm test\`
2. Announce

| Service | Owner |
|---|---|
| chat | Lena |

\`\`\`ts
export const isReady = (open: number): boolean => open === 0;
\`\`\`
That is the whole plan.`;

/** Formatting and mentions, as others see them and screen readers announce them. */
export async function writeFormatted(team: Team): Promise<void> {
  const { admin, desk, manager, phone, keys } = team;
  for (const user of [admin, desk, manager, phone]) await openConversation(user, 'launch');
  await say(desk, PLAN);
  await untilSeen([admin, manager, phone], (page) => message(page, 'whole plan').getByRole('cell', { name: 'Lena' }));
  await message(phone.page, 'whole plan').locator('strong', { hasText: 'version 3' }).waitFor();
  expect(await phone.page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
  await row(keys.page, 'launch')
    .getByText(/unread message/)
    .waitFor({ state: 'attached' });
  await switchByKeyboard(keys);
  await message(keys.page, 'whole plan').getByRole('heading', { name: 'Plan for version 3' }).waitFor();
  await writeByKeyboard(team);
}

/** Mentions of one user, of everyone after a confirmation, and of a department. */
export async function mention(team: Team): Promise<void> {
  const { admin, desk, manager, keys } = team;
  await openConversation(manager, 'lunch');
  await openConversation(desk, 'lunch');
  await openConversation(manager, 'launch');
  await composer(manager.page).pressSequentially('@len');
  await manager.page.getByRole('option', { name: /Lena/ }).click();
  await manager.page.keyboard.type('please test the login');
  await manager.page.keyboard.press('Enter');
  await row(desk.page, 'launch').getByText('1 mention', { exact: true }).waitFor();
  await isAnnounced(keys.page, 'please test the login');
  await openConversation(desk, 'launch');
  await row(desk.page, 'launch').getByText('1 mention', { exact: true }).waitFor({ state: 'detached' });

  await composer(manager.page).pressSequentially('@every');
  await manager.page.getByRole('option', { name: /everyone/ }).click();
  await manager.page.keyboard.type('freeze starts now');
  await manager.page.keyboard.press('Enter');
  const confirmation = manager.page.getByRole('alertdialog', { name: /^Notify 5\d people\?$/ });
  await confirmation.waitFor();
  await captureThemesAndSizes(manager, 'day-everyone', [360, 1_600]);
  await confirmation.getByRole('button', { name: 'Send' }).click();
  await untilSeen(everyone(team), (page) => message(page, 'freeze starts now'));

  await composer(admin.page).pressSequentially('@release');
  await admin.page.getByRole('option', { name: /Release crew/ }).click();
  await admin.page.keyboard.type('thank you all');
  await admin.page.keyboard.press('Enter');
  await admin.page.getByRole('alertdialog').getByRole('button', { name: 'Send' }).click();
  await untilSeen(everyone(team), (page) => message(page, 'thank you all').getByText('@Release crew'));
}

/** Completes emoji, edits the last message, and undoes sending one. */
export async function correct(team: Team): Promise<void> {
  const { desk, manager, phone, keys } = team;
  const { page } = desk;
  const field = composer(page);
  await field.pressSequentially('Login works :ship_i');
  await page.getByRole('option', { name: /ship_it/ }).click();
  await page.keyboard.press('Enter');
  await untilSeen([manager, phone, keys], (other) =>
    message(other, 'Login works').getByRole('img', { name: ':ship_it:' }),
  );
  await page.keyboard.press('ArrowUp');
  const editor = page.getByRole('textbox', { name: 'Edit message' });
  await editor.press('End');
  await editor.pressSequentially(' on all devices');
  await editor.press('Enter');
  await untilSeen([manager, phone, keys], (other) => message(other, 'on all devices').getByText('(edited)'));
  await message(phone.page, 'on all devices').getByRole('img', { name: ':ship_it:' }).waitFor();
  await say(desk, 'Sent too early');
  await message(manager.page, 'Sent too early').waitFor();
  await page.getByRole('button', { name: 'Undo', exact: true }).click();
  await untilValue(field, 'Sent too early');
  for (const other of [manager, phone, keys])
    await message(other.page, 'Sent too early').waitFor({ state: 'detached' });
  await field.fill('');
}
