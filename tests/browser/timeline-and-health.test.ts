import { waitFor } from '@atrium/test-kit/wait-for';
import { describe, expect, it } from '@jest/globals';
import { buildProject } from '../workspace/builders.ts';
import { createResource, expectStatus } from '../workspace/workspace.ts';
import { captureScreenshot, dialog } from './browser-user.ts';
import { captureThemesAndSizes } from './capture-screenshots.ts';
import { findAxeViolations, findClippedContent, findHorizontalScroll } from './screens/violations.ts';
import { setUpTestEnvironment } from './test-environment.ts';

const environment = setUpTestEnvironment();

type Box = { x: number; width: number } | null;

const isWithin = (inner: Box, outer: Box): boolean =>
  inner !== null && outer !== null && inner.x >= outer.x && inner.x + inner.width <= outer.x + outer.width;

const dayIn = (days: number) => new Date(Date.now() + days * 864e5).toISOString().slice(0, 10);

describe('the timeline of a project', () => {
  /** Creates a project with a task of five days, and opens its timeline. */
  async function openTimeline() {
    const id = await createResource(environment.admin, '/projects', buildProject('Quay repairs', environment.admin));
    const dates = { startDate: dayIn(2), dueDate: dayIn(6) };
    const task = await createResource(environment.admin, '/tasks', { title: 'Drain the dock', project: id, ...dates });
    await createResource(environment.admin, '/tasks', { title: 'Someday', project: id });
    const user = await environment.openPage(environment.admin, `/progress/${id}?view=charts`);
    const bar = user.page.getByRole('region', { name: 'Timeline' }).getByRole('button', { name: /^Drain the dock/ });
    await bar.waitFor();
    const readDates = async () => {
      const { startDate, dueDate } = await expectStatus(
        environment.admin.call<{ startDate: string; dueDate: string }>('GET', `/tasks/${task}`),
        200,
      );
      return [startDate.slice(0, 10), dueDate.slice(0, 10)];
    };
    const expectDates = (expected: string[]) =>
      waitFor(async () => (await readDates()).join() === expected.join(), { description: `the dates ${expected}` });
    return { user, bar, readDates, expectDates };
  }

  it('moves a task that is dragged, after a preview, and undoes it', async () => {
    const { user, bar, readDates, expectDates } = await openTimeline();
    const { page } = user;
    await bar.scrollIntoViewIfNeeded();
    const box = await bar.boundingBox();
    if (!box) throw new Error('The bar is not visible');
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    await page.mouse.move(x, y);
    await page.mouse.down();
    // Three days of ten pixels.
    await page.mouse.move(x + 31, y, { steps: 4 });
    expect(await bar.getAttribute('data-moved')).toBe('true');
    expect(await readDates()).toEqual([dayIn(2), dayIn(6)]);
    await page.mouse.up();
    await expectDates([dayIn(5), dayIn(9)]);
    await page.getByRole('button', { name: 'Undo' }).click();
    await expectDates([dayIn(2), dayIn(6)]);
  });

  it('moves a task with the keyboard, and opens it', async () => {
    const { user, bar, expectDates } = await openTimeline();
    const { page } = user;
    await bar.focus();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Escape');
    expect(await bar.getAttribute('data-moved')).toBe('false');
    for (const key of ['ArrowLeft', 'ArrowLeft', 'Enter']) await page.keyboard.press(key);
    await expectDates([dayIn(0), dayIn(4)]);
    await bar.press('Enter');
    await dialog(user, 'Drain the dock').waitFor();
    await page.keyboard.press('Escape');
  });

  it.each(['ltr', 'rtl'])('names tasks whose bars are not visible, and leads to them (%s)', async (direction) => {
    const { user, bar } = await openTimeline();
    const { page } = user;
    const id = new URL(page.url()).pathname.split('/')[2];
    for (const [title, days] of [
      ['Measure the depth', -200],
      ['Open the bridge', 200],
    ] as const)
      await createResource(environment.admin, '/tasks', { title, project: id, dueDate: dayIn(days) });
    await page.evaluate((dir) => document.documentElement.setAttribute('dir', dir), direction);
    await page.reload();
    await page.evaluate((dir) => document.documentElement.setAttribute('dir', dir), direction);
    const timeline = page.getByRole('region', { name: 'Timeline' });
    await bar.waitFor();
    for (const title of ['Measure the depth', 'Open the bridge']) {
      await timeline.getByText('Weeks', { exact: true }).click();
      await timeline.getByText('Days', { exact: true }).click();
      const hidden = timeline.getByRole('button', { name: new RegExp(`^${title}`) });
      const name = timeline.locator('bdi', { hasText: title });
      await waitFor(async () => isWithin(await name.boundingBox(), await timeline.boundingBox()), {
        description: `the name ${title}`,
      });
      expect(isWithin(await hidden.boundingBox(), await timeline.boundingBox())).toBe(false);
      await name.click();
      await waitFor(async () => isWithin(await hidden.boundingBox(), await timeline.boundingBox()), {
        description: `the bar of ${title}`,
      });
      expect(await hidden.evaluate((element) => element === document.activeElement)).toBe(true);
    }
    await bar.focus();
    await page.keyboard.press('Shift+Tab');
    const first = timeline.getByRole('button', { name: /^Measure the depth/ });
    expect(await first.evaluate((element) => element === document.activeElement)).toBe(true);
    expect(isWithin(await first.boundingBox(), await timeline.boundingBox())).toBe(true);
    expect(await findAxeViolations(page)).toEqual([]);
    await captureThemesAndSizes(user, `charts-timeline-hidden-${direction}`, [390, 1_440], timeline);
  });

  it('can be zoomed, names tasks without dates, and fits both themes and sizes', async () => {
    const { user, bar } = await openTimeline();
    const timeline = user.page.getByRole('region', { name: 'Timeline' });
    await timeline.getByText('Not shown: 1 task without a date.', { exact: false }).waitFor();
    const widthBefore = (await bar.boundingBox())?.width ?? 0;
    await timeline.getByText('Days', { exact: true }).click();
    expect((await bar.boundingBox())?.width).toBeGreaterThan(widthBefore * 2);
    await captureThemesAndSizes(user, 'charts-timeline', [390, 1_440], timeline);
    const violations: string[] = [];
    for (const width of [360, 1_440]) {
      await user.page.setViewportSize({ width, height: 900 });
      violations.push(...(await findHorizontalScroll(user.page)), ...(await findClippedContent(user.page)));
    }
    expect(violations).toEqual([]);
  });
});

