import type { Message } from '@atrium/proto-events/http/chat/messages';
import type { Meeting } from '@atrium/proto-events/http/meetings/meeting-fields';
import type { Task } from '@atrium/proto-events/http/tasks';
import { waitFor } from '@atrium/test-kit/wait-for';
import { describe, expect, it } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import { type Client, expectStatus, upload } from '../workspace/workspace.ts';
import { captureThemesAndSizes } from './capture-screenshots.ts';
import { saveScreenshot } from './screenshots.ts';
import { setUpTestEnvironment } from './test-environment.ts';

const environment = setUpTestEnvironment();

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
/** That of the browsers. */
const ZONE = 'Europe/Berlin';
const dayIn = (days: number) => new Intl.DateTimeFormat('en-CA', { timeZone: ZONE }).format(Date.now() + days * DAY_MS);

/** Reminders of a meeting would cover the screen; the end of the day comes first. */
function minutesUntilMeeting(): number {
  const minute = 20;
  const isTomorrow = dayIn(minute / (24 * 60)) !== dayIn(0);
  return isTomorrow ? 1 : minute;
}

const section = (page: Page, name: string): Locator => page.getByRole('region', { name, exact: true });
const task = (page: Page, title: string): Locator =>
  section(page, 'My tasks').getByRole('row').filter({ hasText: title });
const quickAdd = (page: Page): Locator => page.getByRole('combobox', { name: 'Add a task' });

/** The titles of the user's tasks, in the order of the screen, with the names of their groups. */
async function listRows(page: Page): Promise<string[]> {
  const rows = section(page, 'My tasks').locator('[role="rowheader"], [data-key] p:first-child');
  return rows.allInnerTexts();
}

const createTask = (client: Client, project: string, fields: object): Promise<Task> =>
  expectStatus(client.call<Task>('POST', '/tasks', { project, ...fields }), 201);

const getTask = (client: Client, id: string): Promise<Task> =>
  expectStatus(client.call<Task>('GET', `/tasks/${id}`), 200);

/** A member and a manager with a project, and what the member finds on a morning. */
async function createMorning() {
  const [mia, paul] = await Promise.all([
    environment.createUser('Mia', 'member'),
    environment.createUser('Paul', 'project_manager'),
  ]);
  const { project, name } = await environment.createProject(paul, { teamMembers: [mia.id] });
  const assignedTo = mia.id;
  const contract = await createTask(paul, project, {
    title: 'Sign the contract',
    assignedTo,
    dueDate: dayIn(-3),
    priority: 'urgent',
  });
  const numbers = await createTask(paul, project, {
    title: 'Review the numbers',
    assignedTo,
    dueDate: dayIn(0),
    priority: 'high',
  });
  await createTask(paul, project, {
    title: 'Prepare the workshop',
    assignedTo,
    dueDate: dayIn(20),
    status: 'in-progress',
  });
  await createTask(paul, project, { title: 'Read the style guide', assignedTo, priority: 'low' });
  const delegated = await createTask(mia, project, {
    title: 'Book the venue',
    assignedTo: paul.id,
    dueDate: dayIn(-1),
  });
  return { mia, paul, project, name, contract, numbers, delegated };
}

const scheduleMeeting = (organizer: Client, title: string, participants: readonly Client[], minutes: number) => {
  const start = Date.now() + minutes * MINUTE_MS;
  return expectStatus(
    organizer.call<Meeting>('POST', '/meetings', {
      title,
      type: 'standup',
      startTime: new Date(start).toISOString(),
      endTime: new Date(start + 30 * MINUTE_MS).toISOString(),
      meetingLink: 'https://meet.example.org/portal',
      participants: participants.map(({ id }) => id),
    }),
    201,
  );
};

