import { mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { onFailure } from '@atrium/test-kit/on-failure';
import { waitFor } from '@atrium/test-kit/wait-for';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Engine } from '../engines/engine.ts';
import { createEnginePage, type EnginePage } from '../engines/page.ts';
import type { Tokens } from '../test-pages.ts';
import { type DemoWorkspace, startDemoWorkspace } from './demo-workspace.ts';
import { DIALOGS, type DialogCase } from './dialogs.ts';
import { SCREENS, type Screen } from './screens.ts';

const SCREENSHOTS = fileURLToPath(new URL('../../../output/engines/', import.meta.url));

// The browser logs rejected requests and missing profile pictures as errors, but they are not errors of the page.
const REJECTED_REQUEST = /status of 4\d\d/;

/** Opens every screen and dialog, and runs a chat between two users, in a browser other than Chromium. */
export function smoke(name: string, launch: () => Promise<Engine>): void {
  let workspace: DemoWorkspace;
  let engine: Engine;
  const pages = new Map<string, EnginePage>();

  beforeAll(async () => {
    workspace = await startDemoWorkspace();
    engine = await launch();
    process.stdout.write(`\n${name}: ${engine.version}\n`);
    pages.set('guest', await openUserPage());
    pages.set('admin', await openUserPage(workspace.admin));
    pages.set('member', await openUserPage(workspace.member));
  });

  afterAll(async () => {
    await Promise.allSettled([...pages.values()].map(({ window }) => window.close()));
    await engine?.close();
    await workspace?.system.stop();
  }, 90_000);

  onFailure(async (folder) => {
    for (const [who, { window }] of pages) {
      await window.screenshot(`${folder}/${who}.png`);
      writeFileSync(`${folder}/${who}.console.txt`, (await window.errors()).join('\n'));
      writeFileSync(`${folder}/${who}.html`, await window.run<string>('return document.documentElement.outerHTML'));
    }
  });

  async function openUserPage(tokens?: Tokens): Promise<EnginePage> {
    const page = createEnginePage(await engine.open());
    await page.window.resize(1_440, 900);
    if (!tokens) return page;
    await page.window.goto(`${workspace.system.url}/login`);
    const { accessToken, refreshToken } = tokens;
    const stored = { access_token: accessToken, refresh_token: refreshToken };
    await page.window.run(`Object.assign(localStorage, ${JSON.stringify(stored)})`);
    return page;
  }

  const getPage = (who: string): EnginePage => {
    const page = pages.get(who);
    if (!page) throw new Error(`No browser for ${who}`);
    return page;
  };

  async function visit(page: EnginePage, path: string): Promise<void> {
    await page.window.errors();
    await page.window.goto(`${workspace.system.url}${path}`);
  }

  async function expectNoErrors({ window }: EnginePage): Promise<void> {
    expect((await window.errors()).filter((error) => !REJECTED_REQUEST.test(error))).toEqual([]);
    expect(await window.run<string>('return document.body.innerText')).not.toMatch(/Something went wrong/);
  }

  async function captureScreenshot(page: EnginePage, text: string): Promise<void> {
    mkdirSync(SCREENSHOTS, { recursive: true });
    const fileName = `${name} ${text}`.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');
    await page.window.screenshot(`${SCREENSHOTS}${fileName}.png`);
  }

  const describeScreen = ({ route, part }: Screen) => [route, part].filter(Boolean).join(', ');

  describe(`every screen in ${name}`, () => {
    it.each(SCREENS.map((screen) => [describeScreen(screen), screen] as const))(
      'renders: %s',
      async (_name, screen) => {
        const page = getPage(screen.isPublic ? 'guest' : 'admin');
        await visit(page, screen.address(workspace));
        await page.getByRole('heading', { name: screen.heading, exact: true }).first().waitFor();
        await waitUntilLoaded(page);
        await captureScreenshot(page, describeScreen(screen));
        await expectNoErrors(page);
      },
    );
  });

  describe(`every dialog in ${name}`, () => {
    it.each(DIALOGS.map((dialogCase) => [dialogCase.name, dialogCase] as const))(
      'opens and closes: %s',
      async (_name, dialogCase) => {
        const page = getPage(dialogCase.who);
        await page.window.resize(dialogCase.width ?? 1_440, 900);
        await visit(page, dialogCase.address(workspace));
        await dialogCase.open(page);
        await waitForDialogs(page);
        await captureScreenshot(page, `dialog ${dialogCase.name}`);
        await closeDialog(page, dialogCase);
        await expectNoErrors(page);
      },
    );
  });

  describe(`a chat in ${name}`, () => {
    it('reaches both users without a reload', async () => {
      const maya = getPage('admin');
      const lena = getPage('member');
      for (const page of [maya, lena]) {
        await visit(page, '/chat');
        await page
          .getByRole('link', { name: /Donaudampf/ })
          .first()
          .click();
        await page.getByRole('textbox', { name: /^Message/ }).waitFor();
      }
      await sendMessage(maya, `Good morning from ${name}`);
      await waitForMessage(lena, `Good morning from ${name}`);
      await sendMessage(lena, `And a good one to ${name}`);
      await waitForMessage(maya, `And a good one to ${name}`);
      await captureScreenshot(maya, 'a chat');
      await expectNoErrors(maya);
      await expectNoErrors(lena);
    });
  });
}

async function sendMessage(page: EnginePage, text: string): Promise<void> {
  await page.getByRole('textbox', { name: /^Message/ }).fill(text);
  await page.keyboard.press('Enter');
}

const waitForMessage = ({ window }: EnginePage, text: string): Promise<unknown> =>
  waitFor(
    () =>
      window.run<boolean>(
        `const logs = [...document.querySelectorAll('[role=region][aria-label^="Messages in"]')];
         return logs.some((log) => log.innerText.includes(${JSON.stringify(text)}))`,
      ),
    { description: `"${text}" to be shown` },
  );

const waitUntilLoaded = ({ window }: EnginePage): Promise<unknown> =>
  waitFor(
    () =>
      window.run<boolean>(
        `return ![...document.querySelectorAll('[role=status], [aria-busy=true]')]
           .some((element) => element.getAttribute('aria-busy') === 'true' || /^Loading/.test(element.textContent ?? ''))`,
      ),
    { description: 'the screen to be loaded' },
  );

const COUNT_DIALOGS = `return document.querySelectorAll('[role=dialog], [role=alertdialog]').length`;

const waitForDialogs = ({ window }: EnginePage): Promise<unknown> =>
  waitFor(async () => (await window.run<number>(COUNT_DIALOGS)) > 0, { description: 'the dialog to open' });

/** Closes a dialog by keyboard. Escape first closes the tooltip of a focused button, then the dialog. */
async function closeDialog(page: EnginePage, { name, remainingDialogs = 0 }: DialogCase): Promise<void> {
  const tooltip = await page.window.run<boolean>(`return document.querySelector('[role=tooltip]') !== null`);
  if (tooltip) await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
  await waitFor(async () => (await page.window.run<number>(COUNT_DIALOGS)) === remainingDialogs, {
    description: `${name} to close`,
  });
}
