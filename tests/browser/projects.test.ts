import { type System, startSystem } from '@atrium/local/system/start-system';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import type { Browser, Locator } from 'playwright-core';
import { type Client, demand, join, PASSWORD, setUp, signIn } from '../flows/workspace.ts';
import { launchChromium } from './chromium.ts';
import { choose, dialog, type Person, pick, sitDown, toast } from './person.ts';

const LIVE_MS = 1_000;
const NAME = 'Customer portal';

jest.setTimeout(60_000);

let system: System;
let browser: Browser;
let admin: Client;
let maya: Person;
/** A project manager, who manages the project. */
let jonas: Person;
/** A member of its team. */
let lena: Person;
/** A member who is not of the project. */
let omar: Person;
let project = '';

beforeAll(async () => {
  [system, browser] = await Promise.all([startSystem({ env: { RATE_LIMIT_USER: '10000' } }), launchChromium()]);
  admin = await setUp(system.url);
  await Promise.all([
    join(system.url, admin, { first: 'Jonas', role: 'project_manager' }),
    join(system.url, admin, { first: 'Lena', role: 'member' }),
    join(system.url, admin, { first: 'Omar', role: 'member' }),
  ]);
  [maya, jonas, lena, omar] = await Promise.all([
    atTracker('Maya Okafor', 'maya@example.org'),
    atTracker('Jonas Example', 'jonas@example.org'),
    atTracker('Lena Example', 'lena@example.org'),
    atTracker('Omar Example', 'omar@example.org'),
  ]);
}, 120_000);

afterAll(async () => {
  await browser?.close();
  await system?.stop();
}, 60_000);

describe('the progress tracker', () => {
  it('says what a new project lacks, and shows it to everybody within a second', async () => {
    await maya.page.getByText('Create your first project to get started').waitFor();
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
    await form.getByLabel('Project title').fill(NAME);
    await form.getByLabel('Description').fill('Sign-up, billing and help');
    await choose(form, maya.page, 'Priority', 'Urgent');
    await choose(form, maya.page, 'Initial status', 'Not Started');
    await form.getByRole('combobox', { name: /Project manager/ }).fill('Jonas');
    await maya.page.getByRole('option', { name: /Jonas/ }).first().click();
    await pick(form, 'Team members', ['Lena']);
    const seen = [jonas, lena].map((person) => arrival(card(person, NAME)));
    const [madeAt, seenAt] = await Promise.all([
      answerTo(maya, 'POST', '/api/projects'),
      Promise.all(seen),
      form.getByRole('button', { name: 'Create Project' }).click(),
    ]);
    for (const at of seenAt) expect(at - madeAt).toBeLessThan(LIVE_MS);
    await toast(maya.page, 'Project created successfully! Team members will receive email notifications.');
    for (const words of ['Planning', '0%', 'High priority']) await card(lena, NAME).getByText(words).waitFor();
    const { data } = await demand(admin.call<{ data: { _id: string }[] }>('GET', '/projects'), 200);
    project = data[0]?._id ?? '';
  });

  it('keeps its filters in the address, where Back and a reload find them', async () => {
    const { page } = lena;
    await choose(page.locator('main'), page, 'Status', 'Paused');
    await page.getByText('No projects found').waitFor();
    await page.getByText('Try adjusting your filters').waitFor();
    await page.reload();
    await page.getByText('Try adjusting your filters').waitFor();
    await page.goBack();
    await card(lena, NAME).waitFor();
    await page.getByRole('searchbox').fill('BILLING');
    await page.waitForURL(/search=BILLING/);
    await card(lena, NAME).waitFor();
    await page.getByRole('searchbox').fill('nothing like it');
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await card(lena, NAME).waitFor();
  });

  it('tells a member why nothing of a project can be changed', async () => {
    const form = await openEdit(lena);
    for (const reason of [
      'Only Admin and Project Manager can edit projects',
      'Only Admin and Project Manager can update progress',
      "You don't have permission to delete this project.",
    ])
      await form.getByText(reason).waitFor();
    expect(await form.getByLabel('Project title').isDisabled()).toBe(true);
    expect(await form.getByRole('button', { name: 'Update Project' }).isDisabled()).toBe(true);
    expect(await form.getByRole('button', { name: 'Delete Project' }).count()).toBe(0);
    await lena.page.keyboard.press('Escape');
  });

  it('moves progress upwards only, in steps of five, and only where the status takes it', async () => {
    const form = await openEdit(jonas);
    const slider = form.getByRole('slider', { name: 'Progress' });
    await form.getByText('Progress can only be updated when status is "In Progress" or "Completed"').waitFor();
    expect(await slider.isDisabled()).toBe(true);
    await form.getByText('Project Manager cannot be changed.').waitFor();
    await choose(form, jonas.page, 'Status', 'In Progress');
    await slider.focus();
    for (let step = 0; step < 4; step += 1) await slider.press('ArrowRight');
    await save(jonas, form);
    await card(lena, NAME).getByText('20%').waitFor();
    await card(lena, NAME).getByText('Active', { exact: true }).waitFor();
    const again = await openEdit(jonas);
    await slider.focus();
    await slider.press('ArrowLeft');
    expect(await slider.inputValue()).toBe('20');
    await jonas.page.keyboard.press('Escape');
    await again.waitFor({ state: 'detached' });
  });

  it('shows both values where somebody else saved first, and overwrites only what was typed', async () => {
    const mine = await openEdit(maya);
    await mine.getByLabel('Project title').fill('Portal of the customers');
    const theirs = await openEdit(jonas);
    await theirs.getByLabel('Project title').fill('Portal for customers');
    await theirs.getByLabel('Description').fill('Sign-up and billing');
    await save(jonas, theirs);
    await mine.getByRole('button', { name: 'Update Project' }).click();
    const notice = mine.getByRole('alert').filter({ hasText: 'Someone else changed this project meanwhile.' });
    await notice.getByRole('row', { name: 'Project title Portal of the customers Portal for customers' }).waitFor();
    expect(await notice.getByRole('row', { name: /Description/ }).count()).toBe(0);
    expect(await mine.getByLabel('Description').inputValue()).toBe('Sign-up and billing');
    await notice.getByRole('button', { name: 'Keep mine' }).click();
    await save(maya, mine);
    await card(lena, 'Portal of the customers').waitFor();
  });
});

