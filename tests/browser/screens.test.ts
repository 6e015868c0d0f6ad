import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import type { Browser, Locator, Page } from 'playwright-core';
import { launchChromium } from './chromium.ts';
import { type DemoWorkspace, startDemoWorkspace } from './screens/demo-workspace.ts';
import { findDialogSources, UNLISTED } from './screens/dialog-sources.ts';
import { DIALOGS, type OpenDialog } from './screens/dialogs.ts';
import { routesIn, SCREENS, type Screen } from './screens/screens.ts';
import { atWidth, captureScreenshot, openUserPage, setTheme, settled, type Viewer } from './screens/viewer-page.ts';
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

jest.setTimeout(300_000);

let workspace: DemoWorkspace;
let browser: Browser;
let viewers: { admin: Viewer; member: Viewer; guest: Viewer };

beforeAll(async () => {
  [workspace, browser] = await Promise.all([startDemoWorkspace(), launchChromium()]);
  const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
  const { admin, member } = workspace;
  viewers = {
    admin: await openUserPage(browser, { who: 'admin', tokens: admin, axe }),
    member: await openUserPage(browser, { who: 'member', tokens: member, axe }),
    guest: await openUserPage(browser, { who: 'guest', axe }),
  };
}, 300_000);

afterAll(async () => {
  await browser?.close();
  await workspace?.system.stop();
});

/** The name of its screenshots. */
function named({ route, part }: Screen): string {
  const text =
    route === '/' ? 'dashboard' : `${route} ${part ?? ''}`.replaceAll(/[^a-z]+/gi, '-').replaceAll(/^-|-$/g, '');
  return text || 'not-found';
}

/** Examines a screen at every width and in both themes; returns all violations. */
async function examine(viewer: Viewer, screen: Screen): Promise<string[]> {
  const { page, who, errors } = viewer;
  errors.length = 0;
  const note = async (place: string, found: Promise<string[]>) => {
    errors.push(...(await found).map((error) => `${who} ${place}: ${error}`));
  };
  await inThemeAt(viewer, 'light', 1_440);
  await openScreen(viewer, screen);
  await captureScreenshot(viewer, `${named(screen)}-1440-light`);
  await note('light 1440', findAxeViolations(page));
  await note('1440', findHorizontalScroll(page));
  await note('1440', findDirectionViolations(page));
  await note('1440', findMotionViolations(page));
  await setTheme(viewer, 'dark');
  await captureScreenshot(viewer, `${named(screen)}-1440-dark`);
  await note('dark 1440', findAxeViolations(page, ['color-contrast']));
  for (const width of [1_920, 768, 360]) {
    await atWidth(viewer, width);
    await note(String(width), findHorizontalScroll(page));
    await note(String(width), findClippedContent(page));
  }
  await captureScreenshot(viewer, `${named(screen)}-360-dark`);
  await note('dark 360', findAxeViolations(page));
  await setTheme(viewer, 'light');
  await captureScreenshot(viewer, `${named(screen)}-360-light`);
  await note('light 360', findAxeViolations(page, ['color-contrast']));
  await atWidth(viewer, 1_440);
  await note('1440', findUnreachableByTab(page));
  return [...new Set(errors)];
}

async function openScreen({ page }: Viewer, { address, heading }: Screen): Promise<void> {
  await page.goto(`${workspace.system.url}${address(workspace)}`);
  const exactly = { name: heading, ...(typeof heading === 'string' && { exact: true }) };
  await page.getByRole('heading', exactly).first().waitFor();
  await settled(page);
}

async function inThemeAt(viewer: Viewer, colorScheme: 'light' | 'dark', width: number): Promise<void> {
  await viewer.page.emulateMedia({ colorScheme });
  await viewer.page.setViewportSize({ width, height: 900 });
}

