import { expect } from '@jest/globals';
import { captureThemesAndSizes } from '../capture-screenshots.ts';
import { findAxeViolations, findClippedContent, findHorizontalScroll } from '../screens/violations.ts';
import { openConversation, SIZES, scrollTo, summary } from './screen.ts';
import { type Team, type Teammate, untilFigures } from './team.ts';

/** Checks the fullest screens of the day, in both themes, on a desktop and on the phone. */
export async function checkScreens({ desk, phone, keys }: Team): Promise<void> {
  await openConversation(phone, 'launch');
  await expectAccessible(phone);
  await captureThemesAndSizes(phone, 'day-conversation-phone', [360]);
  await openConversation(desk, 'launch');
  await captureThemesAndSizes(desk, 'day-conversation', SIZES);
  await scrollTo(desk.page, 'whole plan');
  await summary(desk.page, 'whole plan').click();
  await expectAccessible(desk);
  await desk.page.keyboard.press('Escape');
  await expectAccessible(keys);
  // The message of the private conversation, which has not been opened.
  await untilFigures(desk, 1);
}

async function expectAccessible({ page, name }: Teammate): Promise<void> {
  const violations: string[] = [];
  for (const scheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme: scheme });
    await page.waitForFunction((theme) => document.documentElement.dataset.theme === theme, scheme);
    const found = [await findAxeViolations(page), await findHorizontalScroll(page), await findClippedContent(page)];
    violations.push(...found.flat().map((violation) => `${name} ${scheme}: ${violation}`));
  }
  await page.emulateMedia({ colorScheme: 'light' });
  expect(violations).toEqual([]);
}
