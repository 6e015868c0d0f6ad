import type { Closing } from '@atrium/proto-events/http/after-meeting/closing';
import { waitFor } from '@atrium/test-kit/wait-for';
import { describe, expect, it, jest } from '@jest/globals';
import { type Client, demand } from '../flows/workspace.ts';
import { shootEverywhere } from './capture-screenshots.ts';
import { choose, dialog, type Person, shoot, toast } from './person.ts';
import { setUpTestEnvironment } from './test-environment.ts';
import { watch } from './test-pages.ts';

jest.setTimeout(240_000);

// Of a meeting that has begun there is more to be seen.
const stage = setUpTestEnvironment({ env: { ALLOW_PAST_MEETINGS: 'true' } });

type Made = { _id: string };

/** A project of Jonas with Lena, of which chat and meetings know. */
async function buildProject(jonas: Client, lena: Client): Promise<{ project: string; name: string }> {
  const name = `Harbour ${stage.word()}`;
  const people = { projectManager: jonas.id, teamMembers: [lena.id] };
  const body = { name, description: name, ...people, priority: 'high', status: 'in-progress' };
  const { _id: project } = await demand(stage.admin.call<Made>('POST', '/projects', body), 201);
  return { project, name };
}

/** One that began some minutes ago, or begins in so many hours. */
async function aMeeting(jonas: Client, lena: Client, given: Record<string, unknown> = {}, hours = 0) {
  const title = `Review ${stage.word()}`;
  const at = (plus: number) => new Date(Date.now() + (hours + plus) * 3_600_000 - 300_000).toISOString();
  const body = {
    title,
    type: 'project-review',
    startTime: at(0),
    endTime: at(1),
    meetingLink: 'https://meet.example.org/review',
    participants: [lena.id],
    ...given,
  };
  const { _id: id } = await demand(jonas.call<Made>('POST', '/meetings', body), 201);
  return { id, title };
}

const closingOf = (client: Client, id: string) => demand(client.call<Closing>('GET', `/meetings/${id}/closing`), 200);