describe('the page of a project', () => {
  it('is where a card leads, and whoever may adds and removes its people there', async () => {
    await card(maya, 'Portal of the customers').getByRole('link').first().click();
    await maya.page.waitForURL(`**/progress/${project}`);
    await Promise.all(
      [jonas, lena, omar].map(async (person) => {
        await person.page.goto(`${system.url}/progress/${project}`);
        await person.page.getByRole('heading', { name: 'Portal of the customers' }).waitFor();
      }),
    );
    await maya.page.getByRole('button', { name: 'Manage team' }).click();
    const team = dialog(maya, 'Project team');
    await team.getByRole('option', { name: /Omar/ }).click();
    await toast(maya.page, 'Omar Example added to the project');
    await omar.page.getByRole('button', { name: 'New Task', exact: true }).waitFor();
    await team.getByRole('button', { name: 'Remove Omar Example' }).click();
    await maya.page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click();
    await omar.page.getByText('Only people of the project can create its tasks').waitFor();
    await maya.page.keyboard.press('Escape');
    await lena.page.getByRole('button', { name: 'View team' }).click();
    await dialog(lena, 'Project team').getByText('Only Admin and Project Manager can edit projects').waitFor();
    await lena.page.keyboard.press('Escape');
  });
});

describe('the task board', () => {
  it('shows a new task to the others within a second, in its column and its count', async () => {
    await jonas.page.getByRole('button', { name: 'New task in To do' }).click();
    const form = dialog(jonas, 'New Task');
    await form.getByRole('button', { name: 'Create Task' }).click();
    await form.getByText('Task title is required').waitFor();
    await form.getByLabel('Title').fill('Validate VAT numbers');
    await choose(form, jonas.page, 'Priority', 'High');
    await choose(form, jonas.page, 'Assignee', 'Lena Example');
    const [madeAt, seenAt] = await Promise.all([
      answerTo(jonas, 'POST', '/api/tasks'),
      arrival(task(lena, 'To do', 'Validate VAT numbers')),
      form.getByRole('button', { name: 'Create Task' }).click(),
    ]);
    expect(seenAt - madeAt).toBeLessThan(LIVE_MS);
    await column(lena, 'To do').getByText('1', { exact: true }).waitFor();
  });

  it('moves a card by pointer, which the others see', async () => {
    await task(jonas, 'To do', 'Validate VAT numbers').dragTo(cards(jonas, 'Review'));
    await task(lena, 'Review', 'Validate VAT numbers').waitFor();
    await jonas.page.getByRole('status').filter({ hasText: 'Validate VAT numbers moved to Review' }).waitFor();
    await task(lena, 'To do', 'Validate VAT numbers').waitFor({ state: 'detached' });
  });

  it('moves a card by keyboard alone, and from its menu', async () => {
    const { page } = lena;
    await task(lena, 'Review', 'Validate VAT numbers').focus();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Enter');
    const target = page.getByRole('button', { name: 'Drop on Done' });
    await target.waitFor();
    for (let step = 0; step < 6 && !(await isFocused(target)); step += 1) await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await task(jonas, 'Done', 'Validate VAT numbers').waitFor();
    await task(jonas, 'Done', 'Validate VAT numbers').hover();
    await jonas.page.getByRole('button', { name: 'Actions for Validate VAT numbers' }).click();
    await jonas.page.getByRole('menuitem', { name: 'Move to In progress' }).click();
    await task(lena, 'In progress', 'Validate VAT numbers').waitFor();
  });

  it('puts a card back when the server does not take the move, and says so', async () => {
    const refuse = '**/api/tasks/*';
    await jonas.page.route(refuse, (route) =>
      route.request().method() === 'PATCH' ? route.fulfill({ status: 500, body: '{}' }) : route.continue(),
    );
    await task(jonas, 'In progress', 'Validate VAT numbers').dragTo(cards(jonas, 'Done'));
    await jonas.page.getByText('Failed to update task').first().waitFor();
    await task(jonas, 'In progress', 'Validate VAT numbers').waitFor();
    await jonas.page.unroute(refuse);
  });

  it('filters by assignee and priority in the address', async () => {
    const { page } = lena;
    await choose(page.locator('main'), page, 'Priority', 'Low');
    await task(lena, 'In progress', 'Validate VAT numbers').waitFor({ state: 'detached' });
    expect(new URL(page.url()).searchParams.get('priority')).toBe('low');
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await choose(page.locator('main'), page, 'Assignee', 'Lena Example (me)');
    await task(lena, 'In progress', 'Validate VAT numbers').waitFor();
    await page.goBack();
    await page.goBack();
    await task(lena, 'In progress', 'Validate VAT numbers').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Clear filters' }).click();
  });
});

