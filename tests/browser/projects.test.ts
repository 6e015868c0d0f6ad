import { waitFor } from '@atrium/test-kit/wait-for';
import { describe, expect, it, jest } from '@jest/globals';
import type { Locator } from 'playwright-core';
import { type Client, demand } from '../flows/workspace.ts';
import { expectLive } from './live.ts';
import { allHeld } from './mock-responses.ts';
import { choose, dateField, dialog, type Person, pick, pickDay, toast, typeDay } from './person.ts';
import { setUpTestEnvironment } from './test-environment.ts';

jest.setTimeout(240_000);

const stage = setUpTestEnvironment();

/** A project of its own for each test: Jonas manages it, Lena is of its team, and the tracker shows it alone at `tracker`. */
type Team = { jonas: Client; lena: Client; name: string; project: string; tracker: string; board: string };

async function aTeam(fields: Record<string, unknown> = {}): Promise<Team> {
  const [jonas, lena] = await Promise.all([stage.someone('Jonas', 'project_manager'), stage.someone('Lena', 'member')]);
  const name = `Portal ${stage.word()}`;
  const body = {
    name,
    description: 'Sign-up, billing and help',
    projectManager: jonas.id,
    teamMembers: [lena.id],
    priority: 'urgent',
    status: 'in-progress',
    ...fields,
  };
  // Who has just accepted an invitation is known to every service within a second (decisions, section 10), not at once.
  const project = await waitFor(
    async () => (await stage.admin.call<{ _id?: string }>('POST', '/projects', body)).body._id,
    { what: 'a project of these people', timeoutMs: 3_000, everyMs: 100 },
  );
  return { jonas, lena, name, project, tracker: `/progress?search=${name}`, board: `/progress/${project}` };
}

const TASK = 'Validate VAT numbers';
const NO_DAY = 'dd/mm/yyyy';

/** `Screen 1` to the last in a column of its board. */
async function manyTasks({ jonas, project }: Team, count: number, status: string): Promise<void> {
  const titles = Array.from({ length: count }, (_, index) => `Screen ${index + 1}`);
  for (let from = 0; from < count; from += 20)
    await Promise.all(
      titles
        .slice(from, from + 20)
        .map((title) => demand(jonas.call('POST', '/tasks', { title, project, status }), 201)),
    );
}

/** A task of Lena's; answers where its board opens it. */
async function buildTask({ project, lena, jonas, board }: Team, status: string): Promise<string> {
  const body = { title: TASK, project, status, priority: 'high', assignedTo: lena.id };
  const { _id } = await demand(jonas.call<{ _id: string }>('POST', '/tasks', body), 201);
  return `${board}?task=${_id}`;
}

