import { buildPng } from '@atrium/test-kit/build-png';
import { waitFor } from '@atrium/test-kit/wait-for';
import { describe, expect, it } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import { emojiForm } from '../workspace/builders.ts';
import { expectStatus, send } from '../workspace/workspace.ts';
import { type BrowserUser, toast } from './browser-user.ts';
import { captureThemesAndSizes } from './capture-screenshots.ts';
import { setUpTestEnvironment } from './test-environment.ts';

const environment = setUpTestEnvironment();

const SIZES = [360, 1_600];

const logOf = (page: Page): Locator => page.getByRole('region', { name: /^Messages in/ });
const message = (page: Page, words: string): Locator => logOf(page).getByRole('article').filter({ hasText: words });

async function openConversation(...contents: string[]) {
  const [nora, theo] = await Promise.all([
    environment.createUser('Nora', 'member'),
    environment.createUser('Theo', 'member'),
  ]);
  const title = `notes-${environment.uniqueWord().toLowerCase()}`;
  const body = { type: 'group', title, participants: [theo.id] };
  const { _id: conversation } = await expectStatus(
    nora.call<{ _id: string }>('POST', '/chat/conversations', body),
    201,
  );
  for (const content of contents)
    await expectStatus(nora.call('POST', '/chat/messages', { conversation, content }), 201);
  const path = `/chat?c=${conversation}`;
  const [left, right] = await Promise.all([environment.openPage(nora, path), environment.openPage(theo, path)]);
  return { nora, theo, left, right };
}

const recordButton = ({ page }: BrowserUser) => page.getByRole('button', { name: 'Record a voice note' });
const stopButton = ({ page }: BrowserUser) => page.getByRole('button', { name: 'Stop recording' });
const timer = ({ page }: BrowserUser) => page.getByRole('timer', { name: 'Duration' });
const showsTime = (user: BrowserUser, text: string) =>
  waitFor(async () => (await timer(user).textContent()) === text, { description: `${text} of the recording` });

describe('a voice note', () => {
  it('is recorded, sent, and played with its position and speed', async () => {
    const { left, right } = await openConversation();
    await recordButton(left).click();
    await showsTime(left, '0:02');
    await captureThemesAndSizes(left, 'voice-recording', SIZES);
    await stopButton(left).click();
    await left.page
      .getByText(/^Voice note \d+ s\.weba$/)
      .first()
      .waitFor();
    await left.page.getByRole('button', { name: 'Send', exact: true }).click();
    const player = logOf(right.page).getByRole('group', { name: 'Voice note' });
    await player.waitFor();
    await captureThemesAndSizes(right, 'voice-player', SIZES);
    const slider = player.getByRole('slider', { name: 'Position' });
    await player.getByRole('button', { name: 'Play' }).click();
    await player.getByRole('button', { name: 'Pause' }).waitFor();
    await waitFor(async () => Number(await slider.inputValue()) > 0.3, { description: 'the position to move' });
    await player.getByRole('button', { name: 'Pause' }).click();
    await player.getByRole('button', { name: 'Play' }).waitFor();
    expect(await slider.getAttribute('aria-valuetext')).toMatch(/^\d+ seconds? of \d+ seconds?$/);
    await player.getByRole('button', { name: 'Speed 1×' }).click();
    await player.getByRole('button', { name: 'Speed 1.5×' }).waitFor();
    await slider.focus();
    await right.page.keyboard.press('Home');
    await waitFor(async () => Number(await slider.inputValue()) === 0, { description: 'the beginning' });
    await right.page.keyboard.press('End');
    const end = Number(await slider.getAttribute('max'));
    // Positions are multiples of a tenth of a second.
    await waitFor(async () => end - Number(await slider.inputValue()) < 0.1, { description: 'the end' });
    const played = await player.locator('audio').evaluate((audio: HTMLAudioElement) => audio.currentTime);
    expect(Math.abs(played - end)).toBeLessThan(0.2);
  });

  it('is recorded while the button is held, and can be canceled', async () => {
    const { left } = await openConversation();
    await recordButton(left).hover();
    await left.page.mouse.down();
    await showsTime(left, '0:01');
    await left.page.mouse.up();
    await left.page
      .getByText(/^Voice note \d+ s\.weba$/)
      .first()
      .waitFor();
    await left.page.getByRole('button', { name: /^Remove Voice note/ }).click();
    await recordButton(left).click();
    await left.page.getByRole('button', { name: 'Cancel recording' }).click();
    await recordButton(left).waitFor();
    expect(await left.page.getByText(/^Voice note/).count()).toBe(0);
  });

  it.each([
    ['NotAllowedError', 'Atrium is not allowed to use the microphone'],
    ['NotFoundError', 'No microphone was found'],
  ])('says why it cannot be recorded: %s', async (name, text) => {
    const { left } = await openConversation();
    await left.page.evaluate((error) => {
      navigator.mediaDevices.getUserMedia = () => Promise.reject(new DOMException('', error));
    }, name);
    await recordButton(left).click();
    await toast(left.page, text);
    await recordButton(left).waitFor();
  });
});

