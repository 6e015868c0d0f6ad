import { createHash, randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DocumentUpload, UnfinishedUpload } from '@atrium/proto-events/http/document-uploads';
import type { Document } from '@atrium/proto-events/http/documents';
import { createFaultyProxy, type FaultyProxy } from '@atrium/test-kit/faulty-proxy';
import { waitFor } from '@atrium/test-kit/wait-for';
import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { Page } from 'playwright-core';
import { type Client, demand, send, uploadForm } from '../flows/workspace.ts';
import type { Person } from './person.ts';
import { setUpTestEnvironment, sitDownAs } from './test-environment.ts';

jest.setTimeout(180_000);

const MB = 1024 * 1024;
const PART = 8 * MB;
const FILE_BYTES = 40 * MB;
/** Slow enough that something can happen between two parts. */
const BYTES_A_SECOND = 10 * MB;

const stage = setUpTestEnvironment();
const folder = mkdtempSync(join(tmpdir(), 'atrium-uploads-'));
let door: { server: Server; taken: () => number };
let line: FaultyProxy;

beforeAll(async () => {
  door = await openDoor(stage.system.url);
  line = await createFaultyProxy(`http://127.0.0.1:${(door.server.address() as AddressInfo).port}`);
});
beforeEach(() => {
  stage.expectFaults(/net::ERR/, /WebSocket/);
  line.mend();
});
afterAll(async () => {
  await line?.close();
  door?.server.close();
  rmSync(folder, { recursive: true });
});

