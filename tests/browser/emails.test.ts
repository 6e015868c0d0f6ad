import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { composeSample, SAMPLE_EMAILS } from '../contracts/sample-emails.ts';
import { launchChromium } from './chromium.ts';
import { findAxeViolations, findHorizontalScroll } from './screens/violations.ts';
import { saveScreenshot } from './screenshots.ts';

const WIDTHS = [360, 390, 800, 1_600];
const REVIEWED_WIDTHS = [390, 800];

let browser: Browser;
let page: Page;

beforeAll(async () => {
  browser = await launchChromium();
  const context = await browser.newContext();
  page = await context.newPage();
});
afterAll(() => browser?.close());

async function show(html: string): Promise<void> {
  await page.setContent(html);
}

describe.each(['light', 'dark'] as const)('in %s mode, an email', (colorScheme) => {
  it.each(Object.entries(SAMPLE_EMAILS))('fits all widths and is readable: %s', async (name, sample) => {
    const { html } = await composeSample(sample);
    await page.emulateMedia({ colorScheme });
    await show(String(html));
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 800 });
      expect(await findHorizontalScroll(page)).toEqual([]);
      if (REVIEWED_WIDTHS.includes(width)) await saveScreenshot(page, 'emails', `${name}-${width}-${colorScheme}`);
    }
    expect(await findAxeViolations(page)).toEqual([]);
  });
});

it('without styles, an email shows its title, sentence, button, and reason in this order', async () => {
  const [, sample] = Object.entries(SAMPLE_EMAILS).find(([name]) => name === 'task-assigned') ?? [];
  const { html } = sample ? await composeSample(sample) : {};
  await show(String(html).replaceAll(/ style="[^"]*"|<style>.*?<\/style>/gs, ''));
  const text = await page.evaluate(() => document.querySelector('h1')?.parentElement?.parentElement?.innerText ?? '');
  const parts = ['Draw the plan', 'assigned this task', 'Open the task', 'because the task is assigned to you'];
  const positions = parts.map((part) => text.indexOf(part));
  expect(positions).not.toContain(-1);
  expect(positions).toEqual(positions.toSorted((a, b) => a - b));
});