describe('the timeline of projects', () => {
  /** Creates projects of eleven days and without dates, and opens the timeline of those that match. */
  async function openTimeline(name: string, viewer = environment.admin) {
    const { admin } = environment;
    const dates = { startDate: dayIn(3), deadline: dayIn(13) };
    const id = await createResource(admin, '/projects', buildProject(name, admin, dates));
    await createResource(admin, '/projects', buildProject(`${name} someday`, admin));
    const user = await environment.openPage(viewer, `/progress?view=timeline&search=${encodeURIComponent(name)}`);
    const timeline = user.page.getByRole('region', { name: 'Timeline' });
    const bar = timeline.getByRole('button', { name: new RegExp(`^${name},`) });
    await bar.waitFor();
    const expectDates = (expected: string[]) =>
      waitFor(
        async () => {
          const { startDate, deadline } = await expectStatus(
            admin.call<{ startDate: string; deadline: string }>('GET', `/projects/${id}`),
            200,
          );
          return [startDate.slice(0, 10), deadline.slice(0, 10)].join() === expected.join();
        },
        { description: `the dates ${expected}` },
      );
    return { id, user, timeline, bar, expectDates };
  }

  it('moves a project with the pointer and with the keyboard, and undoes it', async () => {
    const { user, bar, expectDates } = await openTimeline('Lighthouse');
    const { page } = user;
    await bar.scrollIntoViewIfNeeded();
    const box = await bar.boundingBox();
    if (!box) throw new Error('The bar is not visible');
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    await page.mouse.move(x, y);
    await page.mouse.down();
    // Two days of ten pixels.
    await page.mouse.move(x + 21, y, { steps: 4 });
    expect(await bar.getAttribute('data-moved')).toBe('true');
    await page.mouse.up();
    await expectDates([dayIn(5), dayIn(15)]);
    await page.getByRole('button', { name: 'Undo' }).click();
    await expectDates([dayIn(3), dayIn(13)]);
    await bar.focus();
    for (const key of ['ArrowLeft', 'Enter']) await page.keyboard.press(key);
    await expectDates([dayIn(2), dayIn(12)]);
  });

  it('opens a project, and has no preview for users who cannot change projects', async () => {
    const lena = await environment.createUser('Lena', 'member');
    const { id, user, bar } = await openTimeline('Breakwater', lena);
    await bar.focus();
    await user.page.keyboard.press('ArrowRight');
    expect(await bar.getAttribute('data-moved')).toBe('false');
    await bar.press('Enter');
    await user.page.waitForURL(`**/progress/${id}`);
  });

  it('is opened from the cards, names projects without dates, and fits both themes and sizes', async () => {
    const { user, timeline } = await openTimeline('מגדלור');
    const { page } = user;
    await timeline.getByText('Not shown: 1 project without a date.', { exact: false }).waitFor();
    await captureThemesAndSizes(user, 'project-timeline', [390, 1_440]);
    const violations: string[] = [];
    for (const width of [360, 1_440]) {
      await page.setViewportSize({ width, height: 900 });
      violations.push(...(await findHorizontalScroll(page)), ...(await findClippedContent(page)));
    }
    await page.emulateMedia({ media: 'print' });
    await page.setViewportSize({ width: 794, height: 1_123 });
    await captureScreenshot(user, 'project-timeline-print');
    await page.emulateMedia({ media: null });
    await page.getByRole('button', { name: 'Cards', exact: true }).click();
    await page.getByRole('article', { name: 'מגדלור someday' }).waitFor();
    await page.getByRole('button', { name: 'Timeline', exact: true }).click();
    await timeline.waitFor();
    expect(violations).toEqual([]);
  });
});