/** Where all that comes to the server passes, and is counted. */
async function openDoor(target: string) {
  let bytes = 0;
  const server = createServer((near) => {
    const far = connect(Number(new URL(target).port), new URL(target).hostname);
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      one.on('error', () => other.destroy()).on('close', () => other.destroy());
      one.pipe(other);
    }
    near.on('data', (chunk) => {
      bytes += chunk.length;
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { server, taken: () => bytes };
}

/** A file on the disk, which keeps its age. */
function aFile() {
  const name = `Film ${stage.word()}.bin`;
  const content = randomBytes(FILE_BYTES).fill(0, 0, 16);
  const path = join(folder, name);
  writeFileSync(path, content);
  return { name, path, sha256: createHash('sha256').update(content).digest('hex') };
}

async function open(): Promise<Person & { client: Client }> {
  const client = await stage.someone('Lena', 'member');
  const person = await sitDownAs(stage.browser, client, { address: `${line.url}/documents`, savesData: true });
  await person.page.getByText('Drop files here or click to choose').waitFor();
  line.carry({ bytesPerSecond: BYTES_A_SECOND });
  return { ...person, client };
}

const choose = (page: Page, path: string) => page.locator('section input[type=file]').first().setInputFiles(path);

/** What the server has of the only upload under way. */
async function partsThere({ call }: Client): Promise<number[]> {
  const { data } = await demand(call<{ data: UnfinishedUpload[] }>('GET', '/documents/uploads'), 200);
  if (!data[0]) return [];
  return (await demand(call<DocumentUpload>('GET', `/documents/uploads/${data[0]._id}`), 200)).parts;
}
const untilThere = (client: Client, count: number) =>
  waitFor(async () => (await partsThere(client)).length >= count, { what: `${count} parts`, timeoutMs: 60_000 });

/** The part of every request that brings one, from now on. */
function partsSent(page: Page): number[] {
  const numbers: number[] = [];
  page.on('request', (request) => {
    const [, number] = /\/parts\/(\d+)$/.exec(request.url()) ?? [];
    if (number && request.method() === 'PUT') numbers.push(Number(number));
  });
  return numbers;
}

/** Writes down how far the page says that it is, whenever that changes. */
async function watchProgress(page: Page) {
  await page.evaluate(() => {
    const seen: number[] = [];
    Object.assign(window, { seen });
    new MutationObserver(() => {
      const bar = document.querySelector('[role=progressbar][aria-label^="Upload of"]');
      const value = Number(bar?.getAttribute('aria-valuenow'));
      if (bar && value !== seen.at(-1)) seen.push(value);
    }).observe(document.body, { subtree: true, childList: true, attributes: true });
  });
  return () => page.evaluate(() => (window as unknown as { seen: number[] }).seen);
}

const found = async (client: Client, name: string) =>
  (await demand(client.call<{ data: Document[] }>('GET', `/documents?search=${encodeURIComponent(name)}`), 200)).data;

describe('a large file', () => {
  it('goes on by itself after the network was lost in its middle, and nothing that had arrived is sent again', async () => {
    const { page, client } = await open();
    const { name, path, sha256 } = aFile();
    const progress = await watchProgress(page);
    const sent = partsSent(page);
    const before = door.taken();
    await choose(page, path);
    await untilThere(client, 2);
    line.cut();
    await page.getByText('Waiting for the connection. It goes on by itself.').waitFor();
    const there = await partsThere(client);
    const sentBefore = sent.length;
    line.mend();
    line.carry({ bytesPerSecond: BYTES_A_SECOND });
    await page.getByRole('article', { name }).waitFor({ timeout: 60_000 });

    expect(there.length).toBeLessThan(5);
    expect(sent.slice(sentBefore).filter((number) => there.includes(number))).toEqual([]);
    // All of it, the part that was lost at most twice, and what a page asks for besides.
    expect(door.taken() - before).toBeLessThan(FILE_BYTES + PART + MB);
    const shown = await progress();
    expect(shown.length).toBeGreaterThan(3);
    expect(shown).toEqual([...shown].sort((one, other) => one - other));
    expect(await found(client, name)).toMatchObject([{ name, size: FILE_BYTES, sha256 }]);
    await page.getByText('Document uploaded successfully').waitFor();
  });

  it('is asked for again after the page was loaded anew, and only what is missing is sent', async () => {
    const { page, client } = await open();
    const { name, path, sha256 } = aFile();
    await choose(page, path);
    await untilThere(client, 2);
    page.on('dialog', (asked) => void asked.accept());
    await page.reload();
    const left = page.getByRole('list', { name: 'Unfinished uploads' });
    await left.getByText('Not finished. Choose the file again, and only what is missing is sent.').waitFor();
    await left.getByText(name).waitFor();
    const there = await partsThere(client);

    const other = aFile();
    const again = async (file: string) => {
      const chooser = page.waitForEvent('filechooser');
      await left.getByRole('button', { name: `Choose ${name} again` }).click();
      await (await chooser).setFiles(file);
    };
    await again(other.path);
    await page.getByText('This is another file').waitFor();
    const sent = partsSent(page);
    await again(path);
    await page.getByRole('article', { name }).waitFor({ timeout: 60_000 });
    expect(sent).toEqual([1, 2, 3, 4, 5].filter((number) => !there.includes(number)));
    expect(await found(client, name)).toMatchObject([{ name, sha256 }]);
    await left.waitFor({ state: 'detached' });
  });

  it('is not offered as unfinished by another tab, until the one that sends it is gone', async () => {
    const { page, client } = await open();
    const { name, path } = aFile();
    // The second part does not arrive.
    await page.route(/\/parts\/2$/, () => undefined);
    await choose(page, path);
    await untilThere(client, 1);
    const other = await page.context().newPage();
    await other.addInitScript(() => {
      const { query } = LockManager.prototype;
      LockManager.prototype.query = function look() {
        Object.assign(window, { looks: (Number(Reflect.get(window, 'looks')) || 0) + 1 });
        return query.call(this);
      };
    });
    await other.goto(page.url());
    await other.waitForFunction(() => Number(Reflect.get(window, 'looks')) > 1);
    const left = other.getByRole('list', { name: 'Unfinished uploads' });
    expect(await left.count()).toBe(0);
    await page.close();
    await left.getByText(name).waitFor();
    await left.getByRole('button', { name: `Discard ${name}` }).click();
    await left.waitFor({ state: 'detached' });
    expect(await partsThere(client)).toEqual([]);
  });

  it('frees its room at once when it is cancelled', async () => {
    const { page, client } = await open();
    const { name, path } = aFile();
    const limits = async () =>
      (await demand(client.call<{ availableBytes: number }>('GET', '/documents/limits'), 200)).availableBytes;
    const free = await limits();
    await choose(page, path);
    await untilThere(client, 1);
    expect(await limits()).toBe(free - FILE_BYTES);
    await page.getByRole('button', { name: `Cancel ${name}` }).click();
    await waitFor(async () => (await limits()) === free, { what: 'the room to be free' });
    expect(await partsThere(client)).toEqual([]);
    expect(await page.getByRole('list', { name: 'Uploads' }).count()).toBe(0);
  });
});

describe('a new version', () => {
  /** Its versions open, and a new one on its way. */
  async function sendVersion() {
    const { page, client } = await open();
    const { name, path } = aFile();
    const title = `Plan ${stage.word()}`;
    const headers = { authorization: `Bearer ${client.token}` };
    const body = uploadForm(title);
    const made = send<Document>(`${stage.system.url}/api/documents/upload`, { method: 'POST', headers, body });
    const { _id } = await demand(made, 201);
    const versions = page.getByRole('dialog', { name: 'Versions' });
    const openVersions = () => page.getByRole('button', { name: `Versions ${title}` }).click();
    await openVersions();
    await versions.locator('input[type=file]').setInputFiles(path);
    await untilThere(client, 1);
    const fileNumber = async () => (await demand(client.call<Document>('GET', `/documents/${_id}`), 200)).fileNumber;
    return { page, client, name, path, versions, openVersions, fileNumber };
  }

  it('goes on while its dialog is closed, and is cancelled when that is open again', async () => {
    const { page, client, name, versions, openVersions, fileNumber } = await sendVersion();
    await page.keyboard.press('Escape');
    await versions.waitFor({ state: 'detached' });
    const before = (await partsThere(client)).length;
    await untilThere(client, before + 1);
    await openVersions();
    await versions.getByRole('progressbar', { name: `Upload of ${name}` }).waitFor();
    await versions.getByRole('button', { name: `Cancel ${name}` }).click();
    await waitFor(async () => (await partsThere(client)).length === 0, { what: 'what had arrived to be let go' });
    expect(await fileNumber()).toBe(1);
  });

  it('whose page was left goes on among the versions of its document, and can be discarded in the hub, too', async () => {
    const { page, name, path, versions, fileNumber } = await sendVersion();
    page.on('dialog', (asked) => void asked.accept());
    await page.reload();
    const left = page.locator('[aria-label="Unfinished uploads"]');
    await versions.getByRole('list', { name: 'Unfinished uploads' }).getByText(name).waitFor();
    await left.getByText('A new version, not finished. It can go on among the versions of its document.').waitFor();
    expect(await left.count()).toBe(2);
    const chooser = page.waitForEvent('filechooser');
    await versions.getByRole('button', { name: `Choose ${name} again` }).click();
    await (await chooser).setFiles(path);
    await page.getByText('New version uploaded successfully').waitFor({ timeout: 60_000 });
    expect(await fileNumber()).toBe(2);
    await waitFor(async () => (await left.count()) === 0, { what: 'nothing to be unfinished' });
  });
});

describe('a folder', () => {
  it('is chosen with all that is in it, two files at a time, and how many there are is said', async () => {
    const { page, client } = await open();
    const word = stage.word();
    const files = ['one', 'two', 'three', 'four'].map((name) => `${name} ${word}.txt`);
    const root = mkdtempSync(join(folder, 'folder-'));
    for (const name of [...files, '.DS_Store']) writeFileSync(join(root, name), `the text of ${name}`);
    line.carry({ bytesPerSecond: BYTES_A_SECOND, delayMs: 200 });
    const chooser = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: 'Upload Folder' }).click();
    const most = { now: 0, ever: 0 };
    const isUpload = (url: string) => url.endsWith('/documents/upload');
    page.on('request', (request) => {
      if (isUpload(request.url())) most.ever = Math.max(most.ever, ++most.now);
    });
    // Answered: that it has finished is told only after the next one has begun.
    page.on('response', (response) => void (isUpload(response.url()) && most.now--));
    await (await chooser).setFiles(root);
    await page
      .getByText(/^[0-3] of 4 files uploaded$/)
      .first()
      .waitFor();
    await page.getByText('4 documents uploaded successfully').waitFor();
    expect((await found(client, word)).map(({ name }) => name).sort()).toEqual(files.sort());
    expect(most.ever).toBe(2);
  });
});
