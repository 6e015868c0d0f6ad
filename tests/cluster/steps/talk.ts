import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { CHECKOUT } from '@atrium/dev-server/backing/launcher-context';
import { DEMO_PASSWORD, demoEmail } from '@atrium/tools/demo/people';
import type { Browser, Page } from 'playwright-core';
import { launchChromium } from '../../browser/chromium.ts';
import { findChromium } from '../../browser/setup/find-chromium.ts';
import type { StepContext } from '../step.ts';

const SHOTS = join(CHECKOUT, 'output/cluster');

/** Two users sign in with separate browsers and read each other's messages. */
export async function checkChat({ traffic, report }: StepContext): Promise<void> {
  const conversation = await openChannel(traffic);
  await mkdir(SHOTS, { recursive: true });
  process.env.ATRIUM_TEST_CHROMIUM ??= (await findChromium()).file;
  const browser = await launchChromium();
  try {
    const maya = await openUserPage(browser, traffic.base, 'maya');
    const jonas = await openUserPage(browser, traffic.base, 'jonas');
    const failures: string[] = [];
    for (const { who, page } of [maya, jonas]) {
      page.on('pageerror', (error) => failures.push(`${who}: ${error.message}`));
      // By URL, because the list changes its order while messages arrive.
      await page.goto(`${traffic.base}/chat?c=${conversation}`);
    }
    const text = `Good morning ${Date.now()}`;
    await say(maya.page, text);
    const startedAt = performance.now();
    await waitForMessage(jonas.page, text);
    const ms = performance.now() - startedAt;
    await say(jonas.page, `${text}, Maya`);
    await waitForMessage(maya.page, `${text}, Maya`);
    for (const { who, page } of [maya, jonas]) await page.screenshot({ path: join(SHOTS, `${who}.png`) });
    report(`two browsers exchange messages; one receives the other's after ${ms.toFixed(0)} ms`, failures);
  } finally {
    await browser.close();
  }
}

/** A conversation of only these two: in one with background traffic, the view stays at the first of a hundred unread messages. */
async function openChannel({ work }: StepContext['traffic']): Promise<string> {
  const [maya, jonas] = work.site.workers;
  if (!maya || !jonas) throw new Error('Background traffic has fewer than two users');
  const channel = { type: 'group', title: 'Two at a desk', participants: [jonas.id] };
  const created = await maya.write<{ _id: string }>('POST', '/chat/conversations', channel);
  if (!created) throw new Error('Failed to create the conversation');
  return created._id;
}

async function openUserPage(browser: Browser, base: string, who: string): Promise<{ who: string; page: Page }> {
  const page = await browser.newPage();
  await page.goto(`${base}/login`);
  await page.getByLabel('Email').fill(demoEmail(who));
  await page.getByLabel('Password', { exact: true }).fill(DEMO_PASSWORD);
  await page.getByRole('button', { name: 'Sign In' }).click();
  await page.getByRole('heading', { name: 'Team Dashboard' }).waitFor();
  return { who, page };
}

async function say(page: Page, words: string): Promise<void> {
  const input = page.getByRole('textbox', { name: /Message/ });
  await input.fill(words);
  await input.press('Enter');
}

const waitForMessage = (page: Page, words: string): Promise<void> =>
  page
    .getByRole('region', { name: /^Messages in/ })
    .getByText(words, { exact: true })
    .waitFor();
