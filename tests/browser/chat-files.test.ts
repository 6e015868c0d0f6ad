import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Conversation as ApiConversation } from '@atrium/proto-events/http/chat/conversations';
import type { Message } from '@atrium/proto-events/http/chat/messages';
import { buildPng } from '@atrium/test-kit/build-png';
import { createFaultyProxy, type FaultyProxy } from '@atrium/test-kit/faulty-proxy';
import { makeHugeImage, makePhoto } from '@atrium/test-kit/make-photo';
import { waitFor } from '@atrium/test-kit/wait-for';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import { type Client, expectStatus, send } from '../workspace/workspace.ts';
import { type BrowserUser, dialog, toast } from './browser-user.ts';
import { captureThemesAndSizes } from './capture-screenshots.ts';
import { buildPdf } from './previews/sample-files.ts';
import { openSignedInPage, setUpTestEnvironment } from './test-environment.ts';

const MB = 1024 * 1024;

const environment = setUpTestEnvironment();
let proxy: FaultyProxy;

beforeAll(async () => {
  proxy = await createFaultyProxy(environment.system.url);
});

beforeEach(() => proxy.restore());

afterAll(() => proxy?.close());

type File = { name: string; mimeType: string; buffer: Buffer<ArrayBuffer> };

const text = (name: string, content = `the text of ${name}\n`): File => {
  return { name, mimeType: 'text/plain', buffer: Buffer.from(content) };
};
const image = (name: string, width: number, height: number, shade = 128): File => {
  return { name, mimeType: 'image/png', buffer: buildPng({ width, height, shade }) };
};

type Conversation = { id: string; title: string; path: string };

async function createConversation(creator: Client, ...others: Client[]): Promise<Conversation> {
  const title = `files-${environment.uniqueWord().toLowerCase()}`;
  const body = { type: 'group', title, participants: others.map(({ id }) => id) };
  const { _id: id } = await expectStatus(creator.call<{ _id: string }>('POST', '/chat/conversations', body), 201);
  return { id, title, path: `/chat?c=${id}` };
}

/** Sends a message with files through the API. */
function sendWithFiles(client: Client, { id }: Conversation, files: readonly File[], content = ''): Promise<Message> {
  const form = new FormData();
  form.set('conversation', id);
  form.set('content', content);
  for (const { name, mimeType, buffer } of files)
    form.append('attachments', new Blob([buffer], { type: mimeType }), name);
  const headers = { authorization: `Bearer ${client.token}` };
  return expectStatus(
    send<Message>(`${environment.system.url}/api/chat/messages`, { method: 'POST', headers, body: form }),
    201,
  );
}

const createTwoUsers = async () =>
  Promise.all([environment.createUser('Nora', 'member'), environment.createUser('Theo', 'member')]);
const logOf = (page: Page): Locator => page.getByRole('region', { name: /^Messages in/ });
const articles = (page: Page): Locator => logOf(page).getByRole('article');
const input = (page: Page): Locator => page.getByRole('textbox', { name: /^Message/ });
const attachedFiles = (page: Page): Locator => page.getByRole('list', { name: 'Attached files' }).getByRole('listitem');
const button = (place: Page | Locator, name: string): Locator => place.getByRole('button', { name, exact: true });

async function attach(page: Page, files: readonly File[]): Promise<void> {
  const chooser = page.waitForEvent('filechooser');
  await button(page, 'Attach files').click();
  await (await chooser).setFiles([...files]);
}

/** Creates the DataTransfer of a drag or of the clipboard, in the page. */
const createDataTransfer = (page: Page, files: readonly File[]) =>
  page.evaluateHandle(
    (specs) => {
      const data = new DataTransfer();
      for (const { name, type, base64 } of specs) {
        const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
        data.items.add(new File([bytes], name, { type }));
      }
      return data;
    },
    files.map(({ name, mimeType: type, buffer }) => ({ name, type, base64: buffer.toString('base64') })),
  );

async function drop(page: Page, files: readonly File[]): Promise<void> {
  const dataTransfer = await createDataTransfer(page, files);
  await logOf(page).or(page.getByText('No messages yet')).first().dispatchEvent('dragenter', { dataTransfer });
  await page.getByText('Drop to attach to your message').waitFor();
  await logOf(page).or(page.getByText('No messages yet')).first().dispatchEvent('drop', { dataTransfer });
  await page.getByText('Drop to attach to your message').waitFor({ state: 'detached' });
}

async function paste(page: Page, files: readonly File[]): Promise<void> {
  const data = await createDataTransfer(page, files);
  await input(page).evaluate((field, clipboardData) => {
    field.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
  }, data);
}

