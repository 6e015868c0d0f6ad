import type { Closing } from '@atrium/proto-events/http/meetings/closing';
import { waitFor } from '@atrium/test-kit/wait-for';
import { describe, expect, it } from '@jest/globals';
import { buildMeeting } from '../workspace/builders.ts';
import { type Client, createResource, expectStatus } from '../workspace/workspace.ts';
import { type BrowserUser, captureScreenshot, choose, dialog, toast } from './browser-user.ts';
import { captureThemesAndSizes } from './capture-screenshots.ts';
import { setUpTestEnvironment } from './test-environment.ts';
import { watch } from './test-pages.ts';

// Meetings that have begun can be closed.
const environment = setUpTestEnvironment({ env: { ALLOW_PAST_MEETINGS: 'true' } });

/** Creates a meeting that began a few minutes ago, or that begins in `hours`. */
async function createMeeting(jonas: Client, lena: Client, fields: Record<string, unknown> = {}, hours = 0) {
  const title = `Review ${environment.uniqueWord()}`;
  const timeIn = (additionalHours: number) =>
    new Date(Date.now() + (hours + additionalHours) * 3_600_000 - 300_000).toISOString();
  const times = { startTime: timeIn(0), endTime: timeIn(1) };
  const body = buildMeeting(title, { type: 'project-review', ...times, participants: [lena.id], ...fields });
  return { id: await createResource(jonas, '/meetings', body), title };
}

const getClosing = (client: Client, id: string) =>
  expectStatus(client.call<Closing>('GET', `/meetings/${id}/closing`), 200);

describe('closing a meeting', () => {
  it('creates tasks from decisions, posts the summary, and shows open decisions until they are done', async () => {
    const [jonas, lena] = await Promise.all([
      environment.createUser('Jonas', 'project_manager'),
      environment.createUser('Lena', 'member'),
    ]);
    const { project, name } = await environment.createProject(jonas, { teamMembers: [lena.id] });
    const { id, title } = await createMeeting(jonas, lena, { project });
    const manager = await environment.openPage(jonas, `/meetings?meeting=${id}`);
    const { page } = manager;
    await dialog(manager, title).getByRole('button', { name: 'Close Meeting' }).click();
    const form = dialog(manager, 'Close Meeting');
    await form.getByText(`Decisions become tasks in ${name}`).waitFor();
    await form.getByLabel('Summary').fill('We ship in May.');
    await form.getByLabel('Decision 1', { exact: true }).fill('Ship the portal');
    await choose(form, page, 'Assigned to', lena.name);
    await form.getByRole('button', { name: 'Add decision' }).click();
    // The new row has focus.
    await page.keyboard.type('Inform support');
    await captureThemesAndSizes(manager, 'close-meeting');
    await form.getByRole('button', { name: 'Close Meeting' }).click();
    await toast(page, 'Meeting closed');

    const details = dialog(manager, title);
    await details.getByRole('link', { name: 'Ship the portal' }).waitFor();
    await details.getByRole('link', { name: 'Summary in the conversation' }).waitFor();
    await captureThemesAndSizes(manager, 'closed-meeting');

    const member = await environment.openPage(lena, `/progress/${project}`);
    const open = member.page.getByRole('region', { name: 'Open Decisions' });
    await open.getByRole('link', { name: 'Inform support' }).waitFor();
    await member.page.getByRole('region', { name: 'Project meetings' }).getByRole('link', { name: title }).waitFor();
    await captureThemesAndSizes(member, 'meetings-of-project');
    await member.page.goto(`${member.base}/meetings?project=${project}`);
    await open.getByRole('link', { name: 'Inform support' }).waitFor();
    const { project: otherProject } = await environment.createProject(jonas, { teamMembers: [lena.id] });
    const empty = await environment.openPage(lena, `/meetings?project=${otherProject}`);
    await empty.page.getByText('No upcoming meetings').waitFor();
    await empty.page.waitForLoadState('networkidle');
    expect(await empty.page.getByRole('region', { name: 'Open Decisions' }).count()).toBe(0);
    await member.page.goto(`${member.base}/progress/${project}`);
    await open.waitFor();
    const { decisions } = await getClosing(jonas, id);
    for (const { task } of decisions)
      await expectStatus(jonas.call('PATCH', `/tasks/${task?._id}`, { status: 'done' }), 200);
    await open.waitFor({ state: 'detached' });
    await details.getByText('Done', { exact: true }).nth(1).waitFor();
    const { post } = await getClosing(jonas, id);
    await member.page.goto(`${member.base}/chat?c=${post?.conversation}`);
    const summaryMessage = member.page.getByRole('article').filter({ hasText: `Summary of “${title}”` });
    await summaryMessage.getByText(jonas.name, { exact: true }).waitFor();
    await captureThemesAndSizes(member, 'summary-in-chat');
  });

  it('keeps the summary that another user saved while the meeting was being closed', async () => {
    const [jonas, lena] = await Promise.all([
      environment.createUser('Jonas', 'project_manager'),
      environment.createUser('Lena', 'member'),
    ]);
    const { id, title } = await createMeeting(jonas, lena);
    const manager = await environment.openPage(jonas, `/meetings?meeting=${id}`);
    const { page } = manager;
    await dialog(manager, title).getByRole('button', { name: 'Close Meeting' }).click();
    const form = dialog(manager, 'Close Meeting');
    await form.getByLabel('Summary').fill('We ship in May.');
    // Changes the summary after the button is pressed, so that no live update arrives before.
    await page.route(
      '**/api/meetings/*/close',
      async (route) => {
        await expectStatus(environment.admin.call('PATCH', `/meetings/${id}`, { summary: 'We ship in June.' }), 200);
        await route.continue();
      },
      { times: 1 },
    );
    await form.getByRole('button', { name: 'Close Meeting' }).click();
    await form.getByText('Someone else changed the summary in the meantime.').waitFor();
    await form.getByRole('cell', { name: 'We ship in June.' }).waitFor();
    expect((await getClosing(jonas, id)).closedAt).toBeNull();
    await form.getByRole('button', { name: 'Keep mine' }).click();
    await form.getByRole('button', { name: 'Close Meeting' }).click();
    await toast(page, 'Meeting closed');
    expect(await expectStatus(jonas.call('GET', `/meetings/${id}`), 200)).toMatchObject({ summary: 'We ship in May.' });
  });

  it('shows why the project created no task, and retries without an assignee', async () => {
    const [jonas, lena] = await Promise.all([
      environment.createUser('Jonas', 'project_manager'),
      environment.createUser('Lena', 'member'),
    ]);
    const { project } = await environment.createProject(jonas, { teamMembers: [lena.id] });
    const { id, title } = await createMeeting(jonas, lena, { project });
    const decisions = [{ text: 'Ask Maya', assignedTo: environment.admin.id }];
    await expectStatus(jonas.call('POST', `/meetings/${id}/close`, { decisions }), 201);
    const manager = await environment.openPage(jonas, `/meetings?meeting=${id}`);
    const details = dialog(manager, title);
    await details.getByText('Tasks can be assigned to project members only.').waitFor();
    await captureThemesAndSizes(manager, 'refused-decision');
    await details.getByRole('button', { name: 'Try again unassigned: Ask Maya' }).click();
    await details.getByRole('link', { name: 'Ask Maya' }).waitFor();
    expect((await getClosing(jonas, id)).decisions[0]).toMatchObject({ state: 'task', assignedTo: null });
  });
});

