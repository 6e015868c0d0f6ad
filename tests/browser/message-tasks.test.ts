import type { Message } from '@atrium/proto-events/http/chat/messages';
import { waitFor } from '@atrium/test-kit/wait-for';
import { describe, expect, it } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import { uploadForm } from '../workspace/builders.ts';
import { type Client, expectStatus, send } from '../workspace/workspace.ts';
import { type BrowserUser, dialog } from './browser-user.ts';
import { captureThemesAndSizes } from './capture-screenshots.ts';
import { setUpTestEnvironment } from './test-environment.ts';

const environment = setUpTestEnvironment();

const SIZES = [360, 1_600];

type Created = { _id: string };
type Conversation = { _id: string };

const logOf = (page: Page): Locator => page.getByRole('region', { name: /^Messages in/ });
const message = (page: Page, words: string): Locator => logOf(page).getByRole('article').filter({ hasText: words });
const chips = (page: Page, words: string): Locator =>
  message(page, words).getByRole('list', { name: 'Tasks from this message' }).getByRole('link');

async function openMenu({ page }: BrowserUser, words: string, item: string): Promise<void> {
  await message(page, words).hover();
  await message(page, words).getByRole('button', { name: 'Message actions' }).click();
  await page.getByRole('menuitem', { name: item }).click();
}

/** Creates a project of a manager and a member, and returns its conversation. */
async function createProject() {
  const [nora, theo] = await Promise.all([
    environment.createUser('Nora', 'project_manager'),
    environment.createUser('Theo', 'member'),
  ]);
  const { project, name } = await environment.createProject(nora, { teamMembers: [theo.id] });
  const conversation = await waitFor(
    async () => {
      const path = `/chat/conversations?project=${project}`;
      return (await expectStatus(nora.call<{ data: Conversation[] }>('GET', path), 200)).data[0];
    },
    { description: 'the conversation of the project' },
  );
  return { nora, theo, project, name, conversation: conversation._id, path: `/chat?c=${conversation._id}` };
}

const write = (client: Client, conversation: string, content: string) =>
  expectStatus(client.call<Message>('POST', '/chat/messages', { conversation, content }), 201);

describe('a task from a message', () => {
  it('is filled in, shown on the message with its live state, and leads back to it', async () => {
    const { nora, theo, project, name, conversation, path } = await createProject();
    const { _id } = await write(theo, conversation, `## Fix **the login** page\nIt fails for <@${nora.id}>.`);
    const [left, right] = await Promise.all([environment.openPage(nora, path), environment.openPage(theo, path)]);
    await message(right.page, 'It fails for').waitFor();
    await openMenu(left, 'It fails for', 'Create task');
    const form = dialog(left, 'New Task');
    await form.getByText(name).waitFor();
    expect(await form.getByLabel('Title').inputValue()).toBe('Fix the login page');
    const description = await form.getByLabel('Description').inputValue();
    expect(description).toMatch(
      new RegExp(`^It fails for @Nora \\w+\\.\\n\\n${left.base}/chat\\?c=${conversation}&m=1$`),
    );
    await captureThemesAndSizes(left, 'message-task-dialog', SIZES);
    await form.getByRole('button', { name: 'Create Task' }).click();
    const chip = chips(right.page, 'It fails for');
    await chip.filter({ hasText: 'Fix the login page' }).waitFor();
    expect(await chip.getAttribute('aria-label')).toContain('To do, not assigned');

    const task = (await expectStatus(nora.call<Message>('GET', `/chat/messages/${_id}`), 200)).tasks[0];
    await expectStatus(nora.call('PATCH', `/tasks/${task}`, { status: 'review', assignedTo: theo.id }), 200);
    await waitFor(async () => (await chip.getAttribute('aria-label'))?.includes('Review, assigned to'), {
      description: 'the state of the task',
    });
    await captureThemesAndSizes(right, 'message-task-chip', SIZES);

    await chip.click();
    await right.page.waitForURL(`**/progress/${project}?task=${task}`);
    const origin = dialog(right, 'Fix the login page').getByRole('link', { name: /^From a message by/ });
    await origin.waitFor();
    await captureThemesAndSizes(right, 'message-task-origin', SIZES);
    await origin.click();
    await message(right.page, 'It fails for').waitFor();

    await expectStatus(nora.call('DELETE', `/tasks/${task}`), 204);
    await chips(left.page, 'It fails for').waitFor({ state: 'detached' });
  });

  it('shows no link to its message to those who cannot read it', async () => {
    const { nora, project, conversation } = await createProject();
    const stan = await environment.createUser('Stan', 'member');
    const { _id } = await write(nora, conversation, 'Plan the launch');
    const body = { title: 'Plan the launch', project, origin: { message: _id } };
    const task = await expectStatus(nora.call<Created>('POST', '/tasks', body), 201);
    const user = await environment.openPage(stan, `/progress/${project}?task=${task._id}`);
    const details = dialog(user, 'Plan the launch');
    await details.getByText(/^Created by/).waitFor();
    await user.page.waitForLoadState('networkidle');
    expect(await details.getByText(/From a message/).count()).toBe(0);
  });

  it('asks for its project where the conversation has none', async () => {
    const { nora, theo, name } = await createProject();
    const title = `plans-${environment.uniqueWord().toLowerCase()}`;
    const body = { type: 'group', title, participants: [theo.id] };
    const { _id } = await expectStatus(nora.call<Created>('POST', '/chat/conversations', body), 201);
    await write(nora, _id, 'Order the cake');
    const user = await environment.openPage(nora, `/chat?c=${_id}`);
    await openMenu(user, 'Order the cake', 'Create task');
    const project = dialog(user, 'New Task').getByRole('combobox', { name: 'Project' });
    await project.fill(name);
    await user.page.getByRole('option', { name }).click();
    await dialog(user, 'New Task').getByRole('button', { name: 'Continue' }).click();
    await dialog(user, 'New Task').getByRole('button', { name: 'Create Task' }).click();
    await chips(user.page, 'Order the cake').waitFor();
  });
});