async function readDownload(page: Page, press: () => Promise<void>): Promise<Buffer> {
  const download = page.waitForEvent('download');
  await press();
  return readFile(await (await download).path());
}

/** Whether the image itself is rendered, not only its placeholder. */
const isRendered = (place: Locator) =>
  place
    .locator('img')
    .evaluate((img: HTMLImageElement) => img.complete && img.naturalWidth > 0, undefined, {
      timeout: 500,
    })
    .catch(() => false);
async function getPrintHeight(page: Page): Promise<number> {
  const window = page.viewportSize();
  await page.setViewportSize({ width: 816, height: 1_056 });
  await page.emulateMedia({ media: 'print' });
  const height = await page.evaluate(() => document.body.getBoundingClientRect().height);
  await page.emulateMedia({ media: null });
  if (window) await page.setViewportSize(window);
  return height;
}
const waitUntilRendered = (place: Locator, label: string) =>
  waitFor(() => isRendered(place), { description: `${label} to be rendered` });

describe('files with a message', () => {
  it('are attached by button, drag and drop, and paste, and other participants see them immediately', async () => {
    const [nora, theo] = await createTwoUsers();
    const conversation = await createConversation(nora, theo);
    const [writer, reader] = await Promise.all([
      environment.openPage(nora, conversation.path),
      environment.openPage(theo, conversation.path),
    ]);
    const { page } = writer;
    const harbour = image('harbour.png', 640, 480);
    const pier = image('pier.png', 300, 500, 40);
    const notes = text('notes.txt');
    await attach(page, [harbour, text('mistake.txt')]);
    await button(page, 'Remove mistake.txt').click();
    await drop(page, [notes]);
    await paste(page, [pier]);
    await waitFor(async () => (await attachedFiles(page).count()) === 3, { description: 'three files' });
    await attachedFiles(page).filter({ hasText: 'notes.txt' }).getByText('22 Bytes').waitFor();
    await waitUntilRendered(attachedFiles(page).filter({ hasText: 'pier.png' }), 'the preview');
    await input(page).fill('From the harbour');
    await input(page).press('Enter');
    const received = articles(reader.page).filter({ hasText: 'From the harbour' });
    for (const { page: eachPage } of [writer, reader]) {
      const message = articles(eachPage).filter({ hasText: 'From the harbour' });
      await waitUntilRendered(button(message, 'Open harbour.png'), 'the harbour');
      await waitUntilRendered(button(message, 'Open pier.png'), 'the pier');
    }
    expect(await attachedFiles(page).count()).toBe(0);
    const bytes = await readDownload(reader.page, () => button(received, 'Download notes.txt').click());
    expect(bytes.equals(notes.buffer)).toBe(true);
  });

  it('need no text, and the conversation list shows their kind', async () => {
    const [nora, theo] = await createTwoUsers();
    const conversation = await createConversation(nora, theo);
    const [writer, reader] = await Promise.all([
      environment.openPage(nora, conversation.path),
      environment.openPage(theo, '/chat'),
    ]);
    const entry = reader.page.getByRole('link', { name: new RegExp(conversation.title) }).first();
    await attach(writer.page, [text('plan.txt')]);
    await button(writer.page, 'Send').click();
    await entry.getByText('File: plan.txt').waitFor();
    await attach(writer.page, [image('one.png', 90, 90)]);
    await button(writer.page, 'Send').click();
    await entry.getByText('Photo').waitFor();
    await waitFor(async () => (await articles(writer.page).count()) === 2, { description: 'both messages' });
  });

  it('stay in the draft of their conversation, and cannot be sent if there are more than ten', async () => {
    const [nora] = await createTwoUsers();
    const first = await createConversation(nora);
    const second = await createConversation(nora);
    const { page } = await environment.openPage(nora, first.path);
    await attach(
      page,
      Array.from({ length: 11 }, (_, index) => text(`${index}.txt`)),
    );
    await page.getByText('A message can have at most 10 files').waitFor();
    expect(await button(page, 'Send').getAttribute('aria-disabled')).toBe('true');
    await page
      .getByRole('link', { name: new RegExp(second.title) })
      .first()
      .click();
    await page.getByRole('textbox', { name: `Message ${second.title}` }).waitFor();
    expect(await attachedFiles(page).count()).toBe(0);
    await page
      .getByRole('link', { name: new RegExp(first.title) })
      .first()
      .click();
    await button(page, 'Remove 10.txt').click();
    await button(page, 'Send').click();
    await button(page, 'Download 9.txt').waitFor();
    expect(
      await articles(page)
        .getByRole('button', { name: /^Download/ })
        .count(),
    ).toBe(10);
  });

  it('disappear with a deleted message, and stay if only the text is removed', async () => {
    const [nora, theo] = await createTwoUsers();
    const conversation = await createConversation(nora, theo);
    const sent = await sendWithFiles(nora, conversation, [text('kept.txt')], 'with words');
    const deleted = await sendWithFiles(nora, conversation, [text('gone.txt')]);
    const { page } = await environment.openPage(theo, conversation.path);
    await button(page, 'Download gone.txt').waitFor();
    await expectStatus(nora.call('PATCH', `/chat/messages/${sent._id}`, { content: '' }), 200);
    await page.getByText('with words').waitFor({ state: 'detached' });
    await expectStatus(nora.call('DELETE', `/chat/messages/${deleted._id}`), 204);
    await button(page, 'Download gone.txt').waitFor({ state: 'detached' });
    await articles(page).getByText('This message was deleted').waitFor();
    await button(page, 'Download kept.txt').waitFor();
  });
});