/** Opens, examines, and closes a dialog by keyboard; returns all violations. */
async function examineDialog(viewer: Viewer, given: OpenDialog): Promise<string[]> {
  const { page, errors } = viewer;
  const width = given.width ?? 1_440;
  errors.length = 0;
  await inThemeAt(viewer, 'light', width);
  await page.goto(`${workspace.system.url}${given.address(workspace)}`);
  const opener = await given.open(page);
  const dialog = await findTopDialog(page);
  await settled(page);
  const name = `dialog-${given.name.toLowerCase().replaceAll(/[^a-z]+/g, '-')}`;
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
  await atWidth(viewer, 360);
  await captureScreenshot(viewer, `${name}-360`);
  errors.push(
    ...(await findHorizontalScroll(page)),
    ...(await findClippedContent(page)),
    ...(await findAxeViolations(page)),
  );
  await atWidth(viewer, width);
  // Escape first closes the tooltip of a focused button (WCAG 1.4.13), then the dialog.
  if (await page.getByRole('tooltip').isVisible()) await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  if (!(await opener.evaluate(hasFocus))) errors.push('the focus does not return to what opened it');
  return [...new Set(errors)];
}

const DIALOG = '[role=dialog], [role=alertdialog]';

/** The top dialog, if it is open on another one. */
async function findTopDialog(page: Page): Promise<Locator> {
  const top = page.locator(DIALOG).last();
  await top.waitFor();
  const label = await top.getAttribute('aria-labelledby');
  return label === null ? top : page.locator(`:is(${DIALOG})[aria-labelledby="${label}"]`);
}

/** Runs in the page. The focus is restored in the frame after the dialog has closed. */
async function hasFocus(opener: Element): Promise<boolean> {
  for (let frame = 0; frame < 30 && !opener.contains(document.activeElement); frame += 1)
    await new Promise(requestAnimationFrame);
  return opener.contains(document.activeElement);
}

describe('every screen, from 360 to 1,920 pixels, in light and dark', () => {
  const open = SCREENS.filter(({ isPublic }) => isPublic);
  const calledBy = ({ route, part }: Screen) => [route, part].filter(Boolean).join(', ');
  const closed = SCREENS.filter(({ isPublic, isAlias }) => !isPublic && !isAlias);
  const aliases = SCREENS.filter(({ isAlias }) => isAlias);

  it.each(open.map((screen) => [calledBy(screen), screen] as const))(
    'has no violations for signed-out users: %s',
    async (_route, screen) => {
      expect(await examine(viewers.guest, screen)).toEqual([]);
    },
  );

  it.each(closed.map((screen) => [calledBy(screen), screen] as const))(
    'has no violations for an administrator and a member: %s',
    async (_route, screen) => {
      const found = await Promise.all([examine(viewers.admin, screen), examine(viewers.member, screen)]);
      expect(found.flat()).toEqual([]);
    },
  );

  it.each(aliases.map((screen) => [calledBy(screen), screen] as const))(
    'also opens by its alias: %s',
    async (_route, screen) => {
      viewers.member.errors.length = 0;
      await openScreen(viewers.member, screen);
      expect(viewers.member.errors).toEqual([]);
    },
  );

  it('is in this list, like every route of the router', () => {
    expect([...new Set(SCREENS.map(({ route }) => route))].sort()).toEqual(
      routesIn(readFileSync(ROUTER, 'utf8')).sort(),
    );
  });
});

describe('every dialog', () => {
  it.each(DIALOGS.map((given) => [given.name, given] as const))(
    'has no violations, traps the focus, and restores it: %s',
    async (_name, given) => {
      expect(await examineDialog(viewers[given.who], given)).toEqual([]);
    },
  );

  it('is in this list, like every component that renders a dialog', () => {
    const listed = new Set([...DIALOGS.map(({ source }) => source), ...Object.keys(UNLISTED)]);
    const sources = findDialogSources(SOURCES);
    expect(sources.filter((source) => !listed.has(source))).toEqual([]);
    expect([...listed].filter((source) => !existsSync(new URL(source, SOURCES)))).toEqual([]);
    expect(Object.keys(UNLISTED).filter((source) => !sources.includes(source))).toEqual([]);
  });
});
