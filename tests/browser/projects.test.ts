import { waitFor } from '@atrium/test-kit/wait-for';
import { describe, expect, it } from '@jest/globals';
import type { Locator } from 'playwright-core';
import { buildProject } from '../workspace/builders.ts';
import { type Client, expectStatus } from '../workspace/workspace.ts';
import { type BrowserUser, choose, dateField, dialog, pick, pickDay, toast, typeDay } from './browser-user.ts';
import { expectLive } from './live.ts';
import { delayResponses } from './mock-responses.ts';
import { setUpTestEnvironment } from './test-environment.ts';

const environment = setUpTestEnvironment();

/** A project that Jonas manages, with Lena as a member. The tracker at path `tracker` shows only this project. */
type Team = { jonas: Client; lena: Client; name: string; project: string; tracker: string; board: string };

async function createTeam(fields: Record<string, unknown> = {}): Promise<Team> {
  const [jonas, lena] = await Promise.all([
    environment.createUser('Jonas', 'project_manager'),
    environment.createUser('Lena', 'member'),
  ]);
  const name = `Portal ${environment.uniqueWord()}`;
  const fixedFields = { description: 'Sign-up, billing and help', teamMembers: [lena.id], priority: 'urgent' };
  const body = buildProject(name, jonas, { ...fixedFields, ...fields });
  // Retries, because services learn of new users within a second.
  const project = await waitFor(
    async () => (await environment.admin.call<{ _id?: string }>('POST', '/projects', body)).body._id,
    { description: 'the project to be created', intervalMs: 100 },
  );
  return { jonas, lena, name, project, tracker: `/progress?search=${name}`, board: `/progress/${project}` };
}

const TASK = 'Validate VAT numbers';
const NO_DAY = 'dd/mm/yyyy';

/** Creates tasks `Screen 1` to `Screen <count>` in one column of the board. */
async function createManyTasks({ jonas, project }: Team, count: number, status: string): Promise<void> {
  const titles = Array.from({ length: count }, (_, index) => `Screen ${index + 1}`);
  for (let from = 0; from < count; from += 20)
    await Promise.all(
      titles
        .slice(from, from + 20)
        .map((title) => expectStatus(jonas.call('POST', '/tasks', { title, project, status }), 201)),
    );
}

/** Creates a task assigned to Lena, and returns its path on the board. */
async function createTask({ project, lena, jonas, board }: Team, status: string): Promise<string> {
  const body = { title: TASK, project, status, priority: 'high', assignedTo: lena.id };
  const { _id } = await expectStatus(jonas.call<{ _id: string }>('POST', '/tasks', body), 201);
  return `${board}?task=${_id}`;
}

