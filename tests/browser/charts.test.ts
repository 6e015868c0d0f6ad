import { type BaseLauncherContext, type System, startSystem } from '@atrium/test-kit/system/start-system';
import { openStores, type Stores } from '@atrium/test-kit/system/stores';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser, Locator } from 'playwright-core';
import { buildProject, HIGH_LIMITS } from '../workspace/builders.ts';
import { type Client, createResource, createUser, expectStatus, setUpWorkspace } from '../workspace/workspace.ts';
import { type BrowserUser, captureScreenshot, dialog } from './browser-user.ts';
import { captureThemesAndSizes } from './capture-screenshots.ts';
import { launchChromium } from './chromium.ts';
import { findAxeViolations, findClippedContent, findHorizontalScroll } from './screens/violations.ts';
import { checkBrowsersPerTest, openSignedInPage } from './test-environment.ts';

let system: System;
let stores: Stores;
let browser: Browser;
let admin: Client;
let lena: Client;
let project: string;

checkBrowsersPerTest();

beforeAll(async () => {
  const { promise: prepared, resolve: prepare } = Promise.withResolvers<BaseLauncherContext>();
  const starting = startSystem({ env: HIGH_LIMITS, prepare: async (context) => prepare(context) });
  [system, browser] = await Promise.all([starting, launchChromium()]);
  stores = await openStores(system, await prepared);
  admin = await setUpWorkspace(system.url);
  lena = await createUser(system.url, admin, { first: 'Lena', role: 'member' });
  project = await createProjectWithPast();
});
afterAll(async () => {
  await browser?.close();
  await stores?.close();
  await system?.stop();
}, 90_000);

const TASKS = { todo: 3, 'in-progress': 2, review: 1, done: 8 } as const;
/** Days before today that were not recorded. */
const MISSING_DAYS = [12, 13, 14, 15, 40];

/** Creates a project with tasks, as if it had been created 70 days ago. */
async function createProjectWithPast(): Promise<string> {
  const id = await createResource(admin, '/projects', buildProject('Harbour redesign', admin));
  for (const [status, count] of Object.entries(TASKS))
    for (let number = 1; number <= count; number += 1)
      await createResource(admin, '/tasks', { title: `${status} ${number}`, project: id, status });
  await expectStatus(admin.call('PATCH', `/projects/${id}`, { progress: 55 }), 200);
  await stores.query('projects', `update projects set created_at = now() - interval '70 days' where id = '${id}'`);
  await stores.query(
    'projects',
    `update tasks set completed_at = now() - interval '1 day' * 9 * (substr(title, 6)::int - 1)
     where project_id = '${id}' and status = 'done'`,
  );
  await stores.query('projects', 'delete from snapshot_days');
  const isMissing = `n = any('{${MISSING_DAYS.join()}}')`;
  await stores.query(
    'projects',
    `insert into snapshot_days (day, recorded_at)
     select (now() at time zone 'UTC')::date - n, now() - n * interval '1 day' from generate_series(0, 69) n where not ${isMissing}`,
  );
  await stores.query(
    'projects',
    `insert into project_snapshots (project_id, day, status, progress, todo, in_progress, review, done)
     select '${id}', (now() at time zone 'UTC')::date - n, 'in-progress', 50 - n / 10 * 5, 2 + n % 3, 2, 1, 8 - n / 9
     from generate_series(1, 69) n where not ${isMissing} on conflict do nothing`,
  );
  return id;
}

const openCharts = async (client = lena, path = '?view=charts', timezone = 'Europe/Berlin'): Promise<BrowserUser> => {
  const user = await openSignedInPage(browser, client, {
    address: `${system.url}/progress/${project}${path}`,
    savesData: true,
    timezone,
  });
  if (path !== '') await user.page.getByRole('region', { name: 'Burn-up' }).waitFor();
  return user;
};

const chart = ({ page }: BrowserUser, name: string): Locator => page.getByRole('region', { name });

/** Opens the list of a figure, and returns its title and the number of its tasks. */
async function countOpened(user: BrowserUser, figure: Locator): Promise<number> {
  await figure.click();
  const list = dialog(user, /./);
  await list.getByRole('listitem').or(list.getByText('No tasks')).first().waitFor();
  const count = await list.getByRole('listitem').count();
  await user.page.keyboard.press('Escape');
  await list.waitFor({ state: 'detached' });
  return count;
}