describe('a message with files in flight', () => {
  const buildLargeFile = (name: string): File => ({
    name,
    mimeType: 'application/octet-stream',
    buffer: randomBytes(16 * MB),
  });
  const progress = (page: Page) => page.getByRole('progressbar', { name: /^Sending/ });

  it('shows its progress, asks before the tab is closed, and is restored completely when it is canceled', async () => {
    environment.expectErrors(/net::ERR/, /WebSocket/);
    const [nora] = await createTwoUsers();
    const conversation = await createConversation(nora);
    const { page } = await openSignedInPage(environment.browser, nora, { address: `${proxy.url}${conversation.path}` });
    await input(page).waitFor();
    proxy.setConditions({ bytesPerSecond: 1_000_000 });
    await attach(page, [buildLargeFile('large.bin'), text('small.txt')]);
    await input(page).fill('It takes a while');
    await input(page).press('Enter');
    await waitFor(
      async () => {
        const value = Number(await progress(page).getAttribute('aria-valuenow'));
        return value > 0 && value < 100;
      },
      { description: 'progress', timeoutMs: 30_000 },
    );
    // A text message sent later keeps its position after the message with files.
    await input(page).fill('Right after it');
    await input(page).press('Enter');
    await articles(page).filter({ hasText: 'Right after it' }).locator('[aria-busy=true]').waitFor();
    expect(await progress(page).count()).toBe(1);
    const dialogShown = page.waitForEvent('dialog');
    await page.close({ runBeforeUnload: true });
    const leavePrompt = await dialogShown;
    expect(leavePrompt.type()).toBe('beforeunload');
    await leavePrompt.dismiss();
    proxy.restore();
    await button(page, 'Cancel sending').click();
    await waitFor(async () => (await attachedFiles(page).count()) === 2, { description: 'the files to be restored' });
    expect(await input(page).inputValue()).toBe('It takes a while');
    await button(page, 'Send').click();
    await button(page, 'Download large.bin').waitFor();
    expect(await articles(page).count()).toBe(2);
  });

  it('is restored to the composer when the connection is lost, and is delivered once when it is resent', async () => {
    environment.expectErrors(/net::ERR/, /WebSocket/);
    const [nora, theo] = await createTwoUsers();
    const conversation = await createConversation(nora, theo);
    const { page } = await openSignedInPage(environment.browser, nora, { address: `${proxy.url}${conversation.path}` });
    await input(page).waitFor();
    proxy.setConditions({ bytesPerSecond: 1_000_000 });
    const large = buildLargeFile('large.bin');
    await attach(page, [large]);
    await input(page).fill('Over a bad connection');
    await input(page).press('Enter');
    await progress(page).waitFor();
    proxy.cut();
    await attachedFiles(page).filter({ hasText: 'large.bin' }).waitFor();
    expect(await input(page).inputValue()).toBe('Over a bad connection');
    proxy.restore();
    await input(page).press('Enter');
    const reader = await environment.openPage(theo, conversation.path);
    const received = articles(reader.page).filter({ hasText: 'Over a bad connection' });
    const bytes = await readDownload(reader.page, () => button(received, 'Download large.bin').click());
    expect(bytes.equals(large.buffer)).toBe(true);
    await button(page, 'Download large.bin').waitFor();
    expect(await articles(page).count()).toBe(1);
    expect(await articles(reader.page).count()).toBe(1);
  });

  it('has its text restored after a reload, and is not duplicated when it is sent again', async () => {
    environment.expectErrors(/net::ERR/, /WebSocket/);
    const [nora] = await createTwoUsers();
    const conversation = await createConversation(nora);
    const { page } = await openSignedInPage(environment.browser, nora, { address: `${proxy.url}${conversation.path}` });
    await input(page).waitFor();
    proxy.setConditions({ bytesPerSecond: 1_000_000 });
    await attach(page, [buildLargeFile('large.bin')]);
    await input(page).fill('Not to be lost');
    await input(page).press('Enter');
    await progress(page).waitFor();
    page.once('dialog', (leavePrompt) => void leavePrompt.accept());
    await page.reload();
    await waitFor(async () => (await input(page).inputValue()) === 'Not to be lost', {
      description: 'the text to be restored',
    });
    proxy.restore();
    await input(page).press('Enter');
    await articles(page)
      .filter({ hasText: 'Not to be lost' })
      .getByRole('button', { name: 'Message actions' })
      .waitFor({
        state: 'attached',
      });
    expect(await articles(page).count()).toBe(1);
  });

  /** Sends a file that does not arrive until `arrive` is called. If `redirectUrl` is set, it goes there instead. */
  async function sendDelayed(words: string, redirectUrl?: string) {
    const [nora] = await createTwoUsers();
    const conversation = await createConversation(nora);
    const { page } = await environment.openPage(nora, conversation.path);
    const released = Promise.withResolvers<void>();
    await page.route('**/api/chat/messages', async (route) => {
      if (redirectUrl) return route.continue({ url: redirectUrl });
      await released.promise;
      await route.continue();
    });
    await attach(page, [text('plan.txt')]);
    await input(page).fill(words);
    await input(page).press('Enter');
    await progress(page).waitFor();
    return { nora, conversation, page, arrive: released.resolve };
  }

  it('counts as lost for another tab only once the page that sends it is closed', async () => {
    const { page, arrive } = await sendDelayed('With a plan');
    const otherTab = await page.context().newPage();
    await otherTab.goto(page.url());
    await input(otherTab).waitFor();
    // By now, the browser has granted all previous lock requests.
    const heldLocks = await otherTab.evaluate(async () =>
      (await navigator.locks.query()).held?.map(({ name }) => name),
    );
    expect(heldLocks).toEqual([expect.stringMatching(/^atrium:sending:/)]);
    expect(await input(otherTab).inputValue()).toBe('');
    arrive();
    for (const tab of [page, otherTab]) await button(articles(tab).last(), 'Download plan.txt').waitFor();
    expect([await articles(otherTab).count(), await input(otherTab).inputValue()]).toEqual([1, '']);
  });

  it('is restored by another tab as soon as the page that sends it is closed', async () => {
    // The browser may still send queued data while its page closes.
    const silentServer = createServer().listen(0, '127.0.0.1');
    await once(silentServer, 'listening');
    const { port } = silentServer.address() as AddressInfo;
    try {
      const { page } = await sendDelayed('With a plan', `http://127.0.0.1:${port}/`);
      const otherTab = await page.context().newPage();
      await otherTab.goto(page.url());
      await input(otherTab).waitFor();
      expect(await input(otherTab).inputValue()).toBe('');
      await page.close();
      await waitFor(async () => (await input(otherTab).inputValue()) === 'With a plan', {
        description: 'the text to be restored',
      });
    } finally {
      silentServer.close();
      silentServer.closeAllConnections();
    }
  });

  it('waits if the server responds with 503, and is resent automatically', async () => {
    environment.expectErrors(/status of 503/);
    const [nora] = await createTwoUsers();
    const conversation = await createConversation(nora);
    const { page } = await environment.openPage(nora, conversation.path);
    let attempts = 0;
    await page.route('**/api/chat/messages', async (route) => {
      attempts += 1;
      const body = { message: 'Please try again in a moment.', code: 'unavailable', requestId: 'r' };
      if (attempts > 1) await route.continue();
      else await route.fulfill({ status: 503, headers: { 'retry-after': '2' }, json: body });
    });
    await attach(page, [text('plan.txt')]);
    await input(page).fill('In a moment');
    await input(page).press('Enter');
    await page.getByText('Waiting for the server. It will resume automatically.').waitFor();
    await button(articles(page).last(), 'Download plan.txt').waitFor();
    expect(await articles(page).count()).toBe(1);
    expect(attempts).toBe(2);
  });

  it('stays in order with failed texts in the log while something else is typed, and is resent', async () => {
    environment.expectErrors(/net::ERR/);
    const [nora] = await createTwoUsers();
    const conversation = await createConversation(nora);
    const { page } = await environment.openPage(nora, conversation.path);
    await page.getByText('No messages yet').waitFor();
    const released = Promise.withResolvers<void>();
    await page.route('**/api/chat/messages', async (route) => {
      await released.promise;
      await route.abort();
    });
    await attach(page, [text('one.txt')]);
    const texts = ['A file', 'Its summary', 'And more'];
    for (const words of texts) {
      await input(page).fill(words);
      await input(page).press('Enter');
    }
    await input(page).fill('While typing');
    released.resolve();
    const failed = articles(page).filter({ has: button(page, 'Retry') });
    await failed.nth(2).waitFor();
    for (const [index, words] of texts.entries()) expect(await failed.nth(index).textContent()).toContain(words);
    expect(await input(page).inputValue()).toBe('While typing');
    await button(failed.nth(1), 'Remove').click();
    await page.unroute('**/api/chat/messages');
    await button(failed.first(), 'Retry').click();
    await button(page, 'Download one.txt').waitFor();
    await articles(page)
      .filter({ hasText: 'And more', has: button(page, 'Message actions') })
      .waitFor();
    await page.reload();
    await button(page, 'Download one.txt').waitFor();
    const log = await articles(page).allTextContents();
    expect(log).toEqual([expect.stringContaining('A file'), expect.stringContaining('And more')]);
    expect(await input(page).inputValue()).toBe('While typing');
  });
});

