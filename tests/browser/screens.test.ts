import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import type { Browser, Locator, Page } from 'playwright-core';
import { launchChromium } from './chromium.ts';
import { type LivelyWorkspace, startLivelyWorkspace } from './screens/demo-workspace.ts';
import { findDialogSources, UNLISTED } from './screens/dialog-sources.ts';
import { DIALOGS, type OpenDialog } from './screens/dialogs.ts';
import { axeFaults, cutFaults, directionFaults, motionFaults, sidewaysFaults, tabFaults } from './screens/faults.ts';
import { routesIn, SCREENS, type Screen } from './screens/screens.ts';
import { atWidth, inTheme, openUserPage, settled, shoot, type Viewer } from './screens/viewer-page.ts';

const SOURCES = new URL('../../web/src/', import.meta.url);
const ROUTER = new URL('app/router/router.tsx', SOURCES);

jest.setTimeout(300_000);

let workspace: LivelyWorkspace;
let browser: Browser;
let viewers: { admin: Viewer; member: Viewer; guest: Viewer };

beforeAll(async () => {
  [workspace, browser] = await Promise.all([startLivelyWorkspace(), launchChromium()]);
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
}, 90_000);

/** What its pictures are called. */
function named({ route, part }: Screen): string {
  const words =
    route === '/' ? 'dashboard' : `${route} ${part ?? ''}`.replaceAll(/[^a-z]+/gi, '-').replaceAll(/^-|-$/g, '');
  return words || 'not-found';
}

/** Looks at a screen at every width and in both themes; answers all that is wrong with it. */
async function examine(viewer: Viewer, screen: Screen): Promise<string[]> {
  const { page, who, faults } = viewer;
  faults.length = 0;
  const note = async (place: string, found: Promise<string[]>) => {
    faults.push(...(await found).map((fault) => `${who} ${place}: ${fault}`));
  };
  await inThemeAt(viewer, 'light', 1_440);
  await openScreen(viewer, screen);
  await shoot(viewer, `${named(screen)}-1440-light`);
  await note('light 1440', axeFaults(page));
  await note('1440', sidewaysFaults(page));
  await note('1440', directionFaults(page));
  await note('1440', motionFaults(page));
  await inTheme(viewer, 'dark');
  await shoot(viewer, `${named(screen)}-1440-dark`);
  await note('dark 1440', axeFaults(page, ['color-contrast']));
  for (const width of [1_920, 768, 360]) {
    await atWidth(viewer, width);
    await note(String(width), sidewaysFaults(page));
    await note(String(width), cutFaults(page));
  }
  await shoot(viewer, `${named(screen)}-360-dark`);
  await note('dark 360', axeFaults(page));
  await inTheme(viewer, 'light');
  await shoot(viewer, `${named(screen)}-360-light`);
  await note('light 360', axeFaults(page, ['color-contrast']));
  await atWidth(viewer, 1_440);
  await note('1440', tabFaults(page));
  return [...new Set(faults)];
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

/** Opens a dialog, looks at it, closes it by keyboard; answers all that is wrong with it. */
async function examineDialog(viewer: Viewer, given: OpenDialog): Promise<string[]> {
  const { page, faults } = viewer;
  const width = given.width ?? 1_440;
  faults.length = 0;
  await inThemeAt(viewer, 'light', width);
  await page.goto(`${workspace.system.url}${given.address(workspace)}`);
  const opener = await given.open(page);
  const dialog = await findTopDialog(page);
  await settled(page);
  const name = `dialog-${given.name.toLowerCase().replaceAll(/[^a-z]+/g, '-')}`;
  await shoot(viewer, `${name}-light`);
  faults.push(...(await axeFaults(page)), ...(await motionFaults(page)), ...(await tabFaults(page, DIALOG)));
  if (!(await dialog.evaluate((box) => box.contains(document.activeElement)))) faults.push('Tab leaves the dialog');
  await inTheme(viewer, 'dark');
  await shoot(viewer, `${name}-dark`);
  faults.push(...(await axeFaults(page, ['color-contrast'])));
  await atWidth(viewer, 360);
  await shoot(viewer, `${name}-360`);
  faults.push(...(await sidewaysFaults(page)), ...(await cutFaults(page)), ...(await axeFaults(page)));
  await atWidth(viewer, width);
  // Escape takes away first what a focused button says of itself (WCAG 1.4.13), and then the dialog.
  if (await page.getByRole('tooltip').isVisible()) await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  if (!(await opener.evaluate(hasFocus))) faults.push('the focus does not return to what opened it');
  return [...new Set(faults)];
}

const DIALOG = '[role=dialog], [role=alertdialog]';

/** The same dialog also when one below it is left. */
async function findTopDialog(page: Page): Promise<Locator> {
  const top = page.locator(DIALOG).last();
  await top.waitFor();
  const label = await top.getAttribute('aria-labelledby');
  return label === null ? top : page.locator(`:is(${DIALOG})[aria-labelledby="${label}"]`);
}

/** Runs in the page. The focus returns in the frame after the dialog has gone. */
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
    'has no fault for who has not signed in: %s',
    async (_route, screen) => {
      expect(await examine(viewers.guest, screen)).toEqual([]);
    },
  );

  it.each(closed.map((screen) => [calledBy(screen), screen] as const))(
    'has no fault for an administrator and a member: %s',
    async (_route, screen) => {
      const found = await Promise.all([examine(viewers.admin, screen), examine(viewers.member, screen)]);
      expect(found.flat()).toEqual([]);
    },
  );

  it.each(aliases.map((screen) => [calledBy(screen), screen] as const))(
    'is there by its other address: %s',
    async (_route, screen) => {
      viewers.member.faults.length = 0;
      await openScreen(viewers.member, screen);
      expect(viewers.member.faults).toEqual([]);
    },
  );

  it('is in this list, each route of the router', () => {
    expect([...new Set(SCREENS.map(({ route }) => route))].sort()).toEqual(
      routesIn(readFileSync(ROUTER, 'utf8')).sort(),
    );
  });
});

describe('every dialog', () => {
  it.each(DIALOGS.map((given) => [given.name, given] as const))(
    'has no fault, keeps the focus and gives it back: %s',
    async (_name, given) => {
      expect(await examineDialog(viewers[given.who], given)).toEqual([]);
    },
  );

  it('is in this list, each component that renders one', () => {
    const listed = new Set([...DIALOGS.map(({ source }) => source), ...Object.keys(UNLISTED)]);
    const sources = findDialogSources(SOURCES);
    expect(sources.filter((source) => !listed.has(source))).toEqual([]);
    expect(Object.keys(UNLISTED).filter((source) => !sources.includes(source))).toEqual([]);
  });
});