it('a meeting from a message has its text and the people of the conversation', async () => {
  const { nora, theo, conversation, path } = await createProject();
  await write(theo, conversation, 'Let us talk about the budget');
  const user = await environment.openPage(nora, path);
  await openMenu(user, 'Let us talk', 'Create meeting');
  const form = dialog(user, 'Schedule New Meeting');
  await waitFor(
    async () =>
      (await form
        .getByLabel(/^Title/)
        .first()
        .inputValue()) === 'Let us talk about the budget',
    {
      description: 'the title of the meeting',
    },
  );
  await form.getByText(theo.name).first().waitFor();
  await captureThemesAndSizes(user, 'message-meeting-dialog', SIZES);
});

describe('links to the workspace', () => {
  it('unfold for those who can see what is linked, and leave no trace for others', async () => {
    const { nora, theo, project, name, conversation, path } = await createProject();
    const origin = environment.system.url;
    const withToken = (form: FormData) => ({
      method: 'POST',
      headers: { authorization: `Bearer ${nora.token}` },
      body: form,
    });
    const form = uploadForm('Launch plan.txt', { visibility: 'team', project });
    const file = await expectStatus(send<Created>(`${origin}/api/documents/upload`, withToken(form)), 201);
    const task = await expectStatus(nora.call<Created>('POST', '/tasks', { title: 'Check the copy', project }), 201);
    const start = Date.now() + 86_400_000;
    const meeting = await expectStatus(
      nora.call<Created>('POST', '/meetings', {
        title: 'Salary review',
        type: 'other',
        startTime: new Date(start).toISOString(),
        endTime: new Date(start + 3_600_000).toISOString(),
        participants: [environment.admin.id],
        meetingLink: 'https://meet.example.org/room',
      }),
      201,
    );
    await write(nora, conversation, 'The first message of all');
    await write(
      nora,
      conversation,
      `Task ${origin}/progress/${project}?task=${task._id} of ${origin}/progress/${project}`,
    );
    const paths = [`/documents?preview=${file._id}`, `/chat?c=${conversation}&m=1`, `/meetings?meeting=${meeting._id}`];
    await write(nora, conversation, `Also ${paths.map((linked) => origin + linked).join(' ')}`);
    const [left, right] = await Promise.all([environment.openPage(nora, path), environment.openPage(theo, path)]);
    const cards = (page: Page, kind: RegExp) => logOf(page).getByRole('link', { name: kind });
    await cards(right.page, /Check the copy.*Task/).waitFor();
    await cards(right.page, new RegExp(`${name}.*Project`)).waitFor();
    await cards(right.page, /Launch plan.*Document/).waitFor();
    await cards(right.page, /The first message of all.*Nora/).waitFor();
    await cards(left.page, /Salary review.*Meeting/).waitFor();
    await right.page.waitForLoadState('networkidle');
    expect(await right.page.getByText('Salary review').count()).toBe(0);
    await captureThemesAndSizes(left, 'link-cards', SIZES);
    await captureThemesAndSizes(right, 'link-cards-member', SIZES);

    await expectStatus(nora.call('PATCH', `/tasks/${task._id}`, { status: 'done' }), 200);
    await cards(right.page, /Check the copy.*Done/).waitFor();
    const also = message(right.page, 'Also');
    await also.getByRole('button', { name: 'Hide previews' }).first().click();
    await also.getByRole('button', { name: 'Show previews' }).click();
    await cards(right.page, /Launch plan.*Document/).waitFor();
  });
});

it('the summary of a meeting is a card with its decisions and their tasks', async () => {
  const { nora, theo, project, path } = await createProject();
  const now = Date.now();
  const meeting = await expectStatus(
    nora.call<Created>('POST', '/meetings', {
      title: 'Launch review',
      type: 'project-review',
      startTime: new Date(now - 1_000).toISOString(),
      endTime: new Date(now + 3_600_000).toISOString(),
      participants: [theo.id],
      project,
      meetingLink: 'https://meet.example.org/room',
    }),
    201,
  );
  const decisions = [{ text: 'Ship on Friday', assignedTo: theo.id }, { text: 'Write the release notes' }];
  const closing = { summary: 'We looked at what is left.\nAll blockers are gone.', decisions };
  await expectStatus(nora.call('POST', `/meetings/${meeting._id}/close`, closing), 201);
  const user = await environment.openPage(theo, path);
  const card = logOf(user.page).getByRole('region', { name: 'Summary of Launch review' });
  await card.getByText('All blockers are gone.').waitFor();
  await card.getByRole('link', { name: /Task: Ship on Friday/ }).waitFor();
  await card.getByRole('link', { name: /Task: Write the release notes/ }).waitFor();
  await captureThemesAndSizes(user, 'meeting-summary', SIZES);
});
