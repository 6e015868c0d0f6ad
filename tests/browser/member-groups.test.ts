import { expect, it } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import { type Client, createResource, expectStatus } from '../workspace/workspace.ts';
import { dialog, toast } from './browser-user.ts';
import { captureThemesAndSizes } from './capture-screenshots.ts';
import { setUpTestEnvironment } from './test-environment.ts';

const environment = setUpTestEnvironment();
const WIDTHS = [360, 1_600];

const composer = (page: Page): Locator => page.getByRole('textbox', { name: /^Message/ });
const openInfo = (page: Page) => page.getByRole('button', { name: 'Info', exact: true }).click();

async function createDepartment(members: readonly Client[]): Promise<string> {
  const name = `Engineering ${environment.uniqueWord()}`;
  const department = await createResource(environment.admin, '/departments', { name });
  for (const { id } of members)
    await expectStatus(environment.admin.call('PATCH', `/users/${id}`, { department }), 200);
  return name;
}

const createChannel = (creator: Client, body: object = {}) =>
  createResource(creator, '/chat/conversations', {
    type: 'group',
    title: `launch-${environment.uniqueWord().toLowerCase()}`,
    ...body,
  });

async function createUsers(): Promise<[Client, Client]> {
  const [nora, theo] = await Promise.all(['Nora', 'Theo'].map((name) => environment.createUser(name, 'member')));
  if (!nora || !theo) throw new Error('Users were not created');
  return [nora, theo];
}

it('a department becomes a required member of a channel, whose members cannot leave', async () => {
  const [nora, theo] = await createUsers();
  const department = await createDepartment([nora, theo]);
  const channel = await createChannel(environment.admin);
  const member = await environment.openPage(nora, '/chat');
  const manager = await environment.openPage(environment.admin, `/chat?c=${channel}`);
  await openInfo(manager.page);
  const info = dialog(manager, 'Group Chat Info');
  await info.getByRole('button', { name: 'Add department or project' }).click();
  await info.getByRole('combobox', { name: /Department/ }).fill(department);
  await manager.page.getByRole('option', { name: department }).click();
  await info.getByText('Required: members cannot leave').click();
  await captureThemesAndSizes(manager, 'member-groups-add', WIDTHS);
  await info.getByRole('button', { name: 'Add', exact: true }).click();
  await toast(manager.page, 'Members are being added to the channel');
  await info.getByRole('switch', { name: `Required for ${department}` }).waitFor();
  await info.getByText('Members (3)').waitFor();
  await info.getByText('Via department or project').first().waitFor();
  await captureThemesAndSizes(manager, 'member-groups-info', WIDTHS);

  await member.page.getByRole('link', { name: /launch-/ }).click();
  await composer(member.page).waitFor();
  await openInfo(member.page);
  const memberInfo = dialog(member, 'Group Chat Info');
  await memberInfo.getByText('Everyone in this department · Required').waitFor();
  expect(await memberInfo.getByRole('button', { name: 'Leave' }).count()).toBe(0);
  await captureThemesAndSizes(member, 'member-groups-required', WIDTHS);
  await info.getByText('Required', { exact: true }).click();
  await memberInfo.getByRole('button', { name: 'Leave' }).waitFor();
  await info.getByRole('button', { name: `Remove ${department}` }).click();
  await toast(manager.page, 'removed from the channel');
  await info.getByText('Members (1)').waitFor();
  await memberInfo.waitFor({ state: 'detached' });
});

it('a department is mentioned by name, and counts for its members', async () => {
  const [nora, theo] = await createUsers();
  const department = await createDepartment([theo]);
  const channel = await createChannel(nora, { participants: [theo.id] });
  const writer = await environment.openPage(nora, `/chat?c=${channel}`);
  const other = await createChannel(theo);
  const reader = await environment.openPage(theo, `/chat?c=${other}`);
  await composer(writer.page).pressSequentially('@engin');
  await writer.page.getByRole('option', { name: new RegExp(`${department}.*Department · 1 member`) }).waitFor();
  await captureThemesAndSizes(writer, 'member-groups-mention', WIDTHS);
  await writer.page.getByRole('option', { name: new RegExp(department) }).click();
  await composer(writer.page).pressSequentially('please review');
  await writer.page.keyboard.press('Enter');
  await writer.page.getByRole('article').getByText(`@${department}`).waitFor();
  const badge = reader.page.getByRole('link', { name: /launch-.*1 mention/ });
  await badge.waitFor();
  await badge.click();
  await reader.page.getByRole('article').getByText(`@${department}`).waitFor();
  await captureThemesAndSizes(reader, 'member-groups-mentioned', WIDTHS);
});

it('a message that mentions everyone where only managers can is not sent, and nothing is lost', async () => {
  const [nora, theo] = await createUsers();
  const channel = await createChannel(nora, { participants: [theo.id] });
  const { page, ...user } = await environment.openPage(theo, `/chat?c=${channel}`);
  await composer(page).pressSequentially('@every');
  await page.getByRole('option', { name: /@everyone/ }).click();
  await composer(page).pressSequentially('lunch is here');
  const settings = { mentionEveryone: 'managers', purpose: 'Quiet from now on' };
  await expectStatus(nora.call('PATCH', `/chat/conversations/${channel}`, settings), 200);
  await page.getByText('2 members · Quiet from now on').waitFor();
  await page.keyboard.press('Enter');
  const notice = page.getByText(/^Only managers of this channel can mention everyone.* to send your message\.$/);
  await notice.waitFor();
  expect(await composer(page).inputValue()).toBe('@everyone lunch is here');
  await captureThemesAndSizes({ page, ...user }, 'member-groups-denied', WIDTHS);
  await composer(page).fill('Lunch is here');
  await notice.waitFor({ state: 'detached' });
  await page.keyboard.press('Enter');
  await page.getByRole('article').filter({ hasText: 'Lunch is here' }).waitFor();
  await composer(page).pressSequentially('@');
  await page.getByRole('option', { name: /Nora/ }).waitFor();
  expect(await page.getByRole('option', { name: /@(everyone|here)/ }).count()).toBe(0);
});