describe('after a meeting', () => {
  it('its decisions are tasks, its summary is said, and what is open is shown until it is done', async () => {
    const [jonas, lena] = await Promise.all([
      stage.someone('Jonas', 'project_manager'),
      stage.someone('Lena', 'member'),
    ]);
    const { project, name } = await buildProject(jonas, lena);
    const { id, title } = await aMeeting(jonas, lena, { project });
    const manager = await stage.sit(jonas, `/meetings?meeting=${id}`);
    const { page } = manager;
    await dialog(manager, title).getByRole('button', { name: 'Close Meeting' }).click();
    const form = dialog(manager, 'Close Meeting');
    await form.getByText(`Decisions become tasks of ${name}`).waitFor();
    await form.getByLabel('Summary').fill('We ship in May.');
    await form.getByLabel('Decision 1', { exact: true }).fill('Ship the portal');
    await choose(form, page, 'Assigned to', lena.name);
    await form.getByRole('button', { name: 'Add decision' }).click();
    // The new row has the focus.
    await page.keyboard.type('Tell support');
    await shootEverywhere(manager, 'close-meeting');
    await form.getByRole('button', { name: 'Close Meeting' }).click();
    await toast(page, 'Meeting closed');

    const details = dialog(manager, title);
    await details.getByRole('link', { name: 'Ship the portal' }).waitFor();
    await details.getByRole('link', { name: 'Summary in the conversation' }).waitFor();
    await shootEverywhere(manager, 'closed-meeting');

    const member = await stage.sit(lena, `/progress/${project}`);
    const open = member.page.getByRole('region', { name: 'Open Decisions' });
    await open.getByRole('link', { name: 'Tell support' }).waitFor();
    await member.page
      .getByRole('region', { name: 'Meetings of the project' })
      .getByRole('link', { name: title })
      .waitFor();
    await shootEverywhere(member, 'meetings-of-project');
    await member.page.goto(`${member.base}/meetings?project=${project}`);
    await open.getByRole('link', { name: 'Tell support' }).waitFor();
    const { project: another } = await buildProject(jonas, lena);
    const empty = await stage.sit(lena, `/meetings?project=${another}`);
    await empty.page.getByText('No upcoming meetings').waitFor();
    await empty.page.waitForLoadState('networkidle');
    expect(await empty.page.getByRole('region', { name: 'Open Decisions' }).count()).toBe(0);
    await member.page.goto(`${member.base}/progress/${project}`);
    await open.waitFor();
    const { decisions } = await closingOf(jonas, id);
    for (const { task } of decisions) await demand(jonas.call('PATCH', `/tasks/${task?._id}`, { status: 'done' }), 200);
    await open.waitFor({ state: 'detached' });
    await details.getByText('Done', { exact: true }).nth(1).waitFor();
    const { post } = await closingOf(jonas, id);
    await member.page.goto(`${member.base}/chat?c=${post?.conversation}`);
    const said = member.page.getByRole('article').filter({ hasText: `Summary of “${title}”` });
    await said.getByText(jonas.name, { exact: true }).waitFor();
    await shootEverywhere(member, 'summary-in-chat');
  });

  it('its summary is not lost with one that somebody saved in the moment in which it is closed', async () => {
    const [jonas, lena] = await Promise.all([
      stage.someone('Jonas', 'project_manager'),
      stage.someone('Lena', 'member'),
    ]);
    const { id, title } = await aMeeting(jonas, lena);
    const manager = await stage.sit(jonas, `/meetings?meeting=${id}`);
    const { page } = manager;
    await dialog(manager, title).getByRole('button', { name: 'Close Meeting' }).click();
    const form = dialog(manager, 'Close Meeting');
    await form.getByLabel('Summary').fill('We ship in May.');
    // No socket tells of it before the press.
    await page.route(
      '**/api/meetings/*/close',
      async (route) => {
        await demand(stage.admin.call('PATCH', `/meetings/${id}`, { summary: 'We ship in June.' }), 200);
        await route.continue();
      },
      { times: 1 },
    );
    await form.getByRole('button', { name: 'Close Meeting' }).click();
    await form.getByText('Someone else changed the summary meanwhile.').waitFor();
    await form.getByRole('cell', { name: 'We ship in June.' }).waitFor();
    expect((await closingOf(jonas, id)).closedAt).toBeNull();
    await form.getByRole('button', { name: 'Keep mine' }).click();
    await form.getByRole('button', { name: 'Close Meeting' }).click();
    await toast(page, 'Meeting closed');
    expect(await demand(jonas.call('GET', `/meetings/${id}`), 200)).toMatchObject({ summary: 'We ship in May.' });
  });

  it('says why its project made no task, and asks again for nobody', async () => {
    const [jonas, lena] = await Promise.all([
      stage.someone('Jonas', 'project_manager'),
      stage.someone('Lena', 'member'),
    ]);
    const { project } = await buildProject(jonas, lena);
    const { id, title } = await aMeeting(jonas, lena, { project });
    const decisions = [{ text: 'Ask Maya', assignedTo: stage.admin.id }];
    await demand(jonas.call('POST', `/meetings/${id}/close`, { decisions }), 201);
    const manager = await stage.sit(jonas, `/meetings?meeting=${id}`);
    const details = dialog(manager, title);
    await details.getByText('Tasks can be assigned to people of the project only.').waitFor();
    await shootEverywhere(manager, 'refused-decision');
    await details.getByRole('button', { name: 'Try again for nobody: Ask Maya' }).click();
    await details.getByRole('link', { name: 'Ask Maya' }).waitFor();
    expect((await closingOf(jonas, id)).decisions[0]).toMatchObject({ state: 'task', assignedTo: null });
  });
});

