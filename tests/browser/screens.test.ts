import { existsSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser, Locator, Page } from 'playwright-core';
import { launchChromium } from './chromium.ts';
import { type DemoWorkspace, startDemoWorkspace } from './screens/demo-workspace.ts';
import { findDialogSources, UNLISTED } from './screens/dialog-sources.ts';
import { DIALOGS, type DialogCase } from './screens/dialogs.ts';
import { listRoutes, SCREENS, type Screen } from './screens/screens.ts';
import {
  captureScreenshot,
  openUserPage,
  setTheme,
  setWidth,
  type Viewer,
  waitUntilSettled,
} from './screens/viewer-page.ts';
import {
  findAxeViolations,
  findClippedContent,
  findDirectionViolations,
  findHorizontalScroll,
  findMotionViolations,
  findUnreachableByTab,
} from './screens/violations.ts';

const SOURCES = new URL('../../web/src/', import.meta.url);
const ROUTER = new URL('app/router.tsx', SOURCES);

let workspace: DemoWorkspace;
let browser: Browser;
let viewers: { admin: Viewer; member: Viewer; guest: Viewer };

beforeAll(async () => {
  [workspace, browser] = await Promise.all([startDemoWorkspace(), launchChromium()]);
  const { admin, member } = workspace;
  viewers = {
    admin: await openUserPage(browser, { who: 'admin', tokens: admin }),
    member: await openUserPage(browser, { who: 'member', tokens: member }),
    guest: await openUserPage(browser, { who: 'guest' }),
  };
});

afterAll(async () => {
  await browser?.close();
  await workspace?.system.stop();
});

/** Returns the name of a screen's screenshots. */
function screenshotName({ route, part }: Screen): string {
  const text =
    route === '/' ? 'dashboard' : `${route} ${part ?? ''}`.replaceAll(/[^a-z]+/gi, '-').replaceAll(/^-|-$/g, '');
  return text || 'not-found';
}

/** Examines a screen at every width and in both themes, and returns all violations. */
async function examine(viewer: Viewer, screen: Screen): Promise<string[]> {
  const { page, who, errors } = viewer;
  errors.length = 0;
  const recordViolations = async (variant: string, violations: Promise<string[]>) => {
    errors.push(...(await violations).map((error) => `${who} ${variant}: ${error}`));
  };
  await setThemeAndWidth(viewer, 'light', 1_440);
  await openScreen(viewer, screen);
  await captureScreenshot(viewer, `${screenshotName(screen)}-1440-light`);
  await recordViolations('light 1440', findAxeViolations(page));
  await recordViolations('1440', findHorizontalScroll(page));
  await recordViolations('1440', findDirectionViolations(page));
  await recordViolations('1440', findMotionViolations(page));
  await setTheme(viewer, 'dark');
  await captureScreenshot(viewer, `${screenshotName(screen)}-1440-dark`);
  await recordViolations('dark 1440', findAxeViolations(page, ['color-contrast']));
  for (const width of [1_920, 768, 360]) {
    await setWidth(viewer, width);
    await recordViolations(String(width), findHorizontalScroll(page));
    await recordViolations(String(width), findClippedContent(page));
  }
  await captureScreenshot(viewer, `${screenshotName(screen)}-360-dark`);
  await recordViolations('dark 360', findAxeViolations(page));
  await setTheme(viewer, 'light');
  await captureScreenshot(viewer, `${screenshotName(screen)}-360-light`);
  await recordViolations('light 360', findAxeViolations(page, ['color-contrast']));
  await setWidth(viewer, 1_440);
  await recordViolations('1440', findUnreachableByTab(page));
  return [...new Set(errors)];
}

async function openScreen({ page }: Viewer, { address, heading }: Screen): Promise<void> {
  await page.goto(`${workspace.system.url}${address(workspace)}`);
  const nameOptions = { name: heading, ...(typeof heading === 'string' && { exact: true }) };
  await page.getByRole('heading', nameOptions).first().waitFor();
  await waitUntilSettled(page);
}

async function setThemeAndWidth(viewer: Viewer, colorScheme: 'light' | 'dark', width: number): Promise<void> {
  await viewer.page.emulateMedia({ colorScheme });
  await viewer.page.setViewportSize({ width, height: 900 });
}