describe('the charts of a project', () => {
  it('are opened next to its progress, and lead back to the board', async () => {
    const { page } = await openCharts(lena, '');
    await page.getByRole('button', { name: 'Charts', exact: true }).click();
    await page.waitForURL('**view=charts');
    await page.getByRole('region', { name: 'Progress over time' }).waitFor();
    await page.getByRole('button', { name: 'Board', exact: true }).click();
    await page.getByRole('searchbox', { name: /Search tasks/ }).waitFor();
  });

  it.each(['Europe/Berlin', 'Pacific/Kiritimati', 'Pacific/Honolulu'])(
    'have figures that open as many tasks as they count, in %s',
    async (timezone) => {
      const user = await openCharts(lena, '?view=charts', timezone);
      const states = chart(user, 'Tasks by state').getByRole('button', { name: / of 14 tasks/ });
      expect(await states.allInnerTexts()).toEqual([
        expect.stringMatching(/^To do\s*3\s*of 14 tasks\s*21%$/),
        expect.stringMatching(/^In progress\s*2\s*of 14 tasks\s*14%$/),
        expect.stringMatching(/^Review\s*1\s*of 14 tasks\s*7%$/),
        expect.stringMatching(/^Done\s*8\s*of 14 tasks\s*57%$/),
      ]);
      for (const [index, count] of Object.values(TASKS).entries())
        expect(await countOpened(user, states.nth(index))).toBe(count);
      const weeks = chart(user, 'Completed tasks per week').getByRole('button', { name: /completed$/ });
      let total = 0;
      for (const week of await weeks.all()) {
        const count = Number(/: (\d+) tasks? completed/.exec((await week.getAttribute('aria-label')) ?? '')?.[1]);
        if (count > 0) expect(await countOpened(user, week)).toBe(count);
        total += count;
      }
      expect(total).toBe(TASKS.done);
    },
  );

  it('show the open tasks of each user by week, which open as lists', async () => {
    const day = (days: number) => new Date(Date.now() + days * 864e5).toISOString().slice(0, 10);
    const id = await createResource(admin, '/projects', buildProject('Quay', admin, { teamMembers: [lena.id] }));
    const add = (title: string, fields: object) => createResource(admin, '/tasks', { title, project: id, ...fields });
    await add('Late', { assignedTo: lena.id, dueDate: day(-20) });
    await add('Soon', { assignedTo: lena.id, dueDate: day(0) });
    await add('Far', { assignedTo: lena.id, dueDate: day(400) });
    await add('Someday', { assignedTo: lena.id });
    await add('Of nobody', { dueDate: day(400) });
    await add('Finished', { assignedTo: lena.id, dueDate: day(0), status: 'done' });
    const user = await openSignedInPage(browser, lena, { address: `${system.url}/progress/${id}?view=charts` });
    const workload = chart(user, 'Weekly workload');
    const figures = workload.getByRole('grid').getByRole('button');
    await figures.first().waitFor();
    expect(await figures.evaluateAll((cells) => cells.map((cell) => cell.ariaLabel))).toEqual([
      expect.stringMatching(/^Lena .*: 1 task overdue$/),
      expect.stringMatching(/^Lena .*: 1 task due \d.* \d{4}$/),
      expect.stringMatching(/^Lena .*: 1 task due later$/),
      expect.stringMatching(/^Lena .*: 1 task without a due date$/),
      expect.stringMatching(/^Lena .*: 4 tasks open$/),
      'Unassigned: 1 task due later',
      'Unassigned: 1 task open',
    ]);
    for (const [index, count] of [1, 1, 1, 1, 4, 1, 1].entries())
      expect(await countOpened(user, figures.nth(index))).toBe(count);
    await figures.first().focus();
    for (const key of ['ArrowRight', 'ArrowRight', 'ArrowDown']) await user.page.keyboard.press(key);
    expect(await user.page.evaluate(() => document.activeElement?.ariaLabel)).toBe('Unassigned: 1 task due later');
    await captureThemesAndSizes(user, 'charts-workload', [390, 1_440], workload);
    const violations = await findHorizontalScroll(user.page);
    await user.page.goto(`${system.url}/team?view=workload&search=Lena`);
    await workload.getByRole('button', { name: /1 task overdue$/ }).waitFor();
    await captureThemesAndSizes(user, 'team-workload', [390, 1_440]);
    for (const width of [360, 1_440]) {
      await user.page.setViewportSize({ width, height: 900 });
      violations.push(...(await findHorizontalScroll(user.page)), ...(await findClippedContent(user.page)));
    }
    await user.page.emulateMedia({ media: 'print' });
    await user.page.setViewportSize({ width: 794, height: 1_123 });
    await captureScreenshot(user, 'team-workload-print');
    expect(violations).toEqual([]);
  });

  it('change live, and with them the list that a figure has opened', async () => {
    const user = await openCharts();
    const review = chart(user, 'Tasks by state').getByRole('button', { name: 'Review 1 of 14 tasks' });
    await review.click();
    const list = dialog(user, 'Review');
    await list.getByText('review 1').waitFor();
    const added = await createResource(admin, '/tasks', { title: 'Found late', project, status: 'review' });
    await list.getByText('Found late').waitFor();
    await list.getByText('2 tasks').waitFor();
    await user.page.keyboard.press('Escape');
    await chart(user, 'Tasks by state').getByRole('button', { name: 'Review 2 of 15 tasks' }).waitFor();
    await expectStatus(admin.call('DELETE', `/tasks/${added}`), 204);
    await review.waitFor();
  });

  it('show days that were not recorded as gaps, in the chart and in its table', async () => {
    const user = await openCharts();
    const progress = chart(user, 'Progress over time');
    // The days before, between, and after the two gaps.
    expect(await progress.locator('path[stroke-dasharray]').count()).toBe(0);
    expect(await progress.locator('svg g > path').count()).toBe(6);
    await progress.getByRole('button', { name: 'Show table' }).click();
    expect(await progress.getByRole('cell', { name: 'Not recorded', exact: true }).count()).toBe(MISSING_DAYS.length);
    const { page } = user;
    const downloads = page.waitForEvent('download');
    await progress.getByRole('button', { name: 'Download CSV' }).click();
    const download = await downloads;
    expect(download.suggestedFilename()).toBe('progress-over-time.csv');
    const text = await (await download.createReadStream()).toArray();
    const rows = Buffer.concat(text).toString('utf8').trim().split('\r\n');
    expect(rows[0]).toContain('Recorded,Progress in percent');
    expect(rows.filter((row) => row.endsWith(','))).toHaveLength(MISSING_DAYS.length);
    expect(rows.at(-1)).toMatch(/,55$/);
  });

  it('work with the keyboard', async () => {
    const user = await openCharts();
    const { page } = user;
    const slider = chart(user, 'Progress over time').getByRole('slider');
    await slider.focus();
    expect(await slider.getAttribute('aria-valuetext')).toMatch(/: 55%$/);
    await page.keyboard.press('Home');
    expect(await slider.getAttribute('aria-valuetext')).toMatch(/: 20%$/);
    const lastWeek = chart(user, 'Completed tasks per week').getByRole('button', { name: /so far/ });
    await lastWeek.focus();
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('Enter');
    await dialog(user, /^Completed/).waitFor();
    await page.keyboard.press('Escape');
  });

  it('are accessible, and fit a phone, a desktop, and paper', async () => {
    const user = await openCharts();
    const { page } = user;
    await captureThemesAndSizes(user, 'charts');
    for (const [name, step] of [
      ['Burn-up', 'charts-burn-up'],
      ['Progress over time', 'charts-progress'],
    ] as const)
      await captureThemesAndSizes(user, step, [390, 1_440], chart(user, name));
    const violations: string[] = [];
    for (const width of [360, 390, 1_440]) {
      await page.setViewportSize({ width, height: 900 });
      violations.push(
        ...(await findAxeViolations(page)),
        ...(await findHorizontalScroll(page)),
        ...(await findClippedContent(page)),
      );
    }
    await page.emulateMedia({ media: 'print' });
    await page.setViewportSize({ width: 794, height: 1_123 });
    const backgrounds = await page.evaluate(() =>
      [document.documentElement, document.body].map((element) => getComputedStyle(element).backgroundColor),
    );
    expect(backgrounds).toEqual(['rgba(0, 0, 0, 0)', 'rgba(0, 0, 0, 0)']);
    await captureScreenshot(user, 'charts-print');
    await chart(user, 'Progress over time').scrollIntoViewIfNeeded();
    await captureScreenshot(user, 'charts-print-2');
    await page.emulateMedia({ media: null });
    await page.evaluate(() => document.documentElement.setAttribute('dir', 'rtl'));
    await captureThemesAndSizes(user, 'charts-rtl', [390, 1_440], chart(user, 'Burn-up'));
    await captureThemesAndSizes(user, 'charts-rtl-states', [390, 1_440], chart(user, 'Tasks by state'));
    expect(violations).toEqual([]);
  });

  it('run from right to left if the interface does', async () => {
    const user = await openCharts();
    const positions = () =>
      chart(user, 'Completed tasks per week')
        .getByRole('button', { name: /completed$/ })
        .evaluateAll((columns) => columns.map((column) => column.getBoundingClientRect().x));
    const isAscending = (values: readonly number[]) =>
      values.every((value, index) => value >= (values[index - 1] ?? 0));
    expect(isAscending(await positions())).toBe(true);
    await user.page.evaluate(() => document.documentElement.setAttribute('dir', 'rtl'));
    await user.page.waitForFunction(() => getComputedStyle(document.body).direction === 'rtl');
    expect(isAscending((await positions()).toReversed())).toBe(true);
  });
});