describe('notes', () => {
  const writing = async (client: Client, id: string): Promise<Person> => {
    const person = await stage.sit(client, `/meetings?notes=${id}`);
    await notesOf(person).waitFor();
    return person;
  };
  const notesOf = (person: Person) => dialog(person, 'Add Meeting Notes & Summary').getByLabel('Notes');

  it('are written by two at once, who see each other’s words and lose none, also without a network', async () => {
    const [jonas, lena] = await Promise.all([
      stage.someone('Jonas', 'project_manager'),
      stage.someone('Lena', 'member'),
    ]);
    stage.expectFaults(/ERR_INTERNET_DISCONNECTED|Failed to fetch|WebSocket/);
    const { id } = await aMeeting(jonas, lena);
    const [one, other] = await Promise.all([writing(jonas, id), writing(stage.admin, id)]);
    const both = (...lines: string[]) =>
      waitFor(
        async () => {
          const texts = await Promise.all([notesOf(one).inputValue(), notesOf(other).inputValue()]);
          return texts.every((text) => lines.every((line) => text.split('\n').includes(line)));
        },
        { what: `both to have ${lines.join(', ')}` },
      );
    await Promise.all([notesOf(one).fill('Jonas was here'), notesOf(other).fill('Maya was here')]);
    await both('Jonas was here', 'Maya was here');

    await one.context.setOffline(true);
    await notesOf(one).press('Control+End');
    await one.page.keyboard.type('\nWritten on a train');
    await dialog(one, /Notes/).getByText('Kept on this device until it is saved.').waitFor();
    await notesOf(other).press('Control+End');
    await other.page.keyboard.type('\nWritten in the office');
    await one.context.setOffline(false);
    await both('Jonas was here', 'Maya was here', 'Written on a train', 'Written in the office');
    await shootEverywhere(one, 'notes-together');
    await dialog(one, /Notes/).getByRole('button', { name: 'Save Notes' }).click();
    await toast(one.page, 'Notes and summary added successfully');
  });

  it('stay where a tab was closed without a network, whatever another tab of the same person does', async () => {
    const [jonas, lena] = await Promise.all([
      stage.someone('Jonas', 'project_manager'),
      stage.someone('Lena', 'member'),
    ]);
    stage.expectFaults(/ERR_INTERNET_DISCONNECTED|Failed to fetch|WebSocket/);
    const { id } = await aMeeting(jonas, lena);
    const closed = await writing(jonas, id);
    const open = { ...closed, page: await closed.context.newPage() };
    watch(open.page, 'jonas-in-another-tab');
    const look = async () => {
      await open.page.goto(`${open.base}/meetings?notes=${id}`);
      await notesOf(open).waitFor();
    };
    const has = (...lines: string[]) =>
      waitFor(async () => (await notesOf(open).inputValue()).split('\n').sort().join() === lines.sort().join(), {
        what: `the other tab to have ${lines.join(', ')}`,
      });
    await look();
    await closed.context.setOffline(true);
    await notesOf(closed).fill('Of the closed tab');
    await dialog(closed, /Notes/).getByText('Kept on this device until it is saved.').waitFor();
    await closed.page.close();
    await demand(stage.admin.call('PUT', `/meetings/${id}/notes`, { base: '', text: 'Of Maya' }), 200);
    await open.context.setOffline(false);
    await has('Of Maya');
    await notesOf(open).press('Control+End');
    await open.page.keyboard.type('\nOf the other tab');
    await dialog(open, /Notes/).getByText('Others can write here at the same time.').waitFor();
    await look();
    await has('Of Maya', 'Of the closed tab', 'Of the other tab');
  });
});

describe('the agenda', () => {
  it('is made and put in order by keyboard alone, and shows the clock times that follow', async () => {
    const [jonas, lena] = await Promise.all([
      stage.someone('Jonas', 'project_manager'),
      stage.someone('Lena', 'member'),
    ]);
    const { id, title } = await aMeeting(jonas, lena, {}, 24 * 7);
    const manager = await stage.sit(jonas, `/meetings?edit=${id}`);
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
    await waitFor(() => form.getByLabel('Item 2', { exact: true }).evaluate((one) => one === document.activeElement), {
      what: 'the focus to be in the new item',
    });
    await page.keyboard.type('Welcome');
    await page.keyboard.press('Tab');
    // It goes along with its minutes, which are still being typed.
    await page.keyboard.type('5');
    await page.keyboard.press('Alt+ArrowUp');
    await waitFor(async () => (await form.getByLabel('Item 1', { exact: true }).inputValue()) === 'Welcome', {
      what: 'Welcome to come first',
    });
    await shootEverywhere(manager, 'agenda-form');
    const before = page.viewportSize();
    await page.setViewportSize({ width: 390, height: 900 });
    await form.getByLabel('Item 2', { exact: true }).scrollIntoViewIfNeeded();
    await shoot(manager, 'agenda-form-narrow');
    if (before) await page.setViewportSize(before);
    await form.getByRole('button', { name: 'Save Changes' }).click();
    await toast(page, 'Meeting updated successfully');
    const member = await stage.sit(lena, `/meetings?meeting=${id}`);
    const items = dialog(member, title).getByRole('region', { name: 'Agenda items' }).getByRole('listitem');
    await items.first().waitFor();
    const texts = await items.allTextContents();
    expect(texts.map((text) => text.replace(/^\d\d:\d\d/, ''))).toEqual(['Welcome5 min', 'Budget25 min']);
    const [first = 0, second = 0] = texts.map((text) => Number(text.slice(0, 2)) * 60 + Number(text.slice(3, 5)));
    expect((second - first + 1_440) % 1_440).toBe(5);
    await shootEverywhere(member, 'agenda');
  });
});