describe('a task', () => {
  it('has an address of its own, and shows what the others do while nothing typed is lost', async () => {
    await task(jonas, 'In progress', 'Validate VAT numbers').click();
    await jonas.page.waitForURL(/task=[0-9a-f]{24}/);
    await lena.page.goto(jonas.page.url());
    const theirs = dialog(jonas, 'Validate VAT numbers');
    const mine = dialog(lena, 'Validate VAT numbers');
    await theirs.getByRole('textbox', { name: 'Comment' }).fill('I am still typing');
    await mine.getByRole('textbox', { name: 'Comment' }).fill('Which countries first?');
    const [madeAt, seenAt] = await Promise.all([
      answerTo(lena, 'POST', '/comments'),
      arrival(theirs.getByText('Which countries first?')),
      mine.getByRole('button', { name: 'Add Comment' }).click(),
    ]);
    expect(seenAt - madeAt).toBeLessThan(LIVE_MS);
    expect(await theirs.getByRole('textbox', { name: 'Comment' }).inputValue()).toBe('I am still typing');
    expect(await theirs.getByRole('button', { name: 'Delete comment by Lena Example' }).count()).toBe(0);
    await choose(theirs, jonas.page, 'Priority', 'Urgent');
    await mine.getByRole('button', { name: /Urgent/ }).waitFor();
    await mine.getByRole('button', { name: 'Delete comment by Lena Example' }).click();
    await lena.page.getByRole('alertdialog').getByRole('button', { name: 'Delete comment' }).click();
    await theirs.getByText('Nothing said yet.').waitFor();
    await jonas.page.goBack();
    const question = jonas.page.getByRole('alertdialog', { name: 'Discard changes?' });
    await question.getByRole('button', { name: 'Keep editing' }).click();
    await question.waitFor({ state: 'detached' });
    expect(await theirs.getByRole('textbox', { name: 'Comment' }).inputValue()).toBe('I am still typing');
    expect(new URL(jonas.page.url()).searchParams.get('task')).not.toBeNull();
    await jonas.page.keyboard.press('Escape');
    await jonas.page
      .getByRole('alertdialog', { name: 'Discard changes?' })
      .getByRole('button', { name: 'Discard changes' })
      .click();
    await theirs.waitFor({ state: 'detached' });
  });

  it('can be read by those who may not change it, and says why', async () => {
    await omar.page.goto(lena.page.url());
    const shown = dialog(omar, 'Validate VAT numbers');
    await shown.getByText('Only people of the project can change its tasks.').waitFor();
    await shown.getByText('Only people of the project can comment on its tasks.').waitFor();
    expect(await shown.getByRole('button', { name: /Delete task|Edit title/ }).count()).toBe(0);
    await omar.page.keyboard.press('Escape');
  });

  it('leaves the boards of all when it is deleted', async () => {
    const { page } = maya;
    await page.goto(lena.page.url());
    const shown = dialog(maya, 'Validate VAT numbers');
    await shown.getByRole('button', { name: 'Delete task' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete task' }).click();
    await toast(page, 'Task deleted successfully');
    await lena.page.getByText('This task is not there any more').waitFor();
    await lena.page.getByRole('button', { name: 'Back to the board' }).click();
    await task(lena, 'In progress', 'Validate VAT numbers').waitFor({ state: 'detached' });
  });
});

describe('a long board', () => {
  it('shows more than a hundred cards of a column on demand', async () => {
    const numbers = Array.from({ length: 101 }, (_, index) => index + 1);
    for (let from = 0; from < numbers.length; from += 20)
      await Promise.all(
        numbers
          .slice(from, from + 20)
          .map((number) =>
            demand(admin.call('POST', '/tasks', { title: `Screen ${number}`, project, status: 'done' }), 201),
          ),
      );
    await column(maya, 'Done').getByText('101', { exact: true }).waitFor();
    await maya.page.getByRole('button', { name: 'Show 1 more' }).click();
    await maya.page.getByRole('button', { name: 'Show 1 more' }).waitFor({ state: 'detached' });
    expect(await cards(maya, 'Done').getByRole('row').count()).toBe(101);
  });
});

describe('the end of a project', () => {
  it('is final once it is completed, and locks what could be changed', async () => {
    await demand(admin.call('PATCH', `/projects/${project}`, { status: 'completed' }), 200);
    await jonas.page.getByRole('button', { name: 'Edit', exact: true }).click();
    const form = dialog(jonas, 'Edit Project');
    await form.getByText('Cannot revert status from "Completed". Completed projects are final.').waitFor();
    expect(await form.getByRole('button', { name: 'Update Project' }).isDisabled()).toBe(true);
    expect(await form.getByRole('slider', { name: 'Progress' }).isDisabled()).toBe(true);
  });

  it('asks in the Danger Zone, and takes the project from everybody', async () => {
    const { page } = jonas;
    await dialog(jonas, 'Edit Project').getByRole('button', { name: 'Delete Project' }).click();
    const question = page.getByRole('alertdialog');
    await question.getByText('Are you sure you want to delete this project? This action cannot be undone.').waitFor();
    await question.getByRole('button', { name: 'Delete Project' }).click();
    await toast(page, 'Project deleted successfully');
    await page.waitForURL('**/progress');
    await lena.page.getByText('This project is not there').waitFor();
  });
});

async function atTracker(name: string, email: string): Promise<Person> {
  const person = await sitDown(browser, { name, email, base: system.url });
  const { accessToken, refreshToken } = await signIn(system.url, email, PASSWORD);
  await person.context.addInitScript(
    ([access = '', refresh = '']) => {
      if (localStorage.getItem('access_token')) return;
      localStorage.setItem('access_token', access);
      localStorage.setItem('refresh_token', refresh);
    },
    [accessToken, refreshToken],
  );
  await person.page.goto(`${system.url}/progress`);
  await person.page.getByText('No projects found').waitFor();
  return person;
}

const card = ({ page }: Person, name: string): Locator => page.getByRole('article', { name });
const column = ({ page }: Person, name: string): Locator => page.getByRole('region', { name, exact: true });
const cards = ({ page }: Person, name: string): Locator => page.getByRole('grid', { name, exact: true });
const task = (person: Person, status: string, title: string): Locator =>
  cards(person, status).getByRole('row', { name: title });

async function openEdit(person: Person): Promise<Locator> {
  await person.page.getByRole('button', { name: /^Actions for/ }).click();
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

/** When the server answered that call. */
const answerTo = ({ page }: Person, method: string, path: string): Promise<number> =>
  page
    .waitForResponse((answer) => answer.request().method() === method && answer.url().endsWith(path))
    .then(() => performance.now());

/** When something came into sight. */
const arrival = (place: Locator): Promise<number> => place.waitFor().then(() => performance.now());

const isFocused = (place: Locator): Promise<boolean> =>
  place.evaluate((element) => element === element.ownerDocument.activeElement);
