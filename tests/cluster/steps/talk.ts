import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { CHECKOUT } from '@atrium/dev-server/backing/launcher-context';
import type { Browser, Page } from 'playwright-core';
import { launchChromium } from '../../browser/chromium.ts';
import { findChromium } from '../../browser/setup/find-chromium.ts';
import { emailOf, PASSWORD } from '../../simulation/views.ts';
import type { Place } from '../step.ts';

const SHOTS = join(CHECKOUT, 'output/cluster');

/** Two people sign in, each at a browser of their own, and read what the other one writes. */
export async function talk({ office, judge }: Place): Promise<void> {
  const conversation = await openChannel(office);
  await mkdir(SHOTS, { recursive: true });
  process.env.ATRIUM_TEST_CHROMIUM ??= (await findChromium()).file;
  const browser = await launchChromium();
  try {
    const maya = await sit(browser, office.base, 'maya');
    const jonas = await sit(browser, office.base, 'jonas');
    const faults: string[] = [];
    for (const { who, page } of [maya, jonas]) {
      page.on('pageerror', (error) => faults.push(`${who}: ${error.message}`));
      // By its address: while people talk the list changes its order under the pointer.
      await page.goto(`${office.base}/chat?c=${conversation}`);
    }
    const said = `Good morning ${Date.now()}`;
    await say(maya.page, said);
    const began = performance.now();
    await heard(jonas.page, said);
    const ms = performance.now() - began;
    await say(jonas.page, `${said}, Maya`);
    await heard(maya.page, `${said}, Maya`);
    for (const { who, page } of [maya, jonas]) await page.screenshot({ path: join(SHOTS, `${who}.png`) });
    judge(`two browsers talk, one hears the other after ${ms.toFixed(0)} ms`, faults);
  } finally {
    await browser.close();
  }
}

/** One that only the two have: in that of all at work, a reader is kept at the first of a hundred unread messages. */
async function openChannel({ work }: Place['office']): Promise<string> {
  const [maya, jonas] = work.site.workers;
  if (!maya || !jonas) throw new Error('nobody is at work');
  const channel = { type: 'group', title: 'Two at a desk', participants: [jonas.id] };
  const made = await maya.write<{ _id: string }>('POST', '/chat/conversations', channel);
  if (!made) throw new Error('the two could not begin to talk');
  return made._id;
}

async function sit(browser: Browser, base: string, who: string): Promise<{ who: string; page: Page }> {
  const page = await browser.newPage();
  await page.goto(`${base}/login`);
  await page.getByLabel('Email').fill(emailOf(who));
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign In' }).click();
  await page.getByRole('heading', { name: 'Team Dashboard' }).waitFor();
  return { who, page };
}

async function say(page: Page, words: string): Promise<void> {
  const input = page.getByRole('textbox', { name: /Message/ });
  await input.fill(words);
  await input.press('Enter');
}

const heard = (page: Page, words: string): Promise<void> =>
  page
    .getByRole('region', { name: /^Messages in/ })
    .getByText(words, { exact: true })
    .waitFor();