describe('the progress tracker', () => {
  it('names missing fields of a new project, and shows it to everyone within a second', async () => {
    const [manager, memberClient] = await Promise.all([
      environment.createUser('Jonas', 'project_manager'),
      environment.createUser('Lena', 'member'),
    ]);
    const name = `Portal ${environment.uniqueWord()}`;
    const [maya, jonas, lena] = await Promise.all([
      environment.openPage(environment.admin, '/progress'),
      environment.openPage(manager, '/progress'),
      environment.openPage(memberClient, '/progress'),
    ]);
    for (const user of [maya, jonas, lena])
      await user.page.getByRole('heading', { name: 'Progress Tracker' }).waitFor();
    expect(await lena.page.getByRole('button', { name: /New Project|Invite Member/ }).count()).toBe(0);
    await maya.page.getByRole('button', { name: 'New Project' }).click();
    const form = dialog(maya, 'Create New Project');
    await form.getByRole('button', { name: 'Create Project' }).click();
    for (const error of [
      'Project title is required',
      'Project description is required',
      'Please select a project manager',
      'Please select a priority level',
      'Please select an initial status',
    ])
      await form.getByText(error).waitFor();
    await form.getByLabel('Project title').fill(name);
    await form.getByLabel('Description').fill('Sign-up, billing and help');
    await choose(form, maya.page, 'Priority', 'Urgent');
    await choose(form, maya.page, 'Initial status', 'Not Started');
    await form.getByRole('combobox', { name: /Project manager/ }).fill(manager.name);
    await maya.page
      .getByRole('option', { name: new RegExp(manager.name) })
      .first()
      .click();
    await pick(form, 'Team members', [memberClient.name]);
    await expectLive(
      { by: maya.page, method: 'POST', path: '/api/projects' },
      () => form.getByRole('button', { name: 'Create Project' }).click(),
      [jonas, lena].map((user) => card(user, name)),
    );
    await toast(maya.page, 'Project created successfully! Team members will receive email notifications.');
    for (const text of ['Planning', '0%', 'High priority']) await card(lena, name).getByText(text).waitFor();
  });

  it('keeps its filters in the URL, and Back and a reload restore them', async () => {
    const team = await createTeam({ description: `Vouchers of ${environment.uniqueWord()}` });
    const lena = await environment.openPage(team.lena, '/progress');
    const { page } = lena;
    await card(lena, team.name).waitFor();
    await choose(page.locator('main'), page, 'Status', 'Paused');
    await page.getByText('No projects found').waitFor();
    await page.getByText('Try adjusting your filters').waitFor();
    await page.reload();
    await page.getByText('Try adjusting your filters').waitFor();
    await page.goBack();
    await card(lena, team.name).waitFor();
    await page.getByRole('searchbox').fill('VOUCHERS');
    await page.waitForURL(/search=VOUCHERS/);
    await card(lena, team.name).waitFor();
    await page.getByRole('searchbox').fill('nothing like it');
    await page.getByText('No projects found').waitFor();
    await page.getByRole('button', { name: 'Clear filters' }).click();
    expect(await isFocused(page.getByRole('searchbox'))).toBe(true);
    await card(lena, team.name).waitFor();
  });

  it('opens a project from the dashboard read-only for a member', async () => {
    const team = await createTeam();
    const lena = await environment.openPage(team.lena, team.tracker);
    await lena.page.getByRole('button', { name: `Actions for ${team.name}` }).click();
    await lena.page.getByRole('menuitem').first().waitFor();
    expect(await lena.page.getByRole('menuitem', { name: 'Edit' }).count()).toBe(0);
    await lena.page.keyboard.press('Escape');
    await lena.page.goto(environment.system.url);
    await lena.page.getByRole('button', { name: new RegExp(team.name) }).click();
    const form = dialog(lena, 'Project');
    for (const reason of [
      'Only Admin and Project Manager can edit projects',
      'Only Admin and Project Manager can update progress',
      "You don't have permission to delete this project.",
    ])
      await form.getByText(reason).waitFor();
    expect(await form.getByLabel('Project title').isDisabled()).toBe(true);
    expect(await form.getByRole('button', { name: 'Update Project' }).isDisabled()).toBe(true);
    expect(await form.getByRole('button', { name: 'Delete Project' }).count()).toBe(0);
  });

  it('lets progress only increase, in steps of five, and only if the status allows it', async () => {
    const team = await createTeam({ status: 'not-started' });
    const [jonas, lena] = await Promise.all([
      environment.openPage(team.jonas, team.tracker),
      environment.openPage(team.lena, team.tracker),
    ]);
    const form = await openEdit(jonas, team);
    const slider = form.getByRole('slider', { name: 'Progress' });
    await form.getByText('Progress can only be updated when status is "In Progress" or "Completed"').waitFor();
    expect(await slider.isDisabled()).toBe(true);
    await form.getByText('Project Manager cannot be changed.').waitFor();
    await choose(form, jonas.page, 'Status', 'In Progress');
    await slider.focus();
    for (let step = 0; step < 4; step += 1) await slider.press('ArrowRight');
    await save(jonas, form);
    await card(lena, team.name).getByText('20%').waitFor();
    await card(lena, team.name).getByText('Active', { exact: true }).waitFor();
    const reopenedForm = await openEdit(jonas, team);
    await slider.focus();
    await slider.press('ArrowLeft');
    expect(await slider.inputValue()).toBe('20');
    await jonas.page.keyboard.press('Escape');
    await reopenedForm.waitFor({ state: 'detached' });
  });

  it('shows both values if another user saved first, and overwrites only what was typed', async () => {
    const team = await createTeam();
    const [maya, jonas, lena] = await Promise.all([
      environment.openPage(environment.admin, team.tracker),
      environment.openPage(team.jonas, team.tracker),
      environment.openPage(team.lena, team.tracker),
    ]);
    const mayasTitle = `${team.name} of the customers`;
    const jonasTitle = `${team.name} for customers`;
    const mine = await openEdit(maya, team);
    await mine.getByLabel('Project title').fill(mayasTitle);
    const theirs = await openEdit(jonas, team);
    await theirs.getByLabel('Project title').fill(jonasTitle);
    await theirs.getByLabel('Description').fill('Sign-up and billing');
    await save(jonas, theirs);
    await mine.getByRole('button', { name: 'Update Project' }).click();
    const notice = mine.getByRole('alert').filter({ hasText: 'Someone else changed this project in the meantime.' });
    await notice.getByRole('row', { name: `Project title ${mayasTitle} ${jonasTitle}` }).waitFor();
    expect(await notice.getByRole('row', { name: /Description/ }).count()).toBe(0);
    expect(await mine.getByLabel('Description').inputValue()).toBe('Sign-up and billing');
    await notice.getByRole('button', { name: 'Keep mine' }).click();
    await save(maya, mine);
    await card(lena, mayasTitle).waitFor();
  });
});