describe('a failed message with files whose log failed to load', () => {
  it('is visible anyway, and is sent once the server is back', async () => {
    environment.expectErrors(/net::ERR/, /WebSocket/);
    const [nora] = await createTwoUsers();
    const conversation = await createConversation(nora);
    const user = await openSignedInPage(environment.browser, nora, { address: `${proxy.url}/settings` });
    const { page } = user;
    await page.route('**/api/chat/messages?**', (route) => route.abort());
    await page.goto(`${proxy.url}${conversation.path}`);
    await page.getByText('Failed to load messages').waitFor();
    await attach(page, [text('one.txt')]);
    await input(page).fill('One file');
    const released = Promise.withResolvers<void>();
    await page.route('**/api/chat/messages', async (route) => {
      await released.promise;
      await route.abort();
    });
    await input(page).press('Enter');
    await input(page).fill('Something else');
    released.resolve();
    await page.getByText('Not sent.').waitFor();
    await button(page, 'Edit').waitFor();
    await captureThemesAndSizes(user, 'chat-not-sent-not-loaded');
    await page.unroute('**/api/chat/messages?**');
    await page.unroute('**/api/chat/messages');
    proxy.cut();
    proxy.restore();
    // Messages that failed because of the network are resent once it is back.
    await button(articles(page).last(), 'Download one.txt').waitFor();
    expect(await articles(page).count()).toBe(1);
  });
});

