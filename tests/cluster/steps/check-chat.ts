import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { CHECKOUT } from '@atrium/dev-server/backing/launcher-context';
import { DEMO_PASSWORD, demoEmail } from '@atrium/tools/demo/people';
import type { Browser, Page } from 'playwright-core';
import { launchChromium } from '../../browser/chromium.ts';
import { findChromium } from '../../browser/setup/find-chromium.ts';
import type { StepContext } from '../step.ts';

const SCREENSHOTS = join(CHECKOUT, 'output/cluster');

/** Two users sign in with separate browsers and read each other's messages. */
export async function checkChat({ traffic, report }: StepContext): Promise<void> {
  const conversation = await openChannel(traffic);
  await mkdir(SCREENSHOTS, { recursive: true });
  process.env.ATRIUM_TEST_CHROMIUM ??= (await findChromium()).file;
  const browser = await launchChromium();
  try {
    const maya = await openUserPage(browser, traffic.base, 'maya');
    const jonas = await openUserPage(browser, traffic.base, 'jonas');
    const failures: string[] = [];
    for (const { name, page } of [maya, jonas]) {
      page.on('pageerror', (error) => failures.push(`${name}: ${error.message}`));
      // Opened by URL, because the order of the list changes while messages arrive.
      await page.goto(`${traffic.base}/chat?c=${conversation}`);
    }
    const text = `Good morning ${Date.now()}`;
    await sendMessage(maya.page, text);
    const startedAt = performance.now();
    await waitForMessage(jonas.page, text);
    const ms = performance.now() - startedAt;
    await sendMessage(jonas.page, `${text}, Maya`);
    await waitForMessage(maya.page, `${text}, Maya`);
    for (const { name, page } of [maya, jonas]) await page.screenshot({ path: join(SCREENSHOTS, `${name}.png`) });
    report(`two browsers exchange messages; one receives the other's after ${ms.toFixed(0)} ms`, failures);
  } finally {
    await browser.close();
  }
}

/**
 * Creates a conversation for only these two. In one with background traffic, the view would stay at the first of a
 * hundred unread messages.
 */
async function openChannel({ work }: StepContext['traffic']): Promise<string> {
  const [maya, jonas] = work.fixture.workers;
  if (!maya || !jonas) throw new Error('Background traffic has fewer than two users');
  const channel = { type: 'group', title: 'Two people', participants: [jonas.id] };
  const created = await maya.write<{ _id: string }>('POST', '/chat/conversations', channel);
  if (!created) throw new Error('Failed to create the conversation');
  return created._id;
}

async function openUserPage(browser: Browser, base: string, name: string): Promise<{ name: string; page: Page }> {
  const page = await browser.newPage();
  await page.goto(`${base}/login`);
  await page.getByLabel('Email').fill(demoEmail(name));
  await page.getByLabel('Password', { exact: true }).fill(DEMO_PASSWORD);
  await page.getByRole('button', { name: 'Sign In' }).click();
  await page.getByRole('heading', { name: 'Team Dashboard' }).waitFor();
  return { name, page };
}

async function sendMessage(page: Page, text: string): Promise<void> {
  const input = page.getByRole('textbox', { name: /Message/ });
  await input.fill(text);
  await input.press('Enter');
}

const waitForMessage = (page: Page, text: string): Promise<void> =>
  page
    .getByRole('region', { name: /^Messages in/ })
    .getByText(text, { exact: true })
    .waitFor();