describe('a saved change', () => {
  it('closes its form immediately, and is shown in a list whose refetch is still in flight', async () => {
    const team = await createTeam();
    const jonas = await environment.openPage(team.jonas, team.tracker);
    const form = await openEdit(jonas, team);
    const name = `${team.name} of the customers`;
    await form.getByLabel('Project title').fill(name);
    await delayResponses(jonas.page, /\/api\/projects\b/, async () => {
      await save(jonas, form);
      await card(jonas, name).waitFor();
    });
    await card(jonas, name).waitFor();
  });

  it('leaves a moved card in its new column while the columns are refetched', async () => {
    const team = await createTeam();
    await createTask(team, 'todo');
    const jonas = await environment.openPage(team.jonas, team.board);
    await task(jonas, 'To do').waitFor();
    const { page } = jonas;
    const saved = page.waitForResponse((response) => response.request().method() === 'PATCH');
    await delayResponses(page, /\/api\/tasks\b/, async () => {
      await task(jonas, 'To do').dragTo(cards(jonas, 'Review'));
      await task(jonas, 'Review').waitFor();
      await watchFrames(jonas, 'To do');
      await saved;
      await waitForFrames(jonas, 30);
    });
    const frames = await waitForFrames(jonas, 30);
    expect(frames).toBeGreaterThan(30);
    expect(await page.evaluate(() => document.documentElement.dataset.returned)).toBeUndefined();
    await task(jonas, 'Review').waitFor();
  });
});

describe('the project page', () => {
  it('opens from a card, and permitted users add and remove members there', async () => {
    const [team, outsider, another] = await Promise.all([
      createTeam(),
      environment.createUser('Omar', 'member'),
      environment.createUser('Yusuf', 'member'),
    ]);
    const [maya, jonas, lena, omar] = await Promise.all([
      environment.openPage(environment.admin, team.tracker),
      environment.openPage(team.jonas, team.board),
      environment.openPage(team.lena, team.board),
      environment.openPage(outsider, team.board),
    ]);
    await card(maya, team.name).getByRole('link').first().click();
    await maya.page.waitForURL(`**${team.board}`);
    for (const { page } of [jonas, lena, omar]) await page.getByRole('heading', { name: team.name }).waitFor();
    await maya.page.getByRole('button', { name: 'Manage team' }).click();
    const users = dialog(maya, 'Project team');
    await users.getByRole('button', { name: 'Add people' }).click();
    await pick(users, 'Add people', [outsider.name, another.name]);
    await users.getByRole('button', { name: 'Add', exact: true }).click();
    await toast(maya.page, '2 people added to the project');
    expect(await isFocused(users.getByRole('button', { name: 'Add people' }))).toBe(true);
    await users.getByRole('list', { name: 'Project members' }).getByText(another.name).waitFor();
    await omar.page.getByRole('button', { name: 'New Task', exact: true }).waitFor();
    await users.getByRole('button', { name: `Remove ${outsider.name}` }).click();
    await maya.page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click();
    await omar.page.getByText('Only project members can create its tasks').waitFor();
    await lena.page.getByRole('button', { name: 'View team' }).click();
    await dialog(lena, 'Project team').getByText('Only Admin and Project Manager can edit projects').waitFor();
  });
});