describe('images in messages', () => {
  const three = () => [
    image('wide.png', 800, 300, 20),
    image('tall.png', 300, 700, 90),
    image('square.png', 500, 500, 200),
  ];

  it('reserve their space before they load, so nothing moves', async () => {
    const [nora, theo] = await createTwoUsers();
    const conversation = await createConversation(nora, theo);
    await sendWithFiles(nora, conversation, three(), 'three of them');
    await sendWithFiles(nora, conversation, [image('alone.png', 900, 600)]);
    await expectStatus(
      nora.call('POST', '/chat/messages', { conversation: conversation.id, content: 'below them' }),
      201,
    );
    const { page } = await environment.openPage(theo, '/settings');
    let letThrough: () => void = () => undefined;
    const released = new Promise<void>((resolve) => {
      letThrough = resolve;
    });
    let requested = 0;
    await page.route(
      (url) => url.searchParams.has('X-Amz-Signature'),
      async (route) => {
        requested += 1;
        await released;
        await route.continue();
      },
    );
    await page.goto(`${environment.system.url}${conversation.path}`);
    await waitFor(() => requested === 4, { description: 'all images to be requested' });
    const getBoxes = () =>
      articles(page).evaluateAll((elements) =>
        elements.map((article) =>
          [article, ...article.querySelectorAll('button')].map((element) => {
            const { top, height, width } = element.getBoundingClientRect();
            return [top, height, width];
          }),
        ),
      );
    const boxesBefore = await getBoxes();
    expect(boxesBefore).toHaveLength(3);
    letThrough();
    for (const name of ['wide.png', 'tall.png', 'square.png', 'alone.png'])
      await waitUntilRendered(button(page, `Open ${name}`), name);
    expect(await getBoxes()).toEqual(boxesBefore);
  });

  it('are printed below all preceding messages if they have loaded', async () => {
    const [nora, theo] = await createTwoUsers();
    const conversation = await createConversation(nora, theo);
    const sendMessage = (content: string) =>
      expectStatus(nora.call('POST', '/chat/messages', { conversation: conversation.id, content }), 201);
    for (let count = 0; count < 60; count += 1) await sendMessage(`${count} of many`);
    await sendWithFiles(nora, conversation, three());
    const { page } = await environment.openPage(nora, conversation.path);
    for (const name of ['wide.png', 'tall.png', 'square.png'])
      await waitUntilRendered(button(page, `Open ${name}`), name);
    const paper = (await page.pdf()).toString('latin1');
    // No blank page at the end.
    expect(Number(/\/Count (\d+)/.exec(paper)?.[1])).toBe(Math.ceil((await getPrintHeight(page)) / 1_056));
    expect(Number(/\/Count (\d+)/.exec(paper)?.[1])).toBeGreaterThan(1);
    expect(paper.match(/\/Subtype \/Image/g)?.length).toBeGreaterThanOrEqual(3);
  });

  it('open in the viewer by keyboard, one after another, and focus returns to where the viewer was opened', async () => {
    const [nora, theo] = await createTwoUsers();
    const conversation = await createConversation(nora, theo);
    const images = three();
    await sendWithFiles(nora, conversation, images);
    const user = await environment.openPage(theo, conversation.path);
    const { page } = user;
    await button(page, 'Open wide.png').focus();
    await page.keyboard.press('Enter');
    await waitUntilRendered(dialog(user, 'wide.png'), 'the first image');
    await page.keyboard.press('ArrowRight');
    await dialog(user, 'tall.png').getByText('2 of 3').waitFor();
    await page.keyboard.press('ArrowRight');
    await waitUntilRendered(dialog(user, 'square.png'), 'the third image');
    // The third image is the last one, so the viewer stays there.
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowLeft');
    const tall = dialog(user, 'tall.png');
    const bytes = await readDownload(page, () => button(tall, 'Download tall.png').click());
    expect(bytes.equals(images[1]?.buffer ?? Buffer.alloc(0))).toBe(true);
    await page.keyboard.press('f');
    await button(tall, 'Leave full screen').waitFor();
    await page.keyboard.press('f');
    await button(tall, 'Full screen').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    const focused = () => page.evaluate(() => document.activeElement?.getAttribute('aria-label'));
    await waitFor(async () => (await focused()) === 'Open wide.png', { description: 'focus to return' });
  });

  it('show a rotated thumbnail without location data instead of the original photo', async () => {
    const [nora, theo] = await createTwoUsers();
    const conversation = await createConversation(nora, theo);
    const photo = { name: 'photo.jpg', mimeType: 'image/jpeg', buffer: Buffer.from(await makePhoto(1_200, 800)) };
    await sendWithFiles(nora, conversation, [photo]);
    const user = await environment.openPage(theo, '/settings');
    const { page } = user;
    const received: Buffer[] = [];
    page.on('response', (response) => {
      if (new URL(response.url()).searchParams.has('X-Amz-Signature'))
        void response.body().then(
          (body) => received.push(body),
          // A download is not a response to the page.
          () => undefined,
        );
    });
    await page.goto(`${environment.system.url}${conversation.path}`);
    await waitUntilRendered(button(page, 'Open photo.jpg'), 'the small picture');
    await button(page, 'Open photo.jpg').click();
    const large = dialog(user, 'photo.jpg').getByRole('img', { name: 'photo.jpg' });
    await waitFor(
      () => large.evaluate((img: HTMLImageElement) => img.naturalWidth === 800 && img.naturalHeight === 1_200),
      {
        description: 'the large picture',
      },
    );
    await waitFor(() => received.length >= 2, { description: 'both pictures' });
    expect(received.some((bytes) => bytes.includes('Secretcam'))).toBe(false);
    const saved = await readDownload(page, () => button(page, 'Download photo.jpg').click());
    expect(saved.equals(photo.buffer)).toBe(true);
  });

  it('are saved to Document Hub as private documents', async () => {
    const [nora, theo] = await createTwoUsers();
    const conversation = await createConversation(nora, theo);
    await sendWithFiles(nora, conversation, [image('kept.png', 320, 200)]);
    const user = await environment.openPage(theo, conversation.path);
    const { page } = user;
    await button(page, 'Open kept.png').click();
    await button(dialog(user, 'kept.png'), 'Save to Document Hub').click();
    await toast(page, 'Saved to Document Hub');
    await page.goto(`${environment.system.url}/documents`);
    await page.getByRole('article', { name: 'kept.png' }).getByText('Private').waitFor();
  });
});

