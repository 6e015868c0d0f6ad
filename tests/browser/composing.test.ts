import { expect, it } from '@jest/globals';
import type { Locator } from 'playwright-core';
import type { Client } from '../workspace/workspace.ts';
import { expectStatus } from '../workspace/workspace.ts';
import { readClipboard, toast } from './browser-user.ts';
import { captureThemesAndSizes } from './capture-screenshots.ts';
import { setUpTestEnvironment } from './test-environment.ts';

const environment = setUpTestEnvironment();
const WIDTHS = [360, 1_600];

async function createConversation(creator: Client, ...others: Client[]): Promise<string> {
  const title = `room-${environment.uniqueWord().toLowerCase()}`;
  const body = { type: 'group', title, participants: others.map(({ id }) => id) };
  const { _id } = await expectStatus(creator.call<{ _id: string }>('POST', '/chat/conversations', body), 201);
  return _id;
}

async function openConversation() {
  const [nora, theo] = await Promise.all(['Nora', 'Theo'].map((name) => environment.createUser(name, 'member')));
  if (!nora || !theo) throw new Error('Users were not created');
  const id = await createConversation(nora, theo);
  const writer = await environment.openPage(nora, `/chat?c=${id}`);
  const { page } = writer;
  const field = page.getByRole('textbox', { name: /^Message room-/ });
  await page.getByRole('toolbar', { name: 'Formatting' }).waitFor();
  const send = (content: string) =>
    expectStatus(nora.call<{ _id: string }>('POST', '/chat/messages', { conversation: id, content }), 201);
  return { id, nora, theo, writer, page, field, send };
}

/** Pastes as the browser does: the field inserts the text unless the page does something else. */
const paste = (field: Locator, text: string, html = '') =>
  field.evaluate(
    (element, clipboard) => {
      const clipboardData = new DataTransfer();
      clipboardData.setData('text/plain', clipboard.text);
      clipboardData.setData('text/html', clipboard.html);
      const event = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true });
      if (element.dispatchEvent(event)) document.execCommand('insertText', false, clipboard.text);
    },
    { text, html },
  );

it('text is formatted with keys while it is typed, and every step can be undone', async () => {
  const { page, field, theo, id } = await openConversation();
  const reader = await environment.openPage(theo, `/chat?c=${id}`);
  // On a desktop, a conversation opens ready to write.
  expect(await field.evaluate((element) => element === document.activeElement)).toBe(true);
  await page.keyboard.type('Hi ');
  await page.keyboard.press('Control+b');
  await page.keyboard.type('team');
  await page.keyboard.press('Control+b');
  await page.keyboard.type(', ');
  await page.keyboard.press('Control+i');
  await page.keyboard.type('today');
  await page.keyboard.press('Control+i');
  expect(await field.inputValue()).toBe('Hi **team**, *today*');
  await page.keyboard.press('Shift+Home');
  await page.keyboard.press('Control+Shift+x');
  expect(await field.inputValue()).toBe('~~Hi **team**, *today*~~');
  await page.keyboard.press('Control+z');
  expect(await field.inputValue()).toBe('Hi **team**, *today*');
  await page.keyboard.press('End');

  await page.keyboard.press('Shift+Enter');
  await page.keyboard.type('- one');
  await page.keyboard.press('Shift+Enter');
  await page.keyboard.type('two');
  await page.keyboard.press('Shift+Enter');
  await page.keyboard.press('Shift+Enter');
  await page.keyboard.type('done');
  expect(await field.inputValue()).toBe('Hi **team**, *today*\n- one\n- two\ndone');
  await page.keyboard.press('Enter');

  const message = reader.page.getByRole('article').filter({ hasText: 'done' });
  await message.locator('strong', { hasText: 'team' }).waitFor();
  expect(await message.locator('em').textContent()).toBe('today');
  expect(await message.getByRole('listitem').count()).toBe(2);
  expect(await page.getByRole('link', { name: /room-/ }).textContent()).toContain('Hi team, today one two done');
});

it('emoji and mentions are completed, and undo returns to what was typed', async () => {
  const { page, field, writer } = await openConversation();
  await page.keyboard.type('Great :tad');
  await page.getByRole('option', { name: ':tada:' }).waitFor();
  await captureThemesAndSizes(writer, 'composing-emoji', WIDTHS);
  await page.keyboard.press('Enter');
  expect(await field.inputValue()).toBe('Great 🎉 ');
  await page.keyboard.type('and :smile:');
  await page.waitForFunction(() => document.querySelector('textarea')?.value.endsWith('😄'));
  await page.keyboard.press('Control+z');
  expect(await field.inputValue()).toBe('Great 🎉 and :smile:');
  await page.keyboard.type(' `:smile:`');
  expect(await field.inputValue()).toBe('Great 🎉 and :smile: `:smile:`');

  await field.fill('');
  await field.pressSequentially('@theo');
  await page.getByRole('option', { name: /Theo/ }).waitFor();
  await page.keyboard.press('Tab');
  const mention = await field.inputValue();
  expect(mention).toMatch(/^@Theo \w+ $/);
  await page.keyboard.press('Control+z');
  expect(await field.inputValue()).toBe('@theo');
  await page.keyboard.press('Control+Shift+z');
  expect(await field.inputValue()).toBe(mention);
  await page.keyboard.press('Escape');
  await page.keyboard.press('Enter');
  // It is still a mention, not only its name.
  await page.getByRole('article').locator('bdi', { hasText: '@Theo' }).waitFor();

  await page.getByRole('button', { name: 'Add emoji' }).click();
  const picker = page.getByRole('dialog', { name: 'Add emoji' });
  await picker.getByRole('searchbox', { name: 'Search emoji' }).fill('rocket');
  await picker.getByRole('gridcell', { name: 'Rocket' }).click();
  await page.waitForFunction(() => document.querySelector('textarea')?.value === '🚀');
  expect(await field.evaluate((element) => element === document.activeElement)).toBe(true);
});