describe('the task board', () => {
  it('shows a new task to others within a second, in its column and count', async () => {
    const team = await createTeam();
    const [jonas, lena] = await Promise.all([
      environment.openPage(team.jonas, team.board),
      environment.openPage(team.lena, team.board),
    ]);
    await jonas.page.getByRole('button', { name: 'New task in To do' }).click();
    const form = dialog(jonas, 'New Task');
    await form.getByRole('button', { name: 'Create Task' }).click();
    await form.getByText('Task title is required').waitFor();
    await form.getByLabel('Title').fill(TASK);
    await choose(form, jonas.page, 'Priority', 'High');
    await choose(form, jonas.page, 'Assignee', team.lena.name);
    await column(lena, 'To do').waitFor();
    await expectLive(
      { by: jonas.page, method: 'POST', path: '/api/tasks' },
      () => form.getByRole('button', { name: 'Create Task' }).click(),
      [task(lena, 'To do')],
    );
    await column(lena, 'To do').getByText('1', { exact: true }).waitFor();
  });

  it('moves a card by pointer, which others see', async () => {
    const team = await createTeam();
    await createTask(team, 'todo');
    const [jonas, lena] = await Promise.all([
      environment.openPage(team.jonas, team.board),
      environment.openPage(team.lena, team.board),
    ]);
    await task(lena, 'To do').waitFor();
    await task(jonas, 'To do').dragTo(cards(jonas, 'Review'));
    await task(lena, 'Review').waitFor();
    await jonas.page
      .getByRole('status')
      .filter({ hasText: `${TASK} moved to Review` })
      .waitFor();
    await task(lena, 'To do').waitFor({ state: 'detached' });
  });

  it('moves a card by keyboard alone, and from its menu', async () => {
    const team = await createTeam();
    await createTask(team, 'review');
    const [jonas, lena] = await Promise.all([
      environment.openPage(team.jonas, team.board),
      environment.openPage(team.lena, team.board),
    ]);
    const { page } = lena;
    await task(lena, 'Review').focus();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Enter');
    const target = page.getByRole('button', { name: 'Drop on Done' });
    await target.waitFor();
    for (let step = 0; step < 6 && !(await isFocused(target)); step += 1) await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await task(jonas, 'Done').waitFor();
    await task(jonas, 'Done').hover();
    await jonas.page.getByRole('button', { name: `Actions for ${TASK}` }).click();
    await jonas.page.getByRole('menuitem', { name: 'Move to In progress' }).click();
    await task(lena, 'In progress').waitFor();
  });

  it('moves a card back and shows an error if the server rejects the move', async () => {
    environment.expectErrors(/status of 500/);
    const team = await createTeam();
    await createTask(team, 'in-progress');
    const jonas = await environment.openPage(team.jonas, team.board);
    await jonas.page.route('**/api/tasks/*', (route) =>
      route.request().method() === 'PATCH' ? route.fulfill({ status: 500, body: '{}' }) : route.continue(),
    );
    await task(jonas, 'In progress').dragTo(cards(jonas, 'Done'));
    await jonas.page.getByText('Failed to update task').first().waitFor();
    await task(jonas, 'In progress').waitFor();
  });

  it('has filters for assignee and priority in the URL', async () => {
    const team = await createTeam();
    await createTask(team, 'in-progress');
    const lena = await environment.openPage(team.lena, team.board);
    const { page } = lena;
    await task(lena, 'In progress').waitFor();
    await choose(page.locator('main'), page, 'Priority', 'Low');
    await task(lena, 'In progress').waitFor({ state: 'detached' });
    expect(new URL(page.url()).searchParams.get('priority')).toBe('low');
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await choose(page.locator('main'), page, 'Assignee', `${team.lena.name} (me)`);
    await task(lena, 'In progress').waitFor();
    await page.goBack();
    await page.goBack();
    await task(lena, 'In progress').waitFor({ state: 'detached' });
  });
});