describe('other files in messages', () => {
  it('open in the document viewer, in one sequence with the images', async () => {
    const [nora, theo] = await createTwoUsers();
    const conversation = await createConversation(nora, theo);
    const pdf = {
      name: 'plan.pdf',
      mimeType: 'application/pdf',
      buffer: Buffer.from(buildPdf(['The plan of it all'])),
    };
    const table = text('figures.csv', 'what,amount\nboats,3\n');
    await sendWithFiles(nora, conversation, [
      text('notes.txt', 'The minutes'),
      image('pier.png', 300, 200),
      pdf,
      table,
    ]);
    await sendWithFiles(nora, conversation, [{ ...text('data.bin'), buffer: Buffer.from([0, 1, 2, 255]) }]);
    const user = await environment.openPage(theo, conversation.path);
    const { page } = user;
    await button(page, 'Open notes.txt').click();
    await dialog(user, 'notes.txt').getByText('The minutes').waitFor();
    await dialog(user, 'notes.txt').getByText('1 of 5').waitFor();
    await page.keyboard.press('ArrowRight');
    await waitUntilRendered(dialog(user, 'pier.png'), 'the image');
    await page.keyboard.press('ArrowRight');
    await dialog(user, 'plan.pdf').getByText('The plan of it all').waitFor({ state: 'attached' });
    await captureThemesAndSizes(user, 'chat-viewer-pdf');
    await page.keyboard.press('ArrowRight');
    await dialog(user, 'figures.csv').getByRole('cell', { name: 'boats' }).waitFor();
    await page.keyboard.press('ArrowRight');
    const viewer = dialog(user, 'data.bin');
    await viewer.getByText('No preview is available for this file').waitFor();
    await button(viewer, 'Save to Document Hub').click();
    await toast(page, 'Saved to Document Hub');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await captureThemesAndSizes(user, 'chat-files');
  });

  it('show a notice in place and in the viewer if they are too large to render, and can be downloaded', async () => {
    const [nora, theo] = await createTwoUsers();
    const conversation = await createConversation(nora, theo);
    const oversizedImage = {
      name: 'poster.png',
      mimeType: 'image/png',
      buffer: Buffer.from(await makeHugeImage(20_000, 20_000)),
    };
    await sendWithFiles(nora, conversation, [oversizedImage, image('pier.png', 300, 200)]);
    const user = await environment.openPage(theo, conversation.path);
    const { page } = user;
    await button(page, 'Open poster.png').getByText('This image is too large to preview').waitFor();
    await captureThemesAndSizes(user, 'chat-too-large');
    await button(page, 'Open poster.png').click();
    const viewer = dialog(user, 'poster.png');
    await viewer.getByText('This image is too large to preview').waitFor();
    const bytes = await readDownload(page, () => button(viewer, 'Download').click());
    expect(bytes.equals(oversizedImage.buffer)).toBe(true);
  });
});