describe('meeting notes', () => {
  const openNotes = async (client: Client, id: string): Promise<BrowserUser> => {
    const user = await environment.openPage(client, `/meetings?notes=${id}`);
    await notesOf(user).waitFor();
    return user;
  };
  const notesOf = (user: BrowserUser) => dialog(user, 'Add Meeting Notes & Summary').getByLabel('Notes');

  it("two concurrent writers see each other's changes and lose none, even without a network", async () => {
    const [jonas, lena] = await Promise.all([
      environment.createUser('Jonas', 'project_manager'),
      environment.createUser('Lena', 'member'),
    ]);
    environment.expectErrors(/ERR_INTERNET_DISCONNECTED|Failed to fetch|WebSocket/);
    const { id } = await createMeeting(jonas, lena);
    const [jonasPage, mayaPage] = await Promise.all([openNotes(jonas, id), openNotes(environment.admin, id)]);
    const waitForBoth = (...lines: string[]) =>
      waitFor(
        async () => {
          const texts = await Promise.all([notesOf(jonasPage).inputValue(), notesOf(mayaPage).inputValue()]);
          return texts.every((text) => lines.every((line) => text.split('\n').includes(line)));
        },
        { description: `both editors to contain ${lines.join(', ')}` },
      );
    await Promise.all([notesOf(jonasPage).fill('Jonas was here'), notesOf(mayaPage).fill('Maya was here')]);
    await waitForBoth('Jonas was here', 'Maya was here');

    await jonasPage.context.setOffline(true);
    await notesOf(jonasPage).press('Control+End');
    await jonasPage.page.keyboard.type('\nWritten on a train');
    await dialog(jonasPage, /Notes/).getByText('Kept on this device until it is saved.').waitFor();
    await notesOf(mayaPage).press('Control+End');
    await mayaPage.page.keyboard.type('\nWritten in the office');
    await jonasPage.context.setOffline(false);
    await waitForBoth('Jonas was here', 'Maya was here', 'Written on a train', 'Written in the office');
    await captureThemesAndSizes(jonasPage, 'notes-together');
    await dialog(jonasPage, /Notes/).getByRole('button', { name: 'Save Notes' }).click();
    await toast(jonasPage.page, 'Notes and summary added successfully');
  });

  it('survive closing a tab while offline, even if another tab of the same user saves notes', async () => {
    const [jonas, lena] = await Promise.all([
      environment.createUser('Jonas', 'project_manager'),
      environment.createUser('Lena', 'member'),
    ]);
    environment.expectErrors(/ERR_INTERNET_DISCONNECTED|Failed to fetch|WebSocket/);
    const { id } = await createMeeting(jonas, lena);
    const closed = await openNotes(jonas, id);
    const open = { ...closed, page: await closed.context.newPage() };
    watch(open.page, 'jonas-in-another-tab');
    const openNotesTab = async () => {
      await open.page.goto(`${open.base}/meetings?notes=${id}`);
      await notesOf(open).waitFor();
    };
    const waitForLines = (...lines: string[]) =>
      waitFor(async () => (await notesOf(open).inputValue()).split('\n').sort().join() === lines.sort().join(), {
        description: `the other tab to contain ${lines.join(', ')}`,
      });
    await openNotesTab();
    await closed.context.setOffline(true);
    await notesOf(closed).fill('Of the closed tab');
    await dialog(closed, /Notes/).getByText('Kept on this device until it is saved.').waitFor();
    await closed.page.close();
    await expectStatus(environment.admin.call('PUT', `/meetings/${id}/notes`, { base: '', text: 'Of Maya' }), 200);
    await open.context.setOffline(false);
    await waitForLines('Of Maya');
    await notesOf(open).press('Control+End');
    await open.page.keyboard.type('\nOf the other tab');
    await dialog(open, /Notes/).getByText('Others can write here at the same time.').waitFor();
    await openNotesTab();
    await waitForLines('Of Maya', 'Of the closed tab', 'Of the other tab');
  });
});

