import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Conversation } from '@atrium/proto-events/http/chat';
import type { Message } from '@atrium/proto-events/http/chat-messages';
import { aPng } from '@atrium/test-kit/a-png';
import { createFaultyProxy, type FaultyProxy } from '@atrium/test-kit/faulty-proxy';
import { makeHugeImage, makePhoto } from '@atrium/test-kit/make-photo';
import { waitFor } from '@atrium/test-kit/wait-for';
import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import { type Client, demand, send } from '../flows/workspace.ts';
import { shootEverywhere } from './capture-screenshots.ts';
import { dialog, type Person, toast } from './person.ts';
import { aPdf } from './previews/sample-files.ts';
import { setUpTestEnvironment, sitDownAs } from './test-environment.ts';

const MB = 1024 * 1024;

jest.setTimeout(180_000);

const stage = setUpTestEnvironment();
let line: FaultyProxy;

beforeAll(async () => {
  line = await createFaultyProxy(stage.system.url);
});

beforeEach(() => line.mend());

afterAll(() => line?.close());

type File = { name: string; mimeType: string; buffer: Buffer<ArrayBuffer> };

const text = (name: string, words = `the text of ${name}\n`): File => {
  return { name, mimeType: 'text/plain', buffer: Buffer.from(words) };
};
const image = (name: string, width: number, height: number, shade = 128): File => {
  return { name, mimeType: 'image/png', buffer: aPng({ width, height, shade }) };
};

type Room = { id: string; title: string; path: string };

async function aRoom(creator: Client, ...others: Client[]): Promise<Room> {
  const title = `files-${stage.word().toLowerCase()}`;
  const body = { type: 'group', title, participants: others.map(({ id }) => id) };
  const { _id: id } = await demand(creator.call<{ _id: string }>('POST', '/chat/conversations', body), 201);
  return { id, title, path: `/chat?c=${id}` };
}

/** Says it with files, without a browser. */
function sayWith(client: Client, { id }: Room, files: readonly File[], content = ''): Promise<Message> {
  const form = new FormData();
  form.set('conversation', id);
  form.set('content', content);
  for (const { name, mimeType, buffer } of files)
    form.append('attachments', new Blob([buffer], { type: mimeType }), name);
  const headers = { authorization: `Bearer ${client.token}` };
  return demand(send<Message>(`${stage.system.url}/api/chat/messages`, { method: 'POST', headers, body: form }), 201);
}

const people = async () => Promise.all([stage.someone('Nora', 'member'), stage.someone('Theo', 'member')]);
const logOf = (page: Page): Locator => page.getByRole('region', { name: /^Messages in/ });
const articles = (page: Page): Locator => logOf(page).getByRole('article');
const input = (page: Page): Locator => page.getByRole('textbox', { name: /^Message/ });
const attached = (page: Page): Locator => page.getByRole('list', { name: 'Attached files' }).getByRole('listitem');
const button = (place: Page | Locator, name: string): Locator => place.getByRole('button', { name, exact: true });

async function attach(page: Page, files: readonly File[]): Promise<void> {
  const chooser = page.waitForEvent('filechooser');
  await button(page, 'Attach files').click();
  await (await chooser).setFiles([...files]);
}

/** Makes what a drag or the clipboard carries, in the page. */
const carried = (page: Page, files: readonly File[]) =>
  page.evaluateHandle(
    (given) => {
      const data = new DataTransfer();
      for (const { name, type, base64 } of given) {
        const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
        data.items.add(new File([bytes], name, { type }));
      }
      return data;
    },
    files.map(({ name, mimeType: type, buffer }) => ({ name, type, base64: buffer.toString('base64') })),
  );

async function drop(page: Page, files: readonly File[]): Promise<void> {
  const dataTransfer = await carried(page, files);
  await logOf(page).or(page.getByText('No messages yet')).first().dispatchEvent('dragenter', { dataTransfer });
  await page.getByText('Let go to attach to your message').waitFor();
  await logOf(page).or(page.getByText('No messages yet')).first().dispatchEvent('drop', { dataTransfer });
  await page.getByText('Let go to attach to your message').waitFor({ state: 'detached' });
}