describe('a document linked in a message', () => {
  it('shows its author how many participants cannot open it, and is shared with them by one press', async () => {
    const [nora, theo] = await createTwoUsers();
    const conversation = await createConversation(nora, theo, await environment.createUser('Mara', 'member'));
    const form = new FormData();
    form.set('file', new Blob(['the plan']), 'harbour-plan.txt');
    const headers = { authorization: `Bearer ${nora.token}` };
    const { _id } = await expectStatus(
      send<{ _id: string }>(`${environment.system.url}/api/documents/upload`, { method: 'POST', headers, body: form }),
      201,
    );
    const link = `${environment.system.url}/documents?preview=${_id}`;
    const user = await environment.openPage(nora, conversation.path);
    const { page } = user;
    const notice = '2 of 3 people in this conversation cannot open “harbour-plan.txt”';
    await input(page).fill(`See ${link}.`);
    await page.getByText(notice).waitFor();
    await captureThemesAndSizes(user, 'cannot-open-composer');
    await input(page).press('Enter');
    const message = articles(page).filter({ hasText: 'See ' });
    await message.getByText(notice).waitFor();
    // Other participants do not see the notice, and cannot open the document.
    const reader = await environment.openPage(theo, conversation.path);
    await articles(reader.page).filter({ hasText: 'See ' }).waitFor();
    expect(await reader.page.getByText('cannot open').count()).toBe(0);
    expect((await theo.call('GET', `/documents/${_id}`)).status).toBe(404);
    await captureThemesAndSizes(user, 'cannot-open-message');
    await button(message, 'Share with them').click();
    await toast(page, 'Document shared successfully');
    await message.getByText(notice).waitFor({ state: 'detached' });
    expect((await theo.call('GET', `/documents/${_id}`)).status).toBe(200);
    // After the share is revoked, the notice returns.
    await expectStatus(nora.call('DELETE', `/documents/${_id}/share`, { userIds: [theo.id] }), 204);
    await message.getByText('1 of 3 people in this conversation cannot open “harbour-plan.txt”').waitFor();
  });
});

