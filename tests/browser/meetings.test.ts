import type { Meeting } from '@atrium/proto-events/http/meetings/meeting-fields';
import { waitFor } from '@atrium/test-kit/wait-for';
import { describe, expect, it } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import { type Client, expectStatus } from '../workspace/workspace.ts';
import { type BrowserUser, choose, dialog, pick, toast } from './browser-user.ts';
import { captureThemesAndSizes } from './capture-screenshots.ts';
import { setUpTestEnvironment } from './test-environment.ts';

const environment = setUpTestEnvironment();

const read = (client: Client, id: string) => expectStatus(client.call<Meeting>('GET', `/meetings/${id}`), 200);

/** Returns the time in a week at an hour in Berlin, the browsers' time zone. UTC is one or two hours behind. */
function berlin(hour: number): string {
  const day = new Date(Date.now() + 7 * 864e5).toISOString().slice(0, 10);
  const utcGuess = new Date(`${day}T${String(hour).padStart(2, '0')}:00:00Z`);
  const berlinHour = utcGuess.toLocaleString('en-GB', { timeZone: 'Europe/Berlin', hour: '2-digit' });
  return new Date(utcGuess.getTime() - (Number(berlinHour) - hour) * 3_600_000).toISOString();
}

const berlinDay = (days: number) => new Date(Date.now() + days * 864e5).toISOString().slice(0, 10);

const buildPlan = () => ({
  title: 'Review',
  type: 'team-meeting',
  startTime: berlin(10),
  endTime: berlin(11),
  meetingLink: 'https://meet.example.org/review',
});

/** Creates a meeting of Jonas and Lena from ten to eleven, in a week. */
async function createMeeting(
  fields: Record<string, unknown> = {},
): Promise<{ jonas: Client; lena: Client; id: string; title: string }> {
  const [jonas, lena] = await Promise.all([
    environment.createUser('Jonas', 'project_manager'),
    environment.createUser('Lena', 'member'),
  ]);
  const title = `Review ${environment.uniqueWord()}`;
  const body = { ...buildPlan(), title, participants: [lena.id], ...fields };
  const { _id: id } = await expectStatus(jonas.call<{ _id: string }>('POST', '/meetings', body), 201);
  return { jonas, lena, id, title };
}

async function chooseProject(form: Locator, { page }: BrowserUser, name: string): Promise<void> {
  const field = form.getByRole('combobox', { name: 'Project (optional)' });
  // Scrolling closes a field's popover.
  await field.click();
  await field.fill(name);
  await page.getByRole('option', { name, exact: true }).click();
}

/**
 * Deletes a project and waits until the meetings service knows. The probe is a series that ends before it begins, so
 * nothing is created.
 */
async function deleteProject(id: string): Promise<void> {
  await expectStatus(environment.admin.call('DELETE', `/projects/${id}`), 204);
  const rule = { isRecurring: true, recurringFrequency: 'weekly', recurringEndDate: '2020-01-01' };
  const attempt = () =>
    environment.admin.call('POST', '/meetings', {
      ...buildPlan(),
      ...rule,
      participants: [environment.admin.id],
      project: id,
    });
  await waitFor(async () => JSON.stringify((await attempt()).body.message).includes('Project not found'), {
    description: 'the meetings service to know that the project was deleted',
  });
}

