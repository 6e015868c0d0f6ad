import { waitFor } from '@atrium/test-kit/wait-for';
import { expect } from '@jest/globals';
import { expectStatus } from '../../workspace/workspace.ts';
import { captureThemesAndSizes, finishTransitions } from '../capture-screenshots.ts';
import { findAxeViolations, findClippedContent, findHorizontalScroll } from '../screens/violations.ts';
import { openConversation, SIZES, scrollTo, summary } from './screen.ts';
import { type Team, type Teammate, untilFigures } from './team.ts';

/** Checks the fullest screens of the day, in both themes, on a desktop and on the phone. */
export async function checkScreens({ desk, phone, keys, manager }: Team): Promise<void> {
  await untilScheduledAreSent(manager);
  await openConversation(phone, 'launch');
  await expectAccessible(phone);
  await captureThemesAndSizes(phone, 'day-conversation-phone', [360]);
  for (const name of ['lunch', 'launch']) await openConversation(desk, name);
  await captureThemesAndSizes(desk, 'day-conversation', SIZES);
  await scrollTo(desk.page, 'whole plan');
  await summary(desk.page, 'whole plan').click();
  await expectAccessible(desk);
  await desk.page.keyboard.press('Escape');
  await expectAccessible(keys);
  // The message of the private conversation, which has not been opened.
  await untilFigures(desk, 1);
}

const untilScheduledAreSent = ({ client }: Teammate) =>
  waitFor(
    async () => {
      const scheduled = await expectStatus(client.call<{ data: unknown[] }>('GET', '/chat/scheduled'), 200);
      return scheduled.data.length === 0;
    },
    { description: 'the scheduled message to be sent', timeoutMs: 90_000 },
  );

async function expectAccessible({ page, name }: Teammate): Promise<void> {
  const violations: string[] = [];
  for (const scheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme: scheme });
    await page.waitForFunction((theme) => document.documentElement.dataset.theme === theme, scheme);
    await page.evaluate(finishTransitions);
    const found = [await findAxeViolations(page), await findHorizontalScroll(page), await findClippedContent(page)];
    violations.push(...found.flat().map((violation) => `${name} ${scheme}: ${violation}`));
  }
  await page.emulateMedia({ colorScheme: 'light' });
  expect(violations).toEqual([]);
}