describe('the participants of a conversation', () => {
  it('can leave it in its Info dialog, after a confirmation', async () => {
    const [nora, theo] = await createTwoUsers();
    const conversation = await createConversation(nora, theo);
    const user = await environment.openPage(theo, conversation.path);
    const { page } = user;
    await button(page, 'Info').click();
    const info = dialog(user, 'Group Chat Info');
    await button(info, 'Leave').click();
    await captureThemesAndSizes(user, 'leave-group');
    await button(page.getByRole('alertdialog'), 'Leave').click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect((await theo.call('GET', `/chat/conversations/${conversation.id}`)).status).toBe(404);
    expect((await nora.call<ApiConversation>('GET', `/chat/conversations/${conversation.id}`)).body).toMatchObject({
      participantCount: 1,
    });
    expect(await page.getByText('You were removed from conversation').count()).toBe(0);
  });
});

describe('the files of a conversation', () => {
  const openFiles = async (user: BrowserUser): Promise<Locator> => {
    await button(user.page, 'Info').click();
    const info = dialog(user, 'Group Chat Info');
    await info.getByRole('tab', { name: 'Files' }).click();
    return info;
  };
  const listedFiles = (info: Locator) =>
    info.getByRole('list', { name: 'Files of this conversation' }).getByRole('listitem');

  it('are listed in Info, newest first and paged, and follow sent and deleted messages', async () => {
    const [nora, theo] = await createTwoUsers();
    const conversation = await createConversation(nora, theo);
    const sent: Message[] = [];
    for (let n = 0; n < 6; n += 1)
      sent.push(
        await sendWithFiles(
          nora,
          conversation,
          Array.from({ length: 10 }, (_, index) => text(`${n}-${index}.txt`)),
        ),
      );
    const info = await openFiles(await environment.openPage(theo, conversation.path));
    await listedFiles(info).first().getByText('5-9.txt').waitFor();
    expect(await listedFiles(info).count()).toBe(50);
    await sendWithFiles(nora, conversation, [text('latest.txt')]);
    await listedFiles(info).first().getByText('latest.txt').waitFor();
    await button(info, 'Show more').click();
    await listedFiles(info).last().getByText('0-0.txt').waitFor();
    expect(await listedFiles(info).count()).toBe(61);
    await expectStatus(nora.call('DELETE', `/chat/messages/${sent[0]?._id}`), 204);
    await info.getByText('0-0.txt').waitFor({ state: 'detached' });
    await expectStatus(nora.call('DELETE', `/chat/messages/${sent[5]?._id}`), 204);
    await info.getByText('5-9.txt').waitFor({ state: 'detached' });
    expect(await listedFiles(info).count()).toBe(41);
  });

  it('have the links of the conversation next to them, which follow sent and deleted messages', async () => {
    const [nora, theo] = await createTwoUsers();
    const conversation = await createConversation(nora, theo);
    const sendMessage = (content: string, thread?: string) =>
      expectStatus(
        nora.call<Message>('POST', '/chat/messages', { conversation: conversation.id, content, thread }),
        201,
      );
    const plan = await sendMessage('The plan is at https://example.org/plan.');
    const { page } = await environment.openPage(theo, conversation.path);
    await button(page, 'Info').click();
    const info = page.getByRole('dialog');
    await info.getByRole('tab', { name: 'Links' }).click();
    const list = info.getByRole('list', { name: 'Links of this conversation' });
    await list.getByRole('link', { name: 'https://example.org/plan' }).waitFor();
    const { _id } = await sendMessage('Now at https://example.org/newer');
    await list.getByRole('listitem').first().getByText('https://example.org/newer').waitFor();
    await expectStatus(nora.call('DELETE', `/chat/messages/${_id}`), 204);
    await list.getByText('https://example.org/newer').waitFor({ state: 'detached' });
    expect(await list.getByRole('listitem').count()).toBe(1);
    await sendMessage('A reply with https://example.org/reply', plan._id);
    await list.getByText('https://example.org/reply').waitFor();
    await list.getByRole('button', { name: 'Show message' }).first().click();
    await info.waitFor({ state: 'detached' });
    await page.getByRole('region', { name: 'Messages in thread' }).getByText('A reply with').waitFor();
  });

  it('are hidden from removed participants', async () => {
    const [nora, theo] = await createTwoUsers();
    const conversation = await createConversation(nora, theo);
    await sendWithFiles(nora, conversation, [image('secret.png', 200, 200)]);
    const user = await environment.openPage(theo, conversation.path);
    const info = await openFiles(user);
    await button(info, 'Open secret.png').click();
    await dialog(user, 'secret.png').waitFor();
    await expectStatus(nora.call('DELETE', `/chat/conversations/${conversation.id}/participants/${theo.id}`), 204);
    await toast(user.page, 'You were removed from conversation');
    await user.page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await user.page.getByText('secret.png').count()).toBe(0);
  });
});
