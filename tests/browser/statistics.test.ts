import { waitFor } from '@atrium/test-kit/wait-for';
import { describe, expect, it } from '@jest/globals';
import { captureScreenshot } from './browser-user.ts';
import { captureThemesAndSizes } from './capture-screenshots.ts';
import { findAxeViolations, findClippedContent, findHorizontalScroll } from './screens/violations.ts';
import { setUpTestEnvironment } from './test-environment.ts';

const environment = setUpTestEnvironment();

describe('the statistics of the workspace', () => {
  it('show people, storage, and activity to administrators, and each day opens its entries', async () => {
    await environment.createUser('Lena', 'member');
    const user = await environment.openPage(environment.admin, '/user-management');
    const { page } = user;
    await page.getByRole('link', { name: 'Statistics' }).click();
    const people = page.getByRole('region', { name: 'People over time' });
    const activity = page.getByRole('region', { name: 'Activity per day' });
    await people.getByRole('slider', { name: 'People over time' }).waitFor();
    const { body } = await environment.admin.call<{ active: number }>('GET', '/users/stats/overview');
    expect(await people.getByRole('slider').getAttribute('aria-valuetext')).toContain(`: ${body.active} active`);
    const active = people.getByRole('link', { name: `${body.active} active` });
    expect(await active.getAttribute('href')).toBe('/user-management?status=active');
    await page.getByRole('region', { name: 'Storage over time' }).getByRole('slider').waitFor();
    const columns = activity.getByRole('button', { name: /entr(y|ies)$/ });
    await columns.first().waitFor();
    expect(await columns.count()).toBe(30);
    await captureThemesAndSizes(user, 'statistics', [390, 1_440]);
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
    await captureScreenshot(user, 'statistics-print');
    await page.emulateMedia({ media: null });
    await page.setViewportSize({ width: 1_440, height: 900 });
    await page.evaluate(() => document.documentElement.setAttribute('dir', 'rtl'));
    await captureThemesAndSizes(user, 'statistics-rtl', [390, 1_440]);
    expect(violations).toEqual([]);
    const today = (await columns.last().getAttribute('aria-label')) ?? '';
    const count = Number(/: ([\d,.]+) entr/.exec(today)?.[1]);
    expect(count).toBeGreaterThan(0);
    await columns.last().click();
    await page.waitForURL('**/activity?from=*');
    await page.getByRole('row').nth(1).waitFor();
    await page.goBack();
    await active.click();
    await page.waitForURL('**/user-management?status=active');
    await waitFor(async () => (await page.getByRole('row').count()) === 1 + body.active, {
      description: 'a list of the same number of people',
    });
  });

  it('are for administrators only', async () => {
    const lena = await environment.createUser('Lena', 'member');
    const { page } = await environment.openPage(lena, '/user-management/statistics');
    await page.getByText('Only administrators can see the statistics of the workspace').waitFor();
    expect(await page.getByRole('link', { name: 'Statistics' }).count()).toBe(0);
  });
});