describe('the meeting form', () => {
  it('saves a time that is set back to its initial value after another user has moved the meeting', async () => {
    const { jonas, id } = await createMeeting();
    const user = await environment.openPage(jonas, `/meetings?edit=${id}`);
    const { page } = user;
    const form = dialog(user, 'Edit Meeting');
    await form.getByLabel('Location').fill('Room 4');
    await expectStatus(
      environment.admin.call('PATCH', `/meetings/${id}`, { startTime: berlin(14), endTime: berlin(15) }),
      200,
    );
    await form.getByRole('button', { name: 'Save Changes' }).click();
    await form.getByRole('alert').getByRole('button', { name: 'Keep mine' }).click();
    await choose(form, page, 'Start time', '10:00');
    await choose(form, page, 'End time', '11:00');
    await form.getByRole('button', { name: 'Save Changes' }).click();
    await toast(page, 'Meeting updated successfully');
    expect(await read(jonas, id)).toMatchObject({ startTime: berlin(10), endTime: berlin(11), location: 'Room 4' });
  });

  it('saves participants that two users added at the same time, and applies what either of them removed', async () => {
    const { jonas, lena, id } = await createMeeting();
    const [addedByJonas, addedByMaya] = await Promise.all([
      environment.createUser('Mina', 'member'),
      environment.createUser('Noor', 'member'),
    ]);
    const [jonasPage, mayaPage] = await Promise.all([
      environment.openPage(jonas, `/meetings?edit=${id}`),
      environment.openPage(environment.admin, `/meetings?edit=${id}`),
    ]);
    const form = dialog(jonasPage, 'Edit Meeting');
    const otherForm = dialog(mayaPage, 'Edit Meeting');
    await pick(form, 'Participants', [addedByJonas.name]);
    await form.getByRole('button', { name: `Remove ${lena.name}` }).click();
    await pick(otherForm, 'Participants', [addedByMaya.name]);
    await otherForm.getByRole('button', { name: 'Save Changes' }).click();
    await toast(mayaPage.page, 'Meeting updated successfully');
    // Escape belongs to the dialog, which asks for confirmation; neither key changes the selection.
    await form.getByRole('option', { name: new RegExp(addedByJonas.name) }).press('Control+a');
    await jonasPage.page.keyboard.press('Escape');
    await jonasPage.page.getByRole('button', { name: 'Keep editing' }).click();
    await form.getByText('1 selected').waitFor();
    await form.getByRole('button', { name: 'Save Changes' }).click();
    await toast(jonasPage.page, 'Meeting updated successfully');
    const { participants } = await read(jonas, id);
    const names = participants.map(({ firstName, lastName }) => `${firstName} ${lastName}`);
    expect(names.toSorted()).toEqual([addedByJonas.name, addedByMaya.name, jonas.name].toSorted());
  });

  it('saves the selected project, which the details link to, and removes it again', async () => {
    const { jonas, lena, title, id } = await createMeeting();
    const { project, name } = await environment.createProject(jonas);
    const [organizer, member] = await Promise.all([
      environment.openPage(jonas, `/meetings?edit=${id}`),
      environment.openPage(lena, `/meetings?meeting=${id}`),
    ]);
    const form = dialog(organizer, 'Edit Meeting');
    await chooseProject(form, organizer, name);
    await form.getByRole('button', { name: 'Save Changes' }).click();
    await toast(organizer.page, 'Meeting updated successfully');
    expect((await read(jonas, id)).project).toBe(project);
    await dialog(member, title).getByRole('link', { name }).click();
    await member.page.getByRole('heading', { name }).waitFor();
    await member.page.getByRole('link', { name: /^Meetings Next/ }).click();
    await member.page.getByRole('article', { name: title }).waitFor();

    await organizer.page.getByRole('button', { name: `Edit ${title}` }).click();
    const field = form.getByRole('combobox', { name: 'Project (optional)' });
    await waitFor(async () => (await field.inputValue()) === name, { description: 'the project in the form' });
    await field.fill('');
    await field.press('Tab');
    await form.getByRole('button', { name: 'Save Changes' }).click();
    await toast(organizer.page, 'Meeting updated successfully');
    expect((await read(jonas, id)).project).toBeNull();
  });

  it('shows an error next to the project field if the project no longer exists, and keeps the input', async () => {
    const jonas = await environment.createUser('Jonas', 'project_manager');
    const [{ project, name }, lena] = await Promise.all([
      environment.createProject(jonas),
      environment.createUser('Lena', 'member'),
    ]);
    const user = await environment.openPage(jonas, '/meetings?schedule=1');
    const { page } = user;
    const form = dialog(user, 'Schedule New Meeting');
    const title = `Review ${environment.uniqueWord()}`;
    await form.getByLabel('Title').fill(title);
    await choose(form, page, 'Type', 'Team meeting');
    await form.getByLabel(/Meeting link/).fill('https://meet.example.org/review');
    await pick(form, 'Participants', [lena.name]);
    await chooseProject(form, user, name);
    await deleteProject(project);
    const submit = form.getByRole('button', { name: 'Schedule Meeting' });
    await submit.click();
    await form.getByText('Project not found').waitFor();
    const field = form.getByRole('combobox', { name: 'Project (optional)' });
    expect(await field.evaluate((input) => input === document.activeElement)).toBe(true);
    expect(await form.getByLabel('Title').inputValue()).toBe(title);
    await toast(page, 'Project not found');
    await field.fill('');
    await field.press('Tab');
    await submit.click();
    await toast(page, 'Meeting created successfully! Invitations sent to participants.');
    await page.getByRole('article', { name: title }).waitFor();
  });

  it('saves a meeting whose project was deleted', async () => {
    const { jonas, id } = await createMeeting();
    const { project } = await environment.createProject(jonas);
    await expectStatus(jonas.call('PATCH', `/meetings/${id}`, { project }), 200);
    await deleteProject(project);
    const user = await environment.openPage(jonas, `/meetings?edit=${id}`);
    const form = dialog(user, 'Edit Meeting');
    await form.getByLabel('Location').fill('Room 4');
    await form.getByRole('button', { name: 'Save Changes' }).click();
    await toast(user.page, 'Meeting updated successfully');
    expect((await read(jonas, id)).location).toBe('Room 4');
  });
});