describe('the health of a project', () => {
  it('is reported with a reason, and shown live to others in the project and in the tracker', async () => {
    const lena = await environment.createUser('Lena', 'member');
    const project = await createResource(
      environment.admin,
      '/projects',
      buildProject('Harbour redesign', environment.admin),
    );
    const user = await environment.openPage(environment.admin, `/progress/${project}`);
    const viewer = await environment.openPage(lena, `/progress/${project}`);
    await user.page.getByRole('button', { name: 'Report health' }).click();
    const form = dialog(user, 'Project Health');
    await form.getByText(/^At risk/).click();
    await form.getByRole('button', { name: 'Update Health' }).click();
    await form.getByText('Please give a reason').waitFor();
    await form.getByLabel('Reason').fill('The supplier is late');
    await captureThemesAndSizes(user, 'health-dialog');
    await form.getByRole('button', { name: 'Update Health' }).click();
    await form.waitFor({ state: 'detached' });
    const health = viewer.page.getByRole('group', { name: 'Health' });
    await health.getByText('The supplier is late').waitFor();
    expect(await health.getByText('At risk').count()).toBe(1);
    expect(await health.getByRole('button').count()).toBe(0);
    await captureThemesAndSizes(user, 'health');
    await viewer.page.goto(`${environment.system.url}/progress`);
    const card = viewer.page.getByRole('article', { name: 'Harbour redesign' });
    await card.getByText('At risk').waitFor();
    await captureThemesAndSizes(viewer, 'health-tracker');
    await viewer.page.goto(`${environment.system.url}/progress?health=off-track`);
    await viewer.page.getByText('No projects found').waitFor();
    const report = { status: 'off-track', note: 'The supplier is bankrupt' };
    await expectStatus(environment.admin.call('PUT', `/projects/${project}/health`, report), 200);
    await card.getByText('Off track').waitFor();
  });
});