describe('My Work', () => {
  it('leads through a morning by keyboard alone', async () => {
    const { mia, paul, project, name, contract, numbers } = await createMorning();
    const user = await environment.openPage(mia, '/my-work');
    const { page } = user;
    await task(page, 'Sign the contract').waitFor();
    expect(await listRows(page)).toEqual([
      'Overdue 1',
      'Sign the contract',
      'Today 1',
      'Review the numbers',
      'Later 1',
      'Prepare the workshop',
      'No due date 1',
      'Read the style guide',
    ]);

    // Adds a task, with the project completed from its last word.
    await page.keyboard.press('n');
    await page.keyboard.type(`Report tomorrow !high #${name.split(' ')[1]?.slice(0, 3)}`);
    await page.getByRole('option', { name }).waitFor();
    await page.keyboard.press('Enter');
    expect(await quickAdd(page).inputValue()).toBe(`Report tomorrow !high #${name} `);
    const preview = page.getByRole('region', { name: 'Quick add' });
    await preview.getByText('Tomorrow', { exact: true }).waitFor();
    await preview.getByText('High', { exact: true }).waitFor();
    await captureThemesAndSizes(user, 'my-work-quick-add');
    await page.keyboard.press('Enter');
    await task(page, 'Report').waitFor();
    expect(await quickAdd(page).inputValue()).toBe('');
    const { data } = await expectStatus(mia.call<{ data: Task[] }>('GET', '/tasks/my-tasks?limit=1'), 200);
    expect(data[0]).toMatchObject({
      title: 'Report',
      project,
      priority: 'high',
      dueDate: `${dayIn(1)}T00:00:00.000Z`,
      assignedTo: { _id: mia.id },
    });

    // Undoes it, then completes and postpones tasks.
    await page.keyboard.press('Control+z');
    await task(page, 'Report').waitFor({ state: 'detached' });
    await page.keyboard.press('Escape');
    await page.keyboard.press('j');
    await task(page, 'Sign the contract').and(page.locator(':focus')).waitFor();
    await page.keyboard.press('j');
    await task(page, 'Review the numbers').and(page.locator(':focus')).waitFor();
    await page.keyboard.press('k');
    await task(page, 'Sign the contract').and(page.locator(':focus')).waitFor();
    await page.keyboard.press('e');
    await task(page, 'Sign the contract').waitFor({ state: 'detached' });
    await task(page, 'Review the numbers').and(page.locator(':focus')).waitFor();
    await waitFor(async () => (await getTask(mia, contract._id)).status === 'done', {
      description: 'the completed task',
    });
    await page.keyboard.press('t');
    await waitFor(async () => (await getTask(mia, numbers._id)).dueDate?.startsWith(dayIn(1)), {
      description: 'the postponed task',
    });
    await page.getByText(/Review the numbers.* is due/).waitFor();
    await page.keyboard.press('Control+z');
    await waitFor(async () => (await getTask(mia, numbers._id)).dueDate?.startsWith(dayIn(0)), {
      description: 'the task at its previous date',
    });

    // Chooses a date.
    await task(page, 'Review the numbers').and(page.locator(':focus')).waitFor();
    await page.keyboard.press('d');
    await page
      .getByRole('dialog', { name: 'Due date' })
      .getByRole('button', { name: /^Today, .* selected/ })
      .waitFor();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Enter');
    await waitFor(async () => (await getTask(mia, numbers._id)).dueDate?.startsWith(dayIn(1)), {
      description: 'the chosen date',
    });
    await task(page, 'Review the numbers').and(page.locator(':focus')).waitFor();

    // Changes of others appear without a reload.
    await createTask(paul, project, { title: 'Answer the customer', assignedTo: mia.id, dueDate: dayIn(0) });
    await task(page, 'Answer the customer').waitFor();

    // Opens a task.
    await task(page, 'Answer the customer').focus();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'Answer the customer' }).waitFor();
    await page.waitForURL(`**/progress/${project}?task=*`);
  });

  it('shows meetings, mentions, threads, documents, and what the user waits for, and leads to each', async () => {
    const { mia, paul, project, delegated } = await createMorning();
    const stan = await environment.createUser('Stan', 'member');
    const own = await scheduleMeeting(paul, 'Stand-up', [mia], minutesUntilMeeting());
    const conversation = await expectStatus(
      paul.call<{ _id: string }>('POST', '/chat/conversations', {
        type: 'group',
        title: 'launch',
        participants: [mia.id, stan.id],
      }),
      201,
    );
    const write = (client: Client, fields: object) =>
      expectStatus(client.call<Message>('POST', '/chat/messages', { conversation: conversation._id, ...fields }), 201);
    const root = await write(mia, { content: 'Which day suits you?' });
    await write(stan, { content: 'Thursday would be best', thread: root._id });
    await write(paul, { content: `<@${mia.id}> please have a look` });
    const document = await expectStatus(upload(environment.system.url, paul, 'Agenda.txt'), 201);
    await expectStatus(paul.call('POST', `/documents/${document._id}/share`, { userIds: [mia.id] }), 200);

    const user = await environment.openPage(mia, '/my-work');
    const { page } = user;
    const meetings = section(page, 'Today’s meetings');
    await meetings.getByRole('link', { name: 'Join Stand-up' }).waitFor();
    const places = section(page, 'Mentions and threads');
    await places.getByRole('link', { name: /Thursday would be best/ }).waitFor();
    await places.getByRole('link', { name: /mentioned you/ }).waitFor();
    await section(page, 'Shared with you')
      .getByRole('link', { name: /Agenda.txt/ })
      .waitFor();
    const waiting = section(page, 'Waiting for');
    await waiting.getByRole('link', { name: /Book the venue/ }).waitFor();
    await task(page, 'Sign the contract').waitFor();
    await captureThemesAndSizes(user, 'my-work', [390, 1_440]);
    await captureWhole(page);

    await expectStatus(paul.call('PATCH', `/tasks/${delegated._id}`, { status: 'done' }), 200);
    await waiting.getByRole('link', { name: /Book the venue/ }).waitFor({ state: 'detached' });

    const manager = await environment.openPage(paul, '/my-work');
    const missing = section(manager.page, 'Waiting for').getByRole('link', { name: /Stand-up/ });
    await missing.filter({ hasText: '1 response missing' }).waitFor();
    await expectStatus(mia.call('POST', `/meetings/${own._id}/respond`, { status: 'accepted' }), 200);
    await missing.waitFor({ state: 'detached' });

    await places.getByRole('link', { name: /Thursday would be best/ }).click();
    await page.waitForURL(`**/chat?*thread=${root._id}*`);
    expect(project).toBeTruthy();
  });

  it('of a new user explains each section', async () => {
    const nora = await environment.createUser('Nora', 'member');
    const user = await environment.openPage(nora, '/my-work');
    for (const text of [
      'You have no open tasks',
      'No meetings today',
      'No mentions or threads',
      'Nothing to wait for',
      'No shared documents',
    ])
      await user.page.getByRole('heading', { name: text }).waitFor();
    await captureThemesAndSizes(user, 'my-work-empty', [390, 1_440]);
  });

  it('shows the other sections when one cannot be loaded', async () => {
    const { mia } = await createMorning();
    environment.expectErrors(/503/);
    const user = await environment.openPage(mia, '/login');
    await user.page.route('**/api/documents/shared?*', (route) =>
      route.fulfill({ status: 503, json: { message: 'Documents are unavailable' } }),
    );
    await user.page.goto(`${user.base}/my-work`);
    await user.page.getByRole('heading', { name: 'Failed to load shared documents' }).waitFor();
    await task(user.page, 'Sign the contract').waitFor();
  });
});

/** Captures the whole screen on a phone, from right to left, and in print. */
async function captureWhole(page: Page): Promise<void> {
  await page.setViewportSize({ width: 390, height: 2_600 });
  await saveScreenshot(page, 'working-day', 'my-work-whole-390');
  await page.setViewportSize({ width: 1_440, height: 1_200 });
  await page.evaluate(() => document.documentElement.setAttribute('dir', 'rtl'));
  await saveScreenshot(page, 'working-day', 'my-work-right-to-left');
  await page.evaluate(() => document.documentElement.setAttribute('dir', 'ltr'));
  await page.emulateMedia({ media: 'print' });
  await page.setViewportSize({ width: 800, height: 1_600 });
  await saveScreenshot(page, 'working-day', 'my-work-print');
  await page.emulateMedia({ media: 'screen' });
  await page.setViewportSize({ width: 1_280, height: 800 });
}