describe('the agenda', () => {
  it('is created and ordered by keyboard alone, and shows the resulting times', async () => {
    const [jonas, lena] = await Promise.all([
      environment.createUser('Jonas', 'project_manager'),
      environment.createUser('Lena', 'member'),
    ]);
    const { id, title } = await createMeeting(jonas, lena, {}, 24 * 7);
    const manager = await environment.openPage(jonas, `/meetings?edit=${id}`);
    const { page } = manager;
    const form = dialog(manager, 'Edit Meeting');
    const add = form.getByRole('button', { name: 'Add agenda item' });
    await add.focus();
    await page.keyboard.press('Enter');
    await form.getByLabel('Item 1', { exact: true }).waitFor();
    await page.keyboard.type('Budget');
    await page.keyboard.press('Tab');
    await page.keyboard.type('25');
    await add.focus();
    await page.keyboard.press('Enter');
    await waitFor(
      () => form.getByLabel('Item 2', { exact: true }).evaluate((field) => field === document.activeElement),
      {
        description: 'the new item to have focus',
      },
    );
    await page.keyboard.type('Welcome');
    await page.keyboard.press('Tab');
    // The item moves with its minutes, which are still being typed.
    await page.keyboard.type('5');
    await page.keyboard.press('Alt+ArrowUp');
    await waitFor(async () => (await form.getByLabel('Item 1', { exact: true }).inputValue()) === 'Welcome', {
      description: 'Welcome to come first',
    });
    await captureThemesAndSizes(manager, 'agenda-form');
    const viewportBefore = page.viewportSize();
    await page.setViewportSize({ width: 390, height: 900 });
    await form.getByLabel('Item 2', { exact: true }).scrollIntoViewIfNeeded();
    await captureScreenshot(manager, 'agenda-form-narrow');
    if (viewportBefore) await page.setViewportSize(viewportBefore);
    await form.getByRole('button', { name: 'Save Changes' }).click();
    await toast(page, 'Meeting updated successfully');
    const member = await environment.openPage(lena, `/meetings?meeting=${id}`);
    const items = dialog(member, title).getByRole('region', { name: 'Agenda items' }).getByRole('listitem');
    await items.first().waitFor();
    const texts = await items.allTextContents();
    expect(texts.map((text) => text.replace(/^\d\d:\d\d/, ''))).toEqual(['Welcome5 min', 'Budget25 min']);
    const [first = 0, second = 0] = texts.map((text) => Number(text.slice(0, 2)) * 60 + Number(text.slice(3, 5)));
    expect((second - first + 1_440) % 1_440).toBe(5);
    await captureThemesAndSizes(member, 'agenda');
  });
});