it('a pasted address becomes the link of the selection, and a pasted table becomes Markdown', async () => {
  const { page, field } = await openConversation();
  await page.keyboard.type('See the plan');
  await page.keyboard.press('Shift+Control+ArrowLeft');
  await paste(field, 'https://example.com/plan');
  expect(await field.inputValue()).toBe('See the [plan](https://example.com/plan)');
  await page.keyboard.press('Control+z');
  expect(await field.inputValue()).toBe('See the plan');
  await field.fill('');
  await paste(
    field,
    'Who\tHours\nAnn\t3',
    '<table><tr><td>Who</td><td>Hours</td></tr><tr><td>Ann</td><td>3</td></tr></table>',
  );
  await page.keyboard.press('Enter');
  await page.getByRole('article').getByRole('table').waitFor();
  expect(await page.getByRole('cell', { name: 'Ann' }).count()).toBe(1);
});

it('the latest own message is edited with the arrow key, with the same tools', async () => {
  const { page, field, writer, send } = await openConversation();
  await send('first **text**');
  await page.getByRole('article').locator('strong', { hasText: 'text' }).waitFor();
  await page.keyboard.press('ArrowUp');
  const editor = page.getByRole('textbox', { name: 'Edit message' });
  await editor.waitFor();
  await page.waitForFunction(() => document.activeElement?.getAttribute('aria-label') === 'Edit message');
  await captureThemesAndSizes(writer, 'composing-edit', WIDTHS);
  await page.keyboard.press('Control+a');
  await page.keyboard.press('Control+Shift+c');
  expect(await editor.inputValue()).toBe('`first **text**`');
  await page.keyboard.press('Enter');
  await page.getByRole('article').locator('code', { hasText: 'first **text**' }).waitFor();
  await page.waitForFunction(() => document.activeElement?.getAttribute('aria-label')?.startsWith('Message room-'));
  expect(await field.inputValue()).toBe('');
});

it('sending can be undone for ten seconds', async () => {
  const { page, field, writer } = await openConversation();
  await page.keyboard.type('Sent **too** early');
  await page.keyboard.press('Enter');
  const undo = page.getByRole('button', { name: 'Undo', exact: true });
  await undo.waitFor();
  await captureThemesAndSizes(writer, 'composing-undo', WIDTHS);
  await page.getByRole('status').filter({ hasText: 'Undo is available' }).first().waitFor({ state: 'attached' });
  await undo.focus();
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => document.querySelector('textarea')?.value === 'Sent **too** early');
  await page.getByText('This message was deleted').waitFor();
  await undo.waitFor({ state: 'detached' });
  await page.keyboard.press('Enter');
  await page.getByRole('article').locator('strong', { hasText: 'too' }).waitFor();
  await undo.waitFor({ state: 'detached' });
  expect(await field.inputValue()).toBe('');
});

const EVERYTHING = `## Release of **Friday**
We ship _on time_, ~~maybe~~ surely. Details in [the plan](https://example.com/plan) or at https://example.com/a_b_c.

1. Build \`npm run build\`
2. Test
   - in Chromium
   - in Firefox

> Is the upgrade safe?
> Yes.

| Service | Owner | Hours |
|---|:-:|--:|
| chat | Ann | 12 |
| gateway | Theo | 3 |

\`\`\`ts
export const total = (hours: readonly number[]): number => hours.reduce((sum, each) => sum + each, 0);
\`\`\`
**مرحبا بالجميع** 🎉`;

it('all formatting is shown on a desktop and a phone, in both themes', async () => {
  const { page, field, writer, send } = await openConversation();
  await send(EVERYTHING);
  await page.getByRole('article').getByRole('table').waitFor();
  await page.getByRole('heading', { name: 'Release of Friday' }).waitFor();
  await field.fill('The **next** one');
  await captureThemesAndSizes(writer, 'composing-formatted', WIDTHS);
  await writer.context.grantPermissions(['clipboard-write']);
  await page.getByRole('button', { name: 'Copy code' }).click();
  await toast(page, 'Code copied');
  expect(await readClipboard(writer)).toMatch(/^export const total .*;$/);

  await page.getByRole('article').first().hover();
  await page.getByRole('button', { name: 'Reply in thread' }).click();
  const thread = page.getByRole('region', { name: 'Thread', exact: true });
  await thread.getByRole('button', { name: 'Formatting' }).click();
  await thread.getByRole('textbox', { name: 'Reply' }).fill('Same **tools** here');
  await thread.getByRole('table').waitFor();
  await captureThemesAndSizes(writer, 'composing-thread', [1_600]);
  await thread.getByRole('button', { name: 'Close thread' }).first().click();

  await page.setViewportSize({ width: 360, height: 780 });
  const toolbar = page.getByRole('toolbar', { name: 'Formatting' });
  expect(await toolbar.isVisible()).toBe(false);
  await page.getByRole('button', { name: 'Formatting' }).click();
  await toolbar.waitFor();
  await field.selectText();
  await toolbar.getByRole('button', { name: 'Quote' }).click();
  expect(await field.inputValue()).toBe('> The **next** one');
  await captureThemesAndSizes(writer, 'composing-toolbar', WIDTHS);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
});