/** Opens and examines a dialog, closes it by keyboard, and returns all violations. */
async function examineDialog(viewer: Viewer, dialogCase: DialogCase): Promise<string[]> {
  const { page, errors } = viewer;
  const width = dialogCase.width ?? 1_440;
  errors.length = 0;
  await setThemeAndWidth(viewer, 'light', width);
  await page.goto(`${workspace.system.url}${dialogCase.address(workspace)}`);
  const opener = await dialogCase.open(page);
  const dialog = await findTopDialog(page);
  await waitUntilSettled(page);
  const name = `dialog-${dialogCase.name.toLowerCase().replaceAll(/[^a-z]+/g, '-')}`;
  await captureScreenshot(viewer, `${name}-light`);
  errors.push(
    ...(await findAxeViolations(page)),
    ...(await findMotionViolations(page)),
    ...(await findUnreachableByTab(page, DIALOG)),
  );
  if (!(await dialog.evaluate((box) => box.contains(document.activeElement)))) errors.push('Tab leaves the dialog');
  await setTheme(viewer, 'dark');
  await captureScreenshot(viewer, `${name}-dark`);
  errors.push(...(await findAxeViolations(page, ['color-contrast'])));
  await setWidth(viewer, 360);
  await captureScreenshot(viewer, `${name}-360`);
  errors.push(
    ...(await findHorizontalScroll(page)),
    ...(await findClippedContent(page)),
    ...(await findAxeViolations(page)),
  );
  await setWidth(viewer, width);
  // Escape first closes the tooltip of a focused button (WCAG 1.4.13), then the dialog.
  if (await page.getByRole('tooltip').isVisible()) await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  if (!(await opener.evaluate(waitForFocus)))
    errors.push('focus does not return to the element that opened the dialog');
  return [...new Set(errors)];
}

const DIALOG = '[role=dialog], [role=alertdialog]';

/** Locates the top dialog by its label, so that the locator does not match a dialog below once the top one closes. */
async function findTopDialog(page: Page): Promise<Locator> {
  const top = page.locator(DIALOG).last();
  await top.waitFor();
  const label = await top.getAttribute('aria-labelledby');
  return label === null ? top : page.locator(`:is(${DIALOG})[aria-labelledby="${label}"]`);
}

/** Runs in the page. Waits for focus, which is restored in a frame after the dialog has closed. */
async function waitForFocus(opener: Element): Promise<boolean> {
  for (let frame = 0; frame < 30 && !opener.contains(document.activeElement); frame += 1)
    await new Promise(requestAnimationFrame);
  return opener.contains(document.activeElement);
}

describe('every screen, from 360 to 1,920 pixels, in light and dark', () => {
  const publicScreens = SCREENS.filter(({ isPublic }) => isPublic);
  const describeScreen = ({ route, part }: Screen) => [route, part].filter(Boolean).join(', ');
  const memberScreens = SCREENS.filter(({ isPublic, isAlias }) => !isPublic && !isAlias);
  const aliases = SCREENS.filter(({ isAlias }) => isAlias);

  it.each(publicScreens.map((screen) => [describeScreen(screen), screen] as const))(
    'has no violations for signed-out users: %s',
    async (_route, screen) => {
      expect(await examine(viewers.guest, screen)).toEqual([]);
    },
  );

  it.each(memberScreens.map((screen) => [describeScreen(screen), screen] as const))(
    'has no violations for an administrator and a member: %s',
    async (_route, screen) => {
      const violations = await Promise.all([examine(viewers.admin, screen), examine(viewers.member, screen)]);
      expect(violations.flat()).toEqual([]);
    },
  );

  it.each(aliases.map((screen) => [describeScreen(screen), screen] as const))(
    'also opens by its alias: %s',
    async (_route, screen) => {
      viewers.member.errors.length = 0;
      await openScreen(viewers.member, screen);
      expect(viewers.member.errors).toEqual([]);
    },
  );

  it('is listed here if the router has a route for it', () => {
    expect([...new Set(SCREENS.map(({ route }) => route))].sort()).toEqual(
      listRoutes(readFileSync(ROUTER, 'utf8')).sort(),
    );
  });
});

describe('every dialog', () => {
  it.each(DIALOGS.map((dialogCase) => [dialogCase.name, dialogCase] as const))(
    'has no violations, traps focus, and restores it: %s',
    async (_name, dialogCase) => {
      expect(await examineDialog(viewers[dialogCase.who], dialogCase)).toEqual([]);
    },
  );

  it('is listed here if a component renders it', () => {
    const listed = new Set([...DIALOGS.map(({ source }) => source), ...Object.keys(UNLISTED)]);
    const sources = findDialogSources(SOURCES);
    expect(sources.filter((source) => !listed.has(source))).toEqual([]);
    expect([...listed].filter((source) => !existsSync(new URL(source, SOURCES)))).toEqual([]);
    expect(Object.keys(UNLISTED).filter((source) => !sources.includes(source))).toEqual([]);
  });
});