/** Lists the upcoming occurrences of a series, as the user sees them. */
async function listOccurrences(client: Client, seriesId: string | null): Promise<Meeting[]> {
  const path = '/meetings?timeFilter=upcoming&limit=100';
  const { data } = await expectStatus(client.call<{ data: Meeting[] }>('GET', path), 200);
  return data.filter((meeting) => meeting.seriesId === seriesId);
}

describe('a link to a canceled occurrence of a series', () => {
  it('leads to the next occurrence, and an RSVP to the series applies to the remaining ones', async () => {
    const rule = { isRecurring: true, recurringFrequency: 'weekly', recurringEndDate: berlinDay(30) };
    const { jonas, lena, id, title } = await createMeeting(rule);
    const { seriesId } = await read(jonas, id);
    await expectStatus(jonas.call('DELETE', `/meetings/${id}`), 204);
    const next = (await listOccurrences(lena, seriesId))[0]?._id ?? '';

    const user = await environment.openPage(lena, `/meetings?meeting=${id}`);
    const deletedDialog = dialog(user, 'Meeting');
    await deletedDialog
      .getByText(`This date of “${title}” was cancelled. The series continues. The next date is`)
      .waitFor();
    await captureThemesAndSizes(user, 'cancelled-date');
    await deletedDialog.getByRole('button', { name: 'View Next' }).click();
    await dialog(user, title).waitFor();
    expect(user.page.url()).toContain(next);

    await user.page.goto(`${user.base}/meetings?decline=${id}`);
    await dialog(user, 'Invitation').getByText('was cancelled').waitFor();

    await user.page.goto(`${user.base}/meetings?accept=${id}-all`);
    const confirmation = dialog(user, title);
    await confirmation.getByText('The first date was cancelled; this is the next one.').waitFor();
    await confirmation.getByRole('button', { name: 'Accept', exact: true }).click();
    const getResponseStatus = ({ participants }: Meeting) =>
      participants.find(({ _id }) => _id === lena.id)?.responseStatus;
    await waitFor(async () => getResponseStatus(await read(lena, next)) === 'accepted', {
      description: 'the RSVP to be saved',
    });
    expect(new Set((await listOccurrences(lena, seriesId)).map(getResponseStatus))).toEqual(new Set(['accepted']));
  });

  it('shows a notice if no occurrences remain', async () => {
    const { jonas, lena, id } = await createMeeting();
    await expectStatus(jonas.call('DELETE', `/meetings/${id}`), 204);
    const user = await environment.openPage(lena, `/meetings?meeting=${id}`);
    await dialog(user, 'Meeting')
      .getByText('This meeting was cancelled, or you are no longer invited to it.')
      .waitFor();
  });
});