describe('a task', () => {
  it("has its own URL, and shows others' changes without losing unsaved input", async () => {
    const team = await createTeam();
    const address = await createTask(team, 'in-progress');
    const [jonas, lena] = await Promise.all([
      environment.openPage(team.jonas, team.board),
      environment.openPage(team.lena, address),
    ]);
    await task(jonas, 'In progress').click();
    await jonas.page.waitForURL(/task=[0-9a-f]{24}/);
    expect(jonas.page.url()).toBe(`${jonas.base}${address}`);
    const theirs = dialog(jonas, TASK);
    const mine = dialog(lena, TASK);
    await theirs.getByRole('textbox', { name: 'Comment' }).fill('I am still typing');
    await mine.getByRole('textbox', { name: 'Comment' }).fill('Which countries first?');
    await expectLive(
      { by: lena.page, method: 'POST', path: '/comments' },
      () => mine.getByRole('button', { name: 'Add Comment' }).click(),
      [theirs.getByText('Which countries first?')],
    );
    expect(await theirs.getByRole('textbox', { name: 'Comment' }).inputValue()).toBe('I am still typing');
    const deleteButton = { name: `Delete comment by ${team.lena.name}` };
    expect(await theirs.getByRole('button', deleteButton).count()).toBe(0);
    await choose(theirs, jonas.page, 'Priority', 'Urgent');
    await mine.getByRole('button', { name: /Urgent/ }).waitFor();
    await mine.getByRole('button', deleteButton).click();
    await lena.page.getByRole('alertdialog').getByRole('button', { name: 'Delete comment' }).click();
    await theirs.getByText('No comments yet.').waitFor();
    await jonas.page.goBack();
    await theirs.waitFor({ state: 'detached' });
    await jonas.page.goForward();
    expect(await theirs.getByRole('textbox', { name: 'Comment' }).inputValue()).toBe('I am still typing');
    expect(new URL(jonas.page.url()).searchParams.get('task')).not.toBeNull();
    await jonas.page.keyboard.press('Escape');
    await theirs.waitFor({ state: 'detached' });
  });

  it('restores unsaved input after a reload, and returns focus to the edit button', async () => {
    const team = await createTeam();
    const lena = await environment.openPage(team.lena, await createTask(team, 'in-progress'));
    const { page } = lena;
    const taskDialog = dialog(lena, TASK);
    const edit = taskDialog.getByRole('button', { name: 'Edit title and description' });
    await edit.click();
    await taskDialog.getByRole('textbox', { name: 'Description' }).fill('First of the Nordic countries');
    page.once('dialog', (confirmation) => void confirmation.accept());
    await page.reload();
    await taskDialog.getByText('Your unsaved changes have been restored.').waitFor();
    expect(await taskDialog.getByRole('textbox', { name: 'Description' }).inputValue()).toBe(
      'First of the Nordic countries',
    );
    await taskDialog.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Discard changes' }).click();
    await edit.waitFor();
    // React Aria restores focus in the frame after the dialog has closed.
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
    expect(await isFocused(edit)).toBe(true);
    await edit.click();
    await taskDialog.getByRole('textbox', { name: 'Description' }).fill('The Nordic countries');
    await taskDialog.getByRole('button', { name: 'Save' }).click();
    await taskDialog.getByText('The Nordic countries').waitFor();
    await waitFor(() => isFocused(edit), { description: 'the button that opened the form to have focus' });
  });

  it('has a start date that is picked or typed, which others see, and which must not be after the due date', async () => {
    const team = await createTeam();
    const address = await createTask(team, 'todo');
    const [jonas, lena] = await Promise.all([
      environment.openPage(team.jonas, address),
      environment.openPage(team.lena, address),
    ]);
    const theirs = dialog(jonas, TASK);
    const mine = dialog(lena, TASK);
    await pickDay(theirs, 'Due date', 14);
    await dateField(mine, 'Due date', /^14\//).waitFor();
    await pickDay(theirs, 'Start date', 15);
    await toast(jonas.page, 'Start date must not be after the due date');
    await dateField(theirs, 'Start date', NO_DAY).waitFor();
    await pickDay(theirs, 'Start date', 13);
    await dateField(mine, 'Start date', /^13\//).waitFor();
    await theirs.getByRole('button', { name: 'Clear Start date' }).click();
    await dateField(mine, 'Start date', NO_DAY).waitFor();
    await typeDay(theirs, 'Start date', '12122031');
    await toast(jonas.page, 'Start date must not be after the due date');
    await dateField(theirs, 'Start date', NO_DAY).waitFor();
    await typeDay(theirs, 'Start date', '12112026');
    await dateField(mine, 'Start date', '12/11/2026').waitFor();
  });

  it('is read-only for users without permission, with the reason', async () => {
    const [team, outsider] = await Promise.all([createTeam(), environment.createUser('Omar', 'member')]);
    const omar = await environment.openPage(outsider, await createTask(team, 'in-progress'));
    const taskDialog = dialog(omar, TASK);
    await taskDialog.getByText('Only project members can edit its tasks').waitFor();
    await taskDialog.getByText('Only project members can comment on its tasks').waitFor();
    expect(await taskDialog.getByRole('button', { name: /Delete task|Edit title/ }).count()).toBe(0);
  });

  it('disappears from every board when it is deleted', async () => {
    const team = await createTeam();
    const address = await createTask(team, 'in-progress');
    const [maya, lena] = await Promise.all([
      environment.openPage(environment.admin, address),
      environment.openPage(team.lena, address),
    ]);
    const { page } = maya;
    await dialog(lena, TASK).waitFor();
    await dialog(maya, TASK).getByRole('button', { name: 'Delete task' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete task' }).click();
    await toast(page, 'Task deleted successfully');
    await lena.page.getByText('This task no longer exists').waitFor();
    await lena.page.getByRole('button', { name: 'Back to the board' }).click();
    await task(lena, 'In progress').waitFor({ state: 'detached' });
  });
});

describe('a long board', () => {
  it('loads more than a hundred cards of a column on demand, and renders only visible ones', async () => {
    const team = await createTeam();
    await createManyTasks(team, 101, 'done');
    const maya = await environment.openPage(environment.admin, team.board);
    const { page } = maya;
    await column(maya, 'Done').getByText('101', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Show 1 more' }).click();
    await page.getByRole('button', { name: 'Show 1 more' }).waitFor({ state: 'detached' });
    expect(await cards(maya, 'Done').getAttribute('aria-rowcount')).toBe('101');
    expect(await cards(maya, 'Done').getByRole('row').count()).toBeLessThan(30);
    await page.getByRole('searchbox').pressSequentially('screen 10');
    await column(maya, 'Done').getByText('3', { exact: true }).waitFor();
    for (const number of [10, 100, 101])
      await cards(maya, 'Done')
        .getByRole('row', { name: `Screen ${number}`, exact: true })
        .waitFor();
    expect(await cards(maya, 'Done').getByRole('row').count()).toBe(3);
  });

  it('keeps the scroll position while a column grows, and renders visible cards when the list changes', async () => {
    const team = await createTeam();
    await createManyTasks(team, 30, 'todo');
    const jonas = await environment.openPage(team.jonas, team.board);
    const todo = cards(jonas, 'To do');
    await todo.getByRole('row').nth(29).waitFor();
    await todo.getByRole('row').first().focus();
    await createManyTasks(team, 1, 'todo');
    await column(jonas, 'To do').getByText('31', { exact: true }).waitFor();
    expect(await todo.locator('[role="row"]:focus').count()).toBe(1);
    expect(await todo.getByRole('row').count()).toBe(31);
    await jonas.page.getByRole('searchbox').fill('screen');
    await waitFor(async () => (await todo.getByRole('row').count()) < 30, {
      description: 'fewer rendered cards than loaded ones',
    });
    expect(await todo.getAttribute('aria-rowcount')).toBe('31');
  });

  it('can be navigated and changed by keyboard, including cards that were not rendered', async () => {
    const team = await createTeam();
    await createManyTasks(team, 60, 'todo');
    const { page } = await environment.openPage(team.jonas, team.board);
    const todo = page.getByRole('grid', { name: 'To do', exact: true });
    await todo.getByRole('row').first().focus();
    await page.keyboard.press('End');
    const last = todo.locator('[aria-rowindex="60"]');
    await last.waitFor();
    const title = await last.locator('strong').innerText();
    await waitFor(() => isInView(last), { description: 'the last card to be in view' });
    expect(await isFocused(last)).toBe(true);
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Enter');
    const target = page.getByRole('button', { name: 'Drop on Review' });
    await target.waitFor();
    for (let step = 0; step < 6 && !(await isFocused(target)); step += 1) await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    const moved = page
      .getByRole('grid', { name: 'Review', exact: true })
      .getByRole('row', { name: title, exact: true });
    await moved.waitFor();
    await waitFor(async () => (await isFocused(moved)) && (await isInView(moved)), {
      description: 'the moved card to be in view and have focus',
    });
  });
});

describe('the end of a project', () => {
  it('makes a completed project final and locks its fields', async () => {
    const team = await createTeam();
    const jonas = await environment.openPage(team.jonas, team.board);
    await jonas.page.getByRole('heading', { name: team.name }).waitFor();
    await expectStatus(environment.admin.call('PATCH', `/projects/${team.project}`, { status: 'completed' }), 200);
    await jonas.page.getByRole('button', { name: 'Edit', exact: true }).click();
    const form = dialog(jonas, 'Edit Project');
    await form.getByText('Cannot revert status from "Completed". Completed projects are final.').waitFor();
    expect(await form.getByRole('button', { name: 'Update Project' }).isDisabled()).toBe(true);
    expect(await form.getByRole('slider', { name: 'Progress' }).isDisabled()).toBe(true);
  });

  it('deletes the project for everyone after a confirmation in the Danger Zone', async () => {
    const team = await createTeam();
    const [jonas, lena] = await Promise.all([
      environment.openPage(team.jonas, team.board),
      environment.openPage(team.lena, team.board),
    ]);
    const { page } = jonas;
    await lena.page.getByRole('heading', { name: team.name }).waitFor();
    await page.getByRole('button', { name: 'Edit', exact: true }).click();
    await dialog(jonas, 'Edit Project').getByRole('button', { name: 'Delete Project' }).click();
    const confirmation = page.getByRole('alertdialog');
    await confirmation
      .getByText('Are you sure you want to delete this project? This action cannot be undone.')
      .waitFor();
    await confirmation.getByRole('button', { name: 'Delete Project' }).click();
    await toast(page, 'Project deleted successfully');
    await page.waitForURL('**/progress');
    await lena.page.getByText('This project no longer exists').waitFor();
  });
});

const card = ({ page }: BrowserUser, name: string): Locator => page.getByRole('article', { name });
const column = ({ page }: BrowserUser, name: string): Locator => page.getByRole('region', { name, exact: true });
const cards = ({ page }: BrowserUser, name: string): Locator => page.getByRole('grid', { name, exact: true });
const task = (user: BrowserUser, status: string): Locator => cards(user, status).getByRole('row', { name: TASK });

async function openEdit(user: BrowserUser, { name }: Team): Promise<Locator> {
  await user.page.getByRole('button', { name: `Actions for ${name}` }).click();
  await user.page.getByRole('menuitem', { name: 'Edit' }).click();
  const form = dialog(user, 'Edit Project');
  await form.waitFor();
  return form;
}

async function save({ page }: BrowserUser, form: Locator): Promise<void> {
  await form.getByRole('button', { name: 'Update Project' }).click();
  await form.waitFor({ state: 'detached' });
  await toast(page, 'Project updated successfully');
}

const isFocused = (place: Locator): Promise<boolean> =>
  place.evaluate((element) => element === element.ownerDocument.activeElement);

/** Counts painted frames from now on, and records whether the task has appeared in a column. */
const watchFrames = ({ page }: BrowserUser, label: string): Promise<void> =>
  page.evaluate(
    ([name, text]) => {
      const { dataset } = document.documentElement;
      const checkFrame = () => {
        dataset.frames = String(Number(dataset.frames ?? 0) + 1);
        const place = document.querySelector(`section[aria-label="${name}"]`);
        if (place?.textContent?.includes(text)) dataset.returned = 'true';
        requestAnimationFrame(checkFrame);
      };
      checkFrame();
    },
    [label, TASK] as const,
  );

/** Waits until `count` more frames have been painted, and returns the number of all painted frames. */
async function waitForFrames({ page }: BrowserUser, count: number): Promise<number> {
  const now = await page.evaluate(() => Number(document.documentElement.dataset.frames ?? 0));
  await page.waitForFunction((until) => Number(document.documentElement.dataset.frames ?? 0) >= until, now + count);
  return now + count;
}

const isInView = (place: Locator): Promise<boolean> =>
  place.evaluate((element) => {
    const { top, bottom } = element.getBoundingClientRect();
    return top >= 0 && bottom <= innerHeight;
  });