async function paste(page: Page, files: readonly File[]): Promise<void> {
  const data = await carried(page, files);
  await input(page).evaluate((field, clipboardData) => {
    field.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
  }, data);
}

async function bytesOfDownload(page: Page, press: () => Promise<void>): Promise<Buffer> {
  const download = page.waitForEvent('download');
  await press();
  return readFile(await (await download).path());
}

/** Whether an image is drawn, and not only its place. */
const isDrawn = (place: Locator) =>
  place
    .locator('img')
    .evaluate((img: HTMLImageElement) => img.complete && img.naturalWidth > 0, undefined, {
      timeout: 500,
    })
    .catch(() => false);
async function heightOnPaper(page: Page): Promise<number> {
  const window = page.viewportSize();
  await page.setViewportSize({ width: 816, height: 1_056 });
  await page.emulateMedia({ media: 'print' });
  const height = await page.evaluate(() => document.body.getBoundingClientRect().height);
  await page.emulateMedia({ media: null });
  if (window) await page.setViewportSize(window);
  return height;
}
const drawn = (place: Locator, what: string) => waitFor(() => isDrawn(place), { what: `${what} to be drawn` });

describe('files with a message', () => {
  it('come by the button, by dropping and by pasting, and another person has them at once', async () => {
    const [nora, theo] = await people();
    const room = await aRoom(nora, theo);
    const [writer, reader] = await Promise.all([stage.sit(nora, room.path), stage.sit(theo, room.path)]);
    const { page } = writer;
    const harbour = image('harbour.png', 640, 480);
    const pier = image('pier.png', 300, 500, 40);
    const notes = text('notes.txt');
    await attach(page, [harbour, text('mistake.txt')]);
    await button(page, 'Remove mistake.txt').click();
    await drop(page, [notes]);
    await paste(page, [pier]);
    await waitFor(async () => (await attached(page).count()) === 3, { what: 'three files' });
    await attached(page).filter({ hasText: 'notes.txt' }).getByText('22 Bytes').waitFor();
    await drawn(attached(page).filter({ hasText: 'pier.png' }), 'the preview');
    await input(page).fill('From the harbour');
    await input(page).press('Enter');
    const seen = articles(reader.page).filter({ hasText: 'From the harbour' });
    for (const { page: there } of [writer, reader]) {
      const message = articles(there).filter({ hasText: 'From the harbour' });
      await drawn(button(message, 'Open harbour.png'), 'the harbour');
      await drawn(button(message, 'Open pier.png'), 'the pier');
    }
    expect(await attached(page).count()).toBe(0);
    const bytes = await bytesOfDownload(reader.page, () => button(seen, 'Download notes.txt').click());
    expect(bytes.equals(notes.buffer)).toBe(true);
  });

  it('need no text, and stand in the list of conversations by what they are', async () => {
    const [nora, theo] = await people();
    const room = await aRoom(nora, theo);
    const [writer, reader] = await Promise.all([stage.sit(nora, room.path), stage.sit(theo, '/chat')]);
    const entry = reader.page.getByRole('link', { name: new RegExp(room.title) }).first();
    await attach(writer.page, [text('plan.txt')]);
    await button(writer.page, 'Send').click();
    await entry.getByText('File: plan.txt').waitFor();
    await attach(writer.page, [image('one.png', 90, 90)]);
    await button(writer.page, 'Send').click();
    await entry.getByText('Photo').waitFor();
    await waitFor(async () => (await articles(writer.page).count()) === 2, { what: 'both messages' });
  });

  it('stay with what is being written in their conversation, and at most ten go', async () => {
    const [nora] = await people();
    const [one, other] = [await aRoom(nora), await aRoom(nora)];
    const { page } = await stage.sit(nora, one.path);
    await attach(
      page,
      Array.from({ length: 11 }, (_, index) => text(`${index}.txt`)),
    );
    await page.getByText('A message can have at most 10 files').waitFor();
    expect(await button(page, 'Send').getAttribute('aria-disabled')).toBe('true');
    await page
      .getByRole('link', { name: new RegExp(other.title) })
      .first()
      .click();
    await page.getByRole('textbox', { name: `Message ${other.title}` }).waitFor();
    expect(await attached(page).count()).toBe(0);
    await page
      .getByRole('link', { name: new RegExp(one.title) })
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

  it('are gone from a message that is deleted, and stay with one that is edited to no text', async () => {
    const [nora, theo] = await people();
    const room = await aRoom(nora, theo);
    const sent = await sayWith(nora, room, [text('kept.txt')], 'with words');
    const gone = await sayWith(nora, room, [text('gone.txt')]);
    const { page } = await stage.sit(theo, room.path);
    await button(page, 'Download gone.txt').waitFor();
    await demand(nora.call('PATCH', `/chat/messages/${sent._id}`, { content: '' }), 200);
    await page.getByText('with words').waitFor({ state: 'detached' });
    await demand(nora.call('DELETE', `/chat/messages/${gone._id}`), 204);
    await button(page, 'Download gone.txt').waitFor({ state: 'detached' });
    await articles(page).getByText('This message was deleted').waitFor();
    await button(page, 'Download kept.txt').waitFor();
  });
});

describe('a message with files on its way', () => {
  const lump = (name: string): File => ({ name, mimeType: 'application/octet-stream', buffer: randomBytes(16 * MB) });
  const progress = (page: Page) => page.getByRole('progressbar', { name: /^Sending/ });

  it('shows how far it is, can be cancelled, asks before the tab is closed, and is given back whole', async () => {
    stage.expectFaults(/net::ERR/, /WebSocket/);
    const [nora] = await people();
    const room = await aRoom(nora);
    const { page } = await sitDownAs(stage.browser, nora, { address: `${line.url}${room.path}` });
    await input(page).waitFor();
    line.carry({ bytesPerSecond: 1_000_000 });
    await attach(page, [lump('large.bin'), text('small.txt')]);
    await input(page).fill('It takes a while');
    await input(page).press('Enter');
    await waitFor(
      async () => {
        const value = Number(await progress(page).getAttribute('aria-valuenow'));
        return value > 0 && value < 100;
      },
      { what: 'progress', timeoutMs: 30_000 },
    );
    // A text keeps its place behind it.
    await input(page).fill('Right after it');
    await input(page).press('Enter');
    await articles(page).filter({ hasText: 'Right after it' }).locator('[aria-busy=true]').waitFor();
    expect(await progress(page).count()).toBe(1);
    const asked = page.waitForEvent('dialog');
    await page.close({ runBeforeUnload: true });
    const question = await asked;
    expect(question.type()).toBe('beforeunload');
    await question.dismiss();
    line.mend();
    await button(page, 'Cancel sending').click();
    await waitFor(async () => (await attached(page).count()) === 2, { what: 'the files to come back' });
    expect(await input(page).inputValue()).toBe('It takes a while');
    await button(page, 'Send').click();
    await button(page, 'Download large.bin').waitFor();
    expect(await articles(page).count()).toBe(2);
  });

  it('has text and files in the composer again when the line is lost, and arrives once when sent again', async () => {
    stage.expectFaults(/net::ERR/, /WebSocket/);
    const [nora, theo] = await people();
    const room = await aRoom(nora, theo);
    const { page } = await sitDownAs(stage.browser, nora, { address: `${line.url}${room.path}` });
    await input(page).waitFor();
    line.carry({ bytesPerSecond: 1_000_000 });
    const large = lump('large.bin');
    await attach(page, [large]);
    await input(page).fill('Over a bad line');
    await input(page).press('Enter');
    await progress(page).waitFor();
    line.cut();
    await attached(page).filter({ hasText: 'large.bin' }).waitFor();
    expect(await input(page).inputValue()).toBe('Over a bad line');
    line.mend();
    await input(page).press('Enter');
    const reader = await stage.sit(theo, room.path);
    const received = articles(reader.page).filter({ hasText: 'Over a bad line' });
    const bytes = await bytesOfDownload(reader.page, () => button(received, 'Download large.bin').click());
    expect(bytes.equals(large.buffer)).toBe(true);
    await button(page, 'Download large.bin').waitFor();
    expect(await articles(page).count()).toBe(1);
    expect(await articles(reader.page).count()).toBe(1);
  });

  it('gives its text back to a page that is loaded anew, and is not there twice when it is sent again', async () => {
    stage.expectFaults(/net::ERR/, /WebSocket/);
    const [nora] = await people();
    const room = await aRoom(nora);
    const { page } = await sitDownAs(stage.browser, nora, { address: `${line.url}${room.path}` });
    await input(page).waitFor();
    line.carry({ bytesPerSecond: 1_000_000 });
    await attach(page, [lump('large.bin')]);
    await input(page).fill('Not to be lost');
    await input(page).press('Enter');
    await progress(page).waitFor();
    page.once('dialog', (question) => void question.accept());
    await page.reload();
    await waitFor(async () => (await input(page).inputValue()) === 'Not to be lost', { what: 'the text to be back' });
    line.mend();
    await input(page).press('Enter');
    await articles(page)
      .filter({ hasText: 'Not to be lost' })
      .getByRole('button', { name: 'Message actions' })
      .waitFor({
        state: 'attached',
      });
    expect(await articles(page).count()).toBe(1);
  });

  /** Somebody who has sent a file, which does not arrive until it is let; with an address, it goes there instead. */
  async function sendHeld(words: string, elsewhere?: string) {
    const [nora] = await people();
    const room = await aRoom(nora);
    const { page } = await stage.sit(nora, room.path);
    const held = Promise.withResolvers<void>();
    await page.route('**/api/chat/messages', async (route) => {
      if (elsewhere) return route.continue({ url: elsewhere });
      await held.promise;
      await route.continue();
    });
    await attach(page, [text('plan.txt')]);
    await input(page).fill(words);
    await input(page).press('Enter');
    await progress(page).waitFor();
    return { nora, room, page, arrive: held.resolve };
  }

  it('is taken for lost by another tab only once the page that sends it is gone', async () => {
    const { page, arrive } = await sendHeld('With a plan');
    const other = await page.context().newPage();
    await other.goto(page.url());
    await input(other).waitFor();
    // Whatever was asked of the browser's locks before has been answered then.
    const held = await other.evaluate(async () => (await navigator.locks.query()).held?.map(({ name }) => name));
    expect(held).toEqual([expect.stringMatching(/^atrium:sending:/)]);
    expect(await input(other).inputValue()).toBe('');
    arrive();
    for (const tab of [page, other]) await button(articles(tab).last(), 'Download plan.txt').waitFor();
    expect([await articles(other).count(), await input(other).inputValue()]).toEqual([1, '']);
  });

  it('is given back by another tab as soon as the page that sends it is gone', async () => {
    // What is held in the browser may still go out as its page closes.
    const silent = createServer().listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const { port } = silent.address() as AddressInfo;
    try {
      const { page } = await sendHeld('With a plan', `http://127.0.0.1:${port}/`);
      const other = await page.context().newPage();
      await other.goto(page.url());
      await input(other).waitFor();
      expect(await input(other).inputValue()).toBe('');
      await page.close();
      await waitFor(async () => (await input(other).inputValue()) === 'With a plan', { what: 'the text to be back' });
    } finally {
      silent.close();
      silent.closeAllConnections();
    }
  });

  it('waits where the server puts it off, and goes on by itself', async () => {
    stage.expectFaults(/status of 503/);
    const [nora] = await people();
    const room = await aRoom(nora);
    const { page } = await stage.sit(nora, room.path);
    let putOff = 0;
    await page.route('**/api/chat/messages', async (route) => {
      putOff += 1;
      const body = { message: 'Please try again in a moment.', code: 'unavailable', requestId: 'r' };
      if (putOff > 1) await route.continue();
      else await route.fulfill({ status: 503, headers: { 'retry-after': '2' }, json: body });
    });
    await attach(page, [text('plan.txt')]);
    await input(page).fill('In a moment');
    await input(page).press('Enter');
    await page.getByText('Waiting for the server. It will resume automatically.').waitFor();
    await button(articles(page).last(), 'Download plan.txt').waitFor();
    expect(await articles(page).count()).toBe(1);
    expect(putOff).toBe(2);
  });

  it('stays in the log in order with texts where they failed while something else is typed, and is sent again', async () => {
    stage.expectFaults(/net::ERR/);
    const [nora] = await people();
    const room = await aRoom(nora);
    const { page } = await stage.sit(nora, room.path);
    await page.getByText('No messages yet').waitFor();
    const held = Promise.withResolvers<void>();
    await page.route('**/api/chat/messages', async (route) => {
      await held.promise;
      await route.abort();
    });
    await attach(page, [text('one.txt')]);
    const all = ['A file', 'Its summary', 'And more'];
    for (const words of all) {
      await input(page).fill(words);
      await input(page).press('Enter');
    }
    await input(page).fill('While typing');
    held.resolve();
    const failed = articles(page).filter({ has: button(page, 'Retry') });
    await failed.nth(2).waitFor();
    for (const [index, words] of all.entries()) expect(await failed.nth(index).textContent()).toContain(words);
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

describe('a message with files that failed, where the log could not be had either', () => {
  it('is in sight all the same, and goes once the server is back', async () => {
    stage.expectFaults(/net::ERR/, /WebSocket/);
    const [nora] = await people();
    const room = await aRoom(nora);
    const person = await sitDownAs(stage.browser, nora, { address: `${line.url}/settings` });
    const { page } = person;
    await page.route('**/api/chat/messages?**', (route) => route.abort());
    await page.goto(`${line.url}${room.path}`);
    await page.getByText('Failed to load messages').waitFor();
    await attach(page, [text('one.txt')]);
    await input(page).fill('One file');
    const held = Promise.withResolvers<void>();
    await page.route('**/api/chat/messages', async (route) => {
      await held.promise;
      await route.abort();
    });
    await input(page).press('Enter');
    await input(page).fill('Something else');
    held.resolve();
    await page.getByText('Not sent.').waitFor();
    await button(page, 'Edit').waitFor();
    await shootEverywhere(person, 'chat-not-sent-not-loaded');
    await page.unroute('**/api/chat/messages?**');
    await page.unroute('**/api/chat/messages');
    line.cut();
    line.mend();
    // What only the network kept from arriving is sent again once it is back.
    await button(articles(page).last(), 'Download one.txt').waitFor();
    expect(await articles(page).count()).toBe(1);
  });
});

describe('images of messages', () => {
  const three = () => [
    image('wide.png', 800, 300, 20),
    image('tall.png', 300, 700, 90),
    image('square.png', 500, 500, 200),
  ];

  it('have their places before they are loaded, so that nothing moves', async () => {
    const [nora, theo] = await people();
    const room = await aRoom(nora, theo);
    await sayWith(nora, room, three(), 'three of them');
    await sayWith(nora, room, [image('alone.png', 900, 600)]);
    await demand(nora.call('POST', '/chat/messages', { conversation: room.id, content: 'below them' }), 201);
    const { page } = await stage.sit(theo, '/settings');
    let letThrough: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      letThrough = resolve;
    });
    let asked = 0;
    await page.route(
      (url) => url.searchParams.has('X-Amz-Signature'),
      async (route) => {
        asked += 1;
        await held;
        await route.continue();
      },
    );
    await page.goto(`${stage.system.url}${room.path}`);
    await waitFor(() => asked === 4, { what: 'all images to be asked for' });
    const places = () =>
      articles(page).evaluateAll((all) =>
        all.map((one) =>
          [one, ...one.querySelectorAll('button')].map((part) => {
            const { top, height, width } = part.getBoundingClientRect();
            return [top, height, width];
          }),
        ),
      );
    const before = await places();
    expect(before).toHaveLength(3);
    letThrough();
    for (const name of ['wide.png', 'tall.png', 'square.png', 'alone.png'])
      await drawn(button(page, `Open ${name}`), name);
    expect(await places()).toEqual(before);
  });

  it('are on paper where they are in sight, below all of the messages before them', async () => {
    const [nora, theo] = await people();
    const room = await aRoom(nora, theo);
    const say = (content: string) =>
      demand(nora.call('POST', '/chat/messages', { conversation: room.id, content }), 201);
    for (let count = 0; count < 60; count += 1) await say(`${count} of many`);
    await sayWith(nora, room, three());
    const { page } = await stage.sit(nora, room.path);
    for (const name of ['wide.png', 'tall.png', 'square.png']) await drawn(button(page, `Open ${name}`), name);
    const paper = (await page.pdf()).toString('latin1');
    // No blank page at the end.
    expect(Number(/\/Count (\d+)/.exec(paper)?.[1])).toBe(Math.ceil((await heightOnPaper(page)) / 1_056));
    expect(Number(/\/Count (\d+)/.exec(paper)?.[1])).toBeGreaterThan(1);
    expect(paper.match(/\/Subtype \/Image/g)?.length).toBeGreaterThanOrEqual(3);
  });

  it('are opened large by keyboard, one after the other, and given back where they were opened', async () => {
    const [nora, theo] = await people();
    const room = await aRoom(nora, theo);
    const images = three();
    await sayWith(nora, room, images);
    const person = await stage.sit(theo, room.path);
    const { page } = person;
    await button(page, 'Open wide.png').focus();
    await page.keyboard.press('Enter');
    await drawn(dialog(person, 'wide.png'), 'the first image');
    await page.keyboard.press('ArrowRight');
    await dialog(person, 'tall.png').getByText('2 of 3').waitFor();
    await page.keyboard.press('ArrowRight');
    await drawn(dialog(person, 'square.png'), 'the third image');
    // There is none after it.
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowLeft');
    const tall = dialog(person, 'tall.png');
    const bytes = await bytesOfDownload(page, () => button(tall, 'Download tall.png').click());
    expect(bytes.equals(images[1]?.buffer ?? Buffer.alloc(0))).toBe(true);
    await page.keyboard.press('f');
    await button(tall, 'Leave full screen').waitFor();
    await page.keyboard.press('f');
    await button(tall, 'Full screen').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    const focused = () => page.evaluate(() => document.activeElement?.getAttribute('aria-label'));
    await waitFor(async () => (await focused()) === 'Open wide.png', { what: 'the focus to be back' });
  });

  it('are never the photo itself, which says where it was taken: others see a picture of it that is turned right', async () => {
    const [nora, theo] = await people();
    const room = await aRoom(nora, theo);
    const photo = { name: 'photo.jpg', mimeType: 'image/jpeg', buffer: Buffer.from(await makePhoto(1_200, 800)) };
    await sayWith(nora, room, [photo]);
    const person = await stage.sit(theo, '/settings');
    const { page } = person;
    const seen: Buffer[] = [];
    page.on('response', (response) => {
      if (new URL(response.url()).searchParams.has('X-Amz-Signature'))
        void response.body().then(
          (body) => seen.push(body),
          // What is saved goes by another way, and is no answer to the page.
          () => undefined,
        );
    });
    await page.goto(`${stage.system.url}${room.path}`);
    await drawn(button(page, 'Open photo.jpg'), 'the small picture');
    await button(page, 'Open photo.jpg').click();
    const large = dialog(person, 'photo.jpg').getByRole('img', { name: 'photo.jpg' });
    await waitFor(
      () => large.evaluate((img: HTMLImageElement) => img.naturalWidth === 800 && img.naturalHeight === 1_200),
      {
        what: 'the large picture',
      },
    );
    await waitFor(() => seen.length >= 2, { what: 'both pictures' });
    expect(seen.some((bytes) => bytes.includes('Secretcam'))).toBe(false);
    const saved = await bytesOfDownload(page, () => button(page, 'Download photo.jpg').click());
    expect(saved.equals(photo.buffer)).toBe(true);
  });

  it('are saved to Document Hub from there, as a private document', async () => {
    const [nora, theo] = await people();
    const room = await aRoom(nora, theo);
    await sayWith(nora, room, [image('kept.png', 320, 200)]);
    const person = await stage.sit(theo, room.path);
    const { page } = person;
    await button(page, 'Open kept.png').click();
    await button(dialog(person, 'kept.png'), 'Save to Document Hub').click();
    await toast(page, 'Saved to Document Hub');
    await page.goto(`${stage.system.url}/documents`);
    await page.getByRole('article', { name: 'kept.png' }).getByText('Private').waitFor();
  });
});

describe('files of messages that are no images', () => {
  it('are looked at in the viewer of documents, one after the other with the images', async () => {
    const [nora, theo] = await people();
    const room = await aRoom(nora, theo);
    const pdf = { name: 'plan.pdf', mimeType: 'application/pdf', buffer: Buffer.from(aPdf(['The plan of it all'])) };
    const table = text('figures.csv', 'what,amount\nboats,3\n');
    await sayWith(nora, room, [text('notes.txt', 'What was said'), image('pier.png', 300, 200), pdf, table]);
    await sayWith(nora, room, [{ ...text('data.bin'), buffer: Buffer.from([0, 1, 2, 255]) }]);
    const person = await stage.sit(theo, room.path);
    const { page } = person;
    await button(page, 'Open notes.txt').click();
    await dialog(person, 'notes.txt').getByText('What was said').waitFor();
    await dialog(person, 'notes.txt').getByText('1 of 5').waitFor();
    await page.keyboard.press('ArrowRight');
    await drawn(dialog(person, 'pier.png'), 'the image');
    await page.keyboard.press('ArrowRight');
    await dialog(person, 'plan.pdf').getByText('The plan of it all').waitFor({ state: 'attached' });
    await shootEverywhere(person, 'chat-viewer-pdf');
    await page.keyboard.press('ArrowRight');
    await dialog(person, 'figures.csv').getByRole('cell', { name: 'boats' }).waitFor();
    await page.keyboard.press('ArrowRight');
    const other = dialog(person, 'data.bin');
    await other.getByText('There is no preview of this file').waitFor();
    await button(other, 'Save to Document Hub').click();
    await toast(page, 'Saved to Document Hub');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await shootEverywhere(person, 'chat-files');
  });

  it('too large to be drawn say so in their place and in the viewer, which offers the download', async () => {
    const [nora, theo] = await people();
    const room = await aRoom(nora, theo);
    const bomb = {
      name: 'poster.png',
      mimeType: 'image/png',
      buffer: Buffer.from(await makeHugeImage(20_000, 20_000)),
    };
    await sayWith(nora, room, [bomb, image('pier.png', 300, 200)]);
    const person = await stage.sit(theo, room.path);
    const { page } = person;
    await button(page, 'Open poster.png').getByText('This image is too large to preview').waitFor();
    await shootEverywhere(person, 'chat-too-large');
    await button(page, 'Open poster.png').click();
    const viewer = dialog(person, 'poster.png');
    await viewer.getByText('This image is too large to preview').waitFor();
    const bytes = await bytesOfDownload(page, () => button(viewer, 'Download').click());
    expect(bytes.equals(bomb.buffer)).toBe(true);
  });
});

describe('a document that a message names', () => {
  it('is told of with how many cannot open it, to who writes, and is shared with them by one press', async () => {
    const [nora, theo] = await people();
    const room = await aRoom(nora, theo, await stage.someone('Mara', 'member'));
    const form = new FormData();
    form.set('file', new Blob(['the plan']), 'harbour-plan.txt');
    const headers = { authorization: `Bearer ${nora.token}` };
    const { _id } = await demand(
      send<{ _id: string }>(`${stage.system.url}/api/documents/upload`, { method: 'POST', headers, body: form }),
      201,
    );
    const link = `${stage.system.url}/documents?preview=${_id}`;
    const person = await stage.sit(nora, room.path);
    const { page } = person;
    const words = '2 of 3 in this conversation cannot open “harbour-plan.txt”';
    await input(page).fill(`See ${link}.`);
    await page.getByText(words).waitFor();
    await shootEverywhere(person, 'cannot-open-composer');
    await input(page).press('Enter');
    const message = articles(page).filter({ hasText: 'See ' });
    await message.getByText(words).waitFor();
    // Another person is told nothing of it, nor can they read what they could share.
    const reader = await stage.sit(theo, room.path);
    await articles(reader.page).filter({ hasText: 'See ' }).waitFor();
    expect(await reader.page.getByText('cannot open').count()).toBe(0);
    expect((await theo.call('GET', `/documents/${_id}`)).status).toBe(404);
    await shootEverywhere(person, 'cannot-open-message');
    await button(message, 'Share with them').click();
    await toast(page, 'Document shared successfully');
    await message.getByText(words).waitFor({ state: 'detached' });
    expect((await theo.call('GET', `/documents/${_id}`)).status).toBe(200);
    // Whoever takes the share back has it said again.
    await demand(nora.call('DELETE', `/documents/${_id}/share`, { userIds: [theo.id] }), 204);
    await message.getByText('1 of 3 in this conversation cannot open “harbour-plan.txt”').waitFor();
  });
});

describe('the people of a conversation', () => {
  it('leave it in Info, after a confirmation', async () => {
    const [nora, theo] = await people();
    const room = await aRoom(nora, theo);
    const person = await stage.sit(theo, room.path);
    const { page } = person;
    await button(page, 'Info').click();
    const info = dialog(person, 'Group Chat Info');
    await button(info, 'Leave').click();
    await shootEverywhere(person, 'leave-group');
    await button(page.getByRole('alertdialog'), 'Leave').click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect((await theo.call('GET', `/chat/conversations/${room.id}`)).status).toBe(404);
    expect((await nora.call<Conversation>('GET', `/chat/conversations/${room.id}`)).body).toMatchObject({
      participantCount: 1,
    });
    expect(await page.getByText('You were removed from conversation').count()).toBe(0);
  });
});

describe('the files of a conversation', () => {
  const openFiles = async (person: Person): Promise<Locator> => {
    await button(person.page, 'Info').click();
    const info = dialog(person, 'Group Chat Info');
    await info.getByRole('tab', { name: 'Files' }).click();
    return info;
  };
  const listed = (info: Locator) =>
    info.getByRole('list', { name: 'Files of this conversation' }).getByRole('listitem');

  it('are in Info, newest first, by pages, and follow what is sent and deleted', async () => {
    const [nora, theo] = await people();
    const room = await aRoom(nora, theo);
    const sent: Message[] = [];
    for (let n = 0; n < 6; n += 1)
      sent.push(
        await sayWith(
          nora,
          room,
          Array.from({ length: 10 }, (_, index) => text(`${n}-${index}.txt`)),
        ),
      );
    const info = await openFiles(await stage.sit(theo, room.path));
    await listed(info).first().getByText('5-9.txt').waitFor();
    expect(await listed(info).count()).toBe(50);
    await sayWith(nora, room, [text('latest.txt')]);
    await listed(info).first().getByText('latest.txt').waitFor();
    await button(info, 'Show more').click();
    await listed(info).last().getByText('0-0.txt').waitFor();
    expect(await listed(info).count()).toBe(61);
    await demand(nora.call('DELETE', `/chat/messages/${sent[0]?._id}`), 204);
    await info.getByText('0-0.txt').waitFor({ state: 'detached' });
    await demand(nora.call('DELETE', `/chat/messages/${sent[5]?._id}`), 204);
    await info.getByText('5-9.txt').waitFor({ state: 'detached' });
    expect(await listed(info).count()).toBe(41);
  });

  it('stand beside the links of a conversation, which follow what is said', async () => {
    const [nora, theo] = await people();
    const room = await aRoom(nora, theo);
    const say = (content: string) =>
      demand(nora.call<Message>('POST', '/chat/messages', { conversation: room.id, content }), 201);
    await say('The plan is at https://example.org/plan.');
    const { page } = await stage.sit(theo, room.path);
    await button(page, 'Info').click();
    const info = page.getByRole('dialog');
    await info.getByRole('tab', { name: 'Links' }).click();
    const list = info.getByRole('list', { name: 'Links of this conversation' });
    await list.getByRole('link', { name: 'https://example.org/plan' }).waitFor();
    const { _id } = await say('Now at https://example.org/newer');
    await list.getByRole('listitem').first().getByText('https://example.org/newer').waitFor();
    await demand(nora.call('DELETE', `/chat/messages/${_id}`), 204);
    await list.getByText('https://example.org/newer').waitFor({ state: 'detached' });
    expect(await list.getByRole('listitem').count()).toBe(1);
  });

  it('are out of sight of who is removed', async () => {
    const [nora, theo] = await people();
    const room = await aRoom(nora, theo);
    await sayWith(nora, room, [image('secret.png', 200, 200)]);
    const person = await stage.sit(theo, room.path);
    const info = await openFiles(person);
    await button(info, 'Open secret.png').click();
    await dialog(person, 'secret.png').waitFor();
    await demand(nora.call('DELETE', `/chat/conversations/${room.id}/participants/${theo.id}`), 204);
    await toast(person.page, 'You were removed from conversation');
    await person.page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await person.page.getByText('secret.png').count()).toBe(0);
  });
});