describe('a meeting that begins soon', () => {
  it('is announced in a toast and by the bell, which links to it, and reading it in one tab marks it read in the other', async () => {
    const start = Date.now() + 10 * 60_000;
    const times = { startTime: new Date(start).toISOString(), endTime: new Date(start + 3_600_000).toISOString() };
    const [jonas, lena] = await Promise.all([
      environment.createUser('Jonas', 'project_manager'),
      environment.createUser('Lena', 'member'),
    ]);
    const { page, context } = await environment.openPage(lena);
    const other = await context.newPage();
    const bell = (tab: Page, unread: string) =>
      tab.getByRole('button', { name: `Notifications${unread}`, exact: true });
    await Promise.all([other.goto(`${environment.system.url}/settings`), bell(page, '').waitFor()]);
    await bell(other, '').waitFor();
    const title = `Review ${environment.uniqueWord()}`;
    const body = { ...buildPlan(), ...times, title, participants: [lena.id] };
    await expectStatus(jonas.call('POST', '/meetings', body), 201);
    const clock = new Intl.DateTimeFormat('en-GB', { timeStyle: 'short', timeZone: 'Europe/Berlin' }).format(start);
    const text = new RegExp(`^${title} starts (tomorrow )?at ${clock}`);
    // Either tab may show the toast first.
    await Promise.any([page, other].map((tab) => tab.locator('[data-toast]').filter({ hasText: text }).waitFor()));
    await Promise.all([page, other].map((tab) => bell(tab, ', 2 unread').waitFor()));

    await bell(page, ', 2 unread').click();
    const panel = page.getByRole('dialog', { name: 'Notifications' });
    await panel.getByRole('link', { name: `${jonas.name} invited you to ${title}` }).waitFor();
    await panel.getByRole('link', { name: text }).click();
    await page.getByRole('dialog', { name: title }).getByText('Awaiting response').waitFor();
    await page.keyboard.press('Escape');
    await bell(other, ', 1 unread').waitFor();
    await bell(page, ', 1 unread').click();
    await panel.getByRole('button', { name: 'Mark all as read' }).click();
    await bell(other, '').waitFor();
  });
});

describe('the confirmation before a meeting is deleted', () => {
  it('stays open when the details behind it close, even after an earlier cancellation', async () => {
    const { jonas, title } = await createMeeting();
    const { page } = await environment.openPage(jonas, '/meetings');
    const card = page.getByRole('article', { name: title });
    const confirmation = page.getByRole('alertdialog', { name: 'Delete meeting' });
    for (const buttonName of ['Cancel', 'Delete Meeting']) {
      await card.getByRole('button', { name: /^View/ }).click();
      await page
        .getByRole('dialog', { name: title })
        .getByRole('button', { name: /^Delete/ })
        .click();
      await page.getByRole('dialog', { name: title }).waitFor({ state: 'detached' });
      await waitFor(() => !new URL(page.url()).searchParams.has('meeting'), {
        description: 'the details to leave the URL',
      });
      await confirmation.getByRole('button', { name: buttonName, exact: true }).click();
      await confirmation.waitFor({ state: 'detached' });
    }
    await card.waitFor({ state: 'detached' });
  });
});