describe('the progress tracker', () => {
  it('says what a new project lacks, and shows it to everybody within a second', async () => {
    const [manager, someone] = await Promise.all([
      stage.someone('Jonas', 'project_manager'),
      stage.someone('Lena', 'member'),
    ]);
    const name = `Portal ${stage.word()}`;
    const [maya, jonas, lena] = await Promise.all([
      stage.sit(stage.admin, '/progress'),
      stage.sit(manager, '/progress'),
      stage.sit(someone, '/progress'),
    ]);
    for (const person of [maya, jonas, lena])
      await person.page.getByRole('heading', { name: 'Progress Tracker' }).waitFor();
    expect(await lena.page.getByRole('button', { name: /New Project|Invite Member/ }).count()).toBe(0);
    await maya.page.getByRole('button', { name: 'New Project' }).click();
    const form = dialog(maya, 'Create New Project');
    await form.getByRole('button', { name: 'Create Project' }).click();
    for (const fault of [
      'Project title is required',
      'Project description is required',
      'Please select a project manager',
      'Please select a priority level',
      'Please select an initial status',
    ])
      await form.getByText(fault).waitFor();
    await form.getByLabel('Project title').fill(name);
    await form.getByLabel('Description').fill('Sign-up, billing and help');
    await choose(form, maya.page, 'Priority', 'Urgent');
    await choose(form, maya.page, 'Initial status', 'Not Started');
    await form.getByRole('combobox', { name: /Project manager/ }).fill(manager.name);
    await maya.page
      .getByRole('option', { name: new RegExp(manager.name) })
      .first()
      .click();
    await pick(form, 'Team members', [someone.name]);
    await expectLive(
      { by: maya.page, method: 'POST', path: '/api/projects' },
      () => form.getByRole('button', { name: 'Create Project' }).click(),
      [jonas, lena].map((person) => card(person, name)),
    );
    await toast(maya.page, 'Project created successfully! Team members will receive email notifications.');
    for (const words of ['Planning', '0%', 'High priority']) await card(lena, name).getByText(words).waitFor();
  });

  it('keeps its filters in the address, where Back and a reload find them', async () => {
    const team = await aTeam({ description: `Vouchers of ${stage.word()}` });
    const lena = await stage.sit(team.lena, '/progress');
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

  it('opens a project on the dashboard for a member to read, and offers no edit', async () => {
    const team = await aTeam();
    const lena = await stage.sit(team.lena, team.tracker);
    await lena.page.getByRole('button', { name: `Actions for ${team.name}` }).click();
    await lena.page.getByRole('menuitem').first().waitFor();
    expect(await lena.page.getByRole('menuitem', { name: 'Edit' }).count()).toBe(0);
    await lena.page.keyboard.press('Escape');
    await lena.page.goto(stage.system.url);
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

  it('moves progress upwards only, in steps of five, and only where the status takes it', async () => {
    const team = await aTeam({ status: 'not-started' });
    const [jonas, lena] = await Promise.all([stage.sit(team.jonas, team.tracker), stage.sit(team.lena, team.tracker)]);
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
    const again = await openEdit(jonas, team);
    await slider.focus();
    await slider.press('ArrowLeft');
    expect(await slider.inputValue()).toBe('20');
    await jonas.page.keyboard.press('Escape');
    await again.waitFor({ state: 'detached' });
  });

  it('shows both values where somebody else saved first, and overwrites only what was typed', async () => {
    const team = await aTeam();
    const [maya, jonas, lena] = await Promise.all([
      stage.sit(stage.admin, team.tracker),
      stage.sit(team.jonas, team.tracker),
      stage.sit(team.lena, team.tracker),
    ]);
    const [mineIs, theirsIs] = [`${team.name} of the customers`, `${team.name} for customers`];
    const mine = await openEdit(maya, team);
    await mine.getByLabel('Project title').fill(mineIs);
    const theirs = await openEdit(jonas, team);
    await theirs.getByLabel('Project title').fill(theirsIs);
    await theirs.getByLabel('Description').fill('Sign-up and billing');
    await save(jonas, theirs);
    await mine.getByRole('button', { name: 'Update Project' }).click();
    const notice = mine.getByRole('alert').filter({ hasText: 'Someone else changed this project meanwhile.' });
    await notice.getByRole('row', { name: `Project title ${mineIs} ${theirsIs}` }).waitFor();
    expect(await notice.getByRole('row', { name: /Description/ }).count()).toBe(0);
    expect(await mine.getByLabel('Description').inputValue()).toBe('Sign-up and billing');
    await notice.getByRole('button', { name: 'Keep mine' }).click();
    await save(maya, mine);
    await card(lena, mineIs).waitFor();
  });
});

describe('what is saved', () => {
  it('closes its form at once, and stands in a list whose own answer is still on its way', async () => {
    const team = await aTeam();
    const jonas = await stage.sit(team.jonas, team.tracker);
    const form = await openEdit(jonas, team);
    const name = `${team.name} of the customers`;
    await form.getByLabel('Project title').fill(name);
    await allHeld(jonas.page, /\/api\/projects\b/, async () => {
      await save(jonas, form);
      await card(jonas, name).waitFor();
    });
    await card(jonas, name).waitFor();
  });

  it('leaves a card where it was moved, before the columns come and after', async () => {
    const team = await aTeam();
    await buildTask(team, 'todo');
    const jonas = await stage.sit(team.jonas, team.board);
    await task(jonas, 'To do').waitFor();
    const { page } = jonas;
    const saved = page.waitForResponse((answer) => answer.request().method() === 'PATCH');
    await allHeld(page, /\/api\/tasks\b/, async () => {
      await task(jonas, 'To do').dragTo(cards(jonas, 'Review'));
      await task(jonas, 'Review').waitFor();
      await watchFrames(jonas, 'To do');
      await saved;
      await framesAfter(jonas, 30);
    });
    const seen = await framesAfter(jonas, 30);
    expect(seen).toBeGreaterThan(30);
    expect(await page.evaluate(() => document.documentElement.dataset.returned)).toBeUndefined();
    await task(jonas, 'Review').waitFor();
  });
});

describe('the page of a project', () => {
  it('is where a card leads, and whoever may adds and removes its people there', async () => {
    const [team, outsider, another] = await Promise.all([
      aTeam(),
      stage.someone('Omar', 'member'),
      stage.someone('Yusuf', 'member'),
    ]);
    const [maya, jonas, lena, omar] = await Promise.all([
      stage.sit(stage.admin, team.tracker),
      stage.sit(team.jonas, team.board),
      stage.sit(team.lena, team.board),
      stage.sit(outsider, team.board),
    ]);
    await card(maya, team.name).getByRole('link').first().click();
    await maya.page.waitForURL(`**${team.board}`);
    for (const { page } of [jonas, lena, omar]) await page.getByRole('heading', { name: team.name }).waitFor();
    await maya.page.getByRole('button', { name: 'Manage team' }).click();
    const people = dialog(maya, 'Project team');
    await people.getByRole('button', { name: 'Add people' }).click();
    await pick(people, 'Add people', [outsider.name, another.name]);
    await people.getByRole('button', { name: 'Add', exact: true }).click();
    await toast(maya.page, '2 people added to the project');
    expect(await isFocused(people.getByRole('button', { name: 'Add people' }))).toBe(true);
    await people.getByRole('list', { name: 'People of the project' }).getByText(another.name).waitFor();
    await omar.page.getByRole('button', { name: 'New Task', exact: true }).waitFor();
    await people.getByRole('button', { name: `Remove ${outsider.name}` }).click();
    await maya.page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click();
    await omar.page.getByText('Only people of the project can create its tasks').waitFor();
    await lena.page.getByRole('button', { name: 'View team' }).click();
    await dialog(lena, 'Project team').getByText('Only Admin and Project Manager can edit projects').waitFor();
  });
});

describe('the task board', () => {
  it('shows a new task to the others within a second, in its column and its count', async () => {
    const team = await aTeam();
    const [jonas, lena] = await Promise.all([stage.sit(team.jonas, team.board), stage.sit(team.lena, team.board)]);
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

  it('moves a card by pointer, which the others see', async () => {
    const team = await aTeam();
    await buildTask(team, 'todo');
    const [jonas, lena] = await Promise.all([stage.sit(team.jonas, team.board), stage.sit(team.lena, team.board)]);
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
    const team = await aTeam();
    await buildTask(team, 'review');
    const [jonas, lena] = await Promise.all([stage.sit(team.jonas, team.board), stage.sit(team.lena, team.board)]);
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

  it('puts a card back when the server does not take the move, and says so', async () => {
    stage.expectFaults(/status of 500/);
    const team = await aTeam();
    await buildTask(team, 'in-progress');
    const jonas = await stage.sit(team.jonas, team.board);
    await jonas.page.route('**/api/tasks/*', (route) =>
      route.request().method() === 'PATCH' ? route.fulfill({ status: 500, body: '{}' }) : route.continue(),
    );
    await task(jonas, 'In progress').dragTo(cards(jonas, 'Done'));
    await jonas.page.getByText('Failed to update task').first().waitFor();
    await task(jonas, 'In progress').waitFor();
  });

  it('filters by assignee and priority in the address', async () => {
    const team = await aTeam();
    await buildTask(team, 'in-progress');
    const lena = await stage.sit(team.lena, team.board);
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
  it('has an address of its own, and shows what the others do while nothing typed is lost', async () => {
    const team = await aTeam();
    const address = await buildTask(team, 'in-progress');
    const [jonas, lena] = await Promise.all([stage.sit(team.jonas, team.board), stage.sit(team.lena, address)]);
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
    const deleting = { name: `Delete comment by ${team.lena.name}` };
    expect(await theirs.getByRole('button', deleting).count()).toBe(0);
    await choose(theirs, jonas.page, 'Priority', 'Urgent');
    await mine.getByRole('button', { name: /Urgent/ }).waitFor();
    await mine.getByRole('button', deleting).click();
    await lena.page.getByRole('alertdialog').getByRole('button', { name: 'Delete comment' }).click();
    await theirs.getByText('Nothing said yet.').waitFor();
    await jonas.page.goBack();
    await theirs.waitFor({ state: 'detached' });
    await jonas.page.goForward();
    expect(await theirs.getByRole('textbox', { name: 'Comment' }).inputValue()).toBe('I am still typing');
    expect(new URL(jonas.page.url()).searchParams.get('task')).not.toBeNull();
    await jonas.page.keyboard.press('Escape');
    await theirs.waitFor({ state: 'detached' });
  });

  it('has what was typed of its words back after a reload, and the focus where it was edited from', async () => {
    const team = await aTeam();
    const lena = await stage.sit(team.lena, await buildTask(team, 'in-progress'));
    const { page } = lena;
    const opened = dialog(lena, TASK);
    const edit = opened.getByRole('button', { name: 'Edit title and description' });
    await edit.click();
    await opened.getByRole('textbox', { name: 'Description' }).fill('First of the Nordic countries');
    page.once('dialog', (question) => void question.accept());
    await page.reload();
    await opened.getByText('What you typed here before has been restored.').waitFor();
    expect(await opened.getByRole('textbox', { name: 'Description' }).inputValue()).toBe(
      'First of the Nordic countries',
    );
    await opened.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Discard changes' }).click();
    await edit.waitFor();
    // React Aria gives the focus back in the frame after its question has gone.
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
    expect(await isFocused(edit)).toBe(true);
    await edit.click();
    await opened.getByRole('textbox', { name: 'Description' }).fill('The Nordic countries');
    await opened.getByRole('button', { name: 'Save' }).click();
    await opened.getByText('The Nordic countries').waitFor();
    await waitFor(() => isFocused(edit), { what: 'the focus on the button that opened the form' });
  });

  it('starts on the day that is picked or typed, which the others see, and not after it is due', async () => {
    const team = await aTeam();
    const address = await buildTask(team, 'todo');
    const [jonas, lena] = await Promise.all([stage.sit(team.jonas, address), stage.sit(team.lena, address)]);
    const [theirs, mine] = [dialog(jonas, TASK), dialog(lena, TASK)];
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

  it('can be read by those who may not change it, and says why', async () => {
    const [team, outsider] = await Promise.all([aTeam(), stage.someone('Omar', 'member')]);
    const omar = await stage.sit(outsider, await buildTask(team, 'in-progress'));
    const shown = dialog(omar, TASK);
    await shown.getByText('Only people of the project can edit its tasks').waitFor();
    await shown.getByText('Only people of the project can comment on its tasks').waitFor();
    expect(await shown.getByRole('button', { name: /Delete task|Edit title/ }).count()).toBe(0);
  });

  it('leaves the boards of all when it is deleted', async () => {
    const team = await aTeam();
    const address = await buildTask(team, 'in-progress');
    const [maya, lena] = await Promise.all([stage.sit(stage.admin, address), stage.sit(team.lena, address)]);
    const { page } = maya;
    await dialog(lena, TASK).waitFor();
    await dialog(maya, TASK).getByRole('button', { name: 'Delete task' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete task' }).click();
    await toast(page, 'Task deleted successfully');
    await lena.page.getByText('This task is not there any more').waitFor();
    await lena.page.getByRole('button', { name: 'Back to the board' }).click();
    await task(lena, 'In progress').waitFor({ state: 'detached' });
  });
});

describe('a long board', () => {
  it('shows more than a hundred cards of a column on demand, of which it draws those in view', async () => {
    const team = await aTeam();
    await manyTasks(team, 101, 'done');
    const maya = await stage.sit(stage.admin, team.board);
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

  it('keeps the place of whoever stands in a column while it grows, and draws what is in view once it is another list', async () => {
    const team = await aTeam();
    await manyTasks(team, 30, 'todo');
    const jonas = await stage.sit(team.jonas, team.board);
    const todo = cards(jonas, 'To do');
    await todo.getByRole('row').nth(29).waitFor();
    await todo.getByRole('row').first().focus();
    await manyTasks(team, 1, 'todo');
    await column(jonas, 'To do').getByText('31', { exact: true }).waitFor();
    expect(await todo.locator('[role="row"]:focus').count()).toBe(1);
    expect(await todo.getByRole('row').count()).toBe(31);
    await jonas.page.getByRole('searchbox').fill('screen');
    await waitFor(async () => (await todo.getByRole('row').count()) < 30, { what: 'fewer cards than there are' });
    expect(await todo.getAttribute('aria-rowcount')).toBe('31');
  });

  it('is gone through and moved on by keyboard, to cards that were not drawn', async () => {
    const team = await aTeam();
    await manyTasks(team, 60, 'todo');
    const { page } = await stage.sit(team.jonas, team.board);
    const todo = page.getByRole('grid', { name: 'To do', exact: true });
    await todo.getByRole('row').first().focus();
    await page.keyboard.press('End');
    const last = todo.locator('[aria-rowindex="60"]');
    await last.waitFor();
    const title = await last.locator('strong').innerText();
    await waitFor(() => isInView(last), { what: 'the last card in view' });
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
    await waitFor(async () => (await isFocused(moved)) && (await isInView(moved)), { what: 'the moved card in view' });
  });
});

describe('the end of a project', () => {
  it('is final once it is completed, and locks what could be changed', async () => {
    const team = await aTeam();
    const jonas = await stage.sit(team.jonas, team.board);
    await jonas.page.getByRole('heading', { name: team.name }).waitFor();
    await demand(stage.admin.call('PATCH', `/projects/${team.project}`, { status: 'completed' }), 200);
    await jonas.page.getByRole('button', { name: 'Edit', exact: true }).click();
    const form = dialog(jonas, 'Edit Project');
    await form.getByText('Cannot revert status from "Completed". Completed projects are final.').waitFor();
    expect(await form.getByRole('button', { name: 'Update Project' }).isDisabled()).toBe(true);
    expect(await form.getByRole('slider', { name: 'Progress' }).isDisabled()).toBe(true);
  });

  it('asks in the Danger Zone, and takes the project from everybody', async () => {
    const team = await aTeam();
    const [jonas, lena] = await Promise.all([stage.sit(team.jonas, team.board), stage.sit(team.lena, team.board)]);
    const { page } = jonas;
    await lena.page.getByRole('heading', { name: team.name }).waitFor();
    await page.getByRole('button', { name: 'Edit', exact: true }).click();
    await dialog(jonas, 'Edit Project').getByRole('button', { name: 'Delete Project' }).click();
    const question = page.getByRole('alertdialog');
    await question.getByText('Are you sure you want to delete this project? This action cannot be undone.').waitFor();
    await question.getByRole('button', { name: 'Delete Project' }).click();
    await toast(page, 'Project deleted successfully');
    await page.waitForURL('**/progress');
    await lena.page.getByText('This project is not there').waitFor();
  });
});

const card = ({ page }: Person, name: string): Locator => page.getByRole('article', { name });
const column = ({ page }: Person, name: string): Locator => page.getByRole('region', { name, exact: true });
const cards = ({ page }: Person, name: string): Locator => page.getByRole('grid', { name, exact: true });
const task = (person: Person, status: string): Locator => cards(person, status).getByRole('row', { name: TASK });

async function openEdit(person: Person, { name }: Team): Promise<Locator> {
  await person.page.getByRole('button', { name: `Actions for ${name}` }).click();
  await person.page.getByRole('menuitem', { name: 'Edit' }).click();
  const form = dialog(person, 'Edit Project');
  await form.waitFor();
  return form;
}

async function save({ page }: Person, form: Locator): Promise<void> {
  await form.getByRole('button', { name: 'Update Project' }).click();
  await form.waitFor({ state: 'detached' });
  await toast(page, 'Project updated successfully');
}

const isFocused = (place: Locator): Promise<boolean> =>
  place.evaluate((element) => element === element.ownerDocument.activeElement);

/** Counts the frames that are painted from now on, and notes one in which the task stands in that column. */
const watchFrames = ({ page }: Person, label: string): Promise<void> =>
  page.evaluate(
    ([name, words]) => {
      const { dataset } = document.documentElement;
      const look = () => {
        dataset.frames = String(Number(dataset.frames ?? 0) + 1);
        const place = document.querySelector(`section[aria-label="${name}"]`);
        if (place?.textContent?.includes(words)) dataset.returned = 'true';
        requestAnimationFrame(look);
      };
      look();
    },
    [label, TASK] as const,
  );

/** How many frames were painted once so many more have been. */
async function framesAfter({ page }: Person, more: number): Promise<number> {
  const now = await page.evaluate(() => Number(document.documentElement.dataset.frames ?? 0));
  await page.waitForFunction((until) => Number(document.documentElement.dataset.frames ?? 0) >= until, now + more);
  return now + more;
}

const isInView = (place: Locator): Promise<boolean> =>
  place.evaluate((element) => {
    const { top, bottom } = element.getBoundingClientRect();
    return top >= 0 && bottom <= innerHeight;
  });
