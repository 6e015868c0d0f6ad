import { expect, it } from '@jest/globals';
import type { Client } from '../workspace/workspace.ts';
import { expectStatus } from '../workspace/workspace.ts';
import { captureThemesAndSizes } from './capture-screenshots.ts';
import { setUpTestEnvironment } from './test-environment.ts';

const environment = setUpTestEnvironment();
const WIDTHS = [360, 1_600];

async function createConversation(creator: Client, ...others: Client[]): Promise<string> {
  const title = `room-${environment.uniqueWord().toLowerCase()}`;
  const body = { type: 'group', title, participants: others.map(({ id }) => id) };
  const { _id } = await expectStatus(creator.call<{ _id: string }>('POST', '/chat/conversations', body), 201);
  return _id;
}

it('mentions are completed while typing, shown as names, and edited as names', async () => {
  const [nora, theo, omar] = await Promise.all(
    ['Nora', 'Theo', 'Omar'].map((name) => environment.createUser(name, 'member')),
  );
  if (!nora || !theo || !omar) throw new Error('Users were not created');
  const id = await createConversation(nora, theo);
  const writer = await environment.openPage(nora, `/chat?c=${id}`);
  const reader = await environment.openPage(theo, `/chat?c=${id}`);
  const { page } = writer;
  const field = page.getByRole('textbox', { name: /^Message room-/ });
  await field.waitFor();
  const top = (await field.boundingBox())?.y;
  await field.pressSequentially('@');
  await page.getByRole('option', { name: /Theo/ }).waitFor();
  expect((await field.boundingBox())?.y).toBe(top);
  await captureThemesAndSizes(writer, 'mention-list', WIDTHS);
  await field.pressSequentially('the');
  await page.keyboard.press('Enter');
  await field.pressSequentially('and @oma');
  await page.getByRole('option', { name: /Omar/ }).click();
  expect(await field.inputValue()).toMatch(/^@Theo .* and @Omar .* $/);
  await page.keyboard.press('Enter');
  await page.getByText(/^Omar .* is not in this conversation and did not see your mention\.$/).waitFor();

  const shown = reader.page.getByRole('article').getByText(/^@(Theo|Omar)/);
  await shown.first().waitFor();
  expect(await shown.count()).toBe(2);
  await captureThemesAndSizes(reader, 'mention-shown', WIDTHS);
  await captureThemesAndSizes(writer, 'mention-unreachable', WIDTHS);

  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await page.getByText(/did not see your mention/).waitFor({ state: 'detached' });
  await page.getByRole('article').first().hover();
  await page.getByRole('button', { name: 'Edit message' }).click();
  const editor = page.getByRole('textbox', { name: 'Edit message' });
  expect(await editor.inputValue()).toMatch(/^@Theo .* and @Omar/);
  await editor.press('End');
  await editor.pressSequentially('!');
  await editor.press('Enter');
  await reader.page.getByText('(edited)').waitFor();
  expect(await shown.count()).toBe(2);
});