const addEmoji = (name: string) =>
  expectStatus(
    send<{ _id: string }>(`${environment.system.url}/api/chat/emoji`, {
      method: 'POST',
      headers: { authorization: `Bearer ${environment.admin.token}` },
      body: emojiForm(name, new Uint8Array(buildPng({ width: 64, height: 64, shade: 90 }))),
    }),
    201,
  );

describe('custom emoji', () => {
  it('are managed by administrators in the settings', async () => {
    const admin = await environment.openPage(environment.admin, '/settings#emoji');
    const { page } = admin;
    const form = page.getByRole('form', { name: 'Add emoji' });
    await form.waitFor();
    const buffer = buildPng({ width: 64, height: 64, shade: 200 });
    const [chooser] = await Promise.all([
      page.waitForEvent('filechooser'),
      form.getByRole('button', { name: 'Choose image' }).click(),
    ]);
    await chooser.setFiles({ name: 'Ship It.png', mimeType: 'image/png', buffer });
    expect(await form.getByLabel('Name').inputValue()).toBe('ship_it');
    await form.getByRole('button', { name: 'Add emoji' }).click();
    const rows = page.getByRole('list', { name: 'Emoji of the workspace' });
    await rows.getByText(':ship_it:').waitFor();
    await rows.getByRole('img', { name: ':ship_it:' }).waitFor();
    for (const width of SIZES) {
      await page.setViewportSize({ width, height: 900 });
      await form.scrollIntoViewIfNeeded();
      await captureThemesAndSizes(admin, 'emoji-settings', [width]);
    }
    await rows.getByRole('button', { name: 'Delete ship_it' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete emoji' }).click();
    await rows.getByText(':ship_it:').waitFor({ state: 'detached' });
  });

  it('are shown in text and as reactions, and by their names once deleted', async () => {
    const { _id } = await addEmoji('party_parrot');
    const { left, right } = await openConversation('release day :party_parrot: `:party_parrot:`');
    await message(right.page, 'release day').getByRole('img', { name: ':party_parrot:' }).waitFor();
    await message(left.page, 'release day').hover();
    await message(left.page, 'release day').getByRole('button', { name: 'Add reaction' }).click();
    const picker = left.page.getByRole('dialog', { name: 'Add reaction' });
    await picker.getByRole('searchbox', { name: 'Search emoji' }).fill('parrot');
    await picker.getByRole('button', { name: 'party_parrot' }).waitFor();
    await captureThemesAndSizes(left, 'emoji-picker-workspace', [1_600]);
    await picker.getByRole('button', { name: 'party_parrot' }).click();
    const chip = message(right.page, 'release day').getByRole('button', { name: ':party_parrot:, 1 person' });
    await chip.getByRole('img').waitFor();
    await captureThemesAndSizes(right, 'custom-emoji', SIZES);
    await expectStatus(environment.admin.call('DELETE', `/chat/emoji/${_id}`), 204);
    await message(right.page, 'release day').getByRole('img').first().waitFor({ state: 'detached' });
    expect(await chip.textContent()).toBe(':party_parrot:1');
  });
});
