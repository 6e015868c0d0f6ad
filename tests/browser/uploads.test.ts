import { createHash, randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DocumentUpload, UnfinishedUpload } from '@atrium/proto-events/http/document-uploads';
import type { Document } from '@atrium/proto-events/http/documents';
import { createFaultyProxy, type FaultyProxy } from '@atrium/test-kit/faulty-proxy';
import { waitFor } from '@atrium/test-kit/wait-for';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { uploadForm } from '../workspace/builders.ts';
import { type Client, expectStatus, send } from '../workspace/workspace.ts';
import type { BrowserUser } from './browser-user.ts';
import { openSignedInPage, setUpTestEnvironment } from './test-environment.ts';

const MB = 1024 * 1024;
const PART_BYTES = 8 * MB;
const FILE_BYTES = 40 * MB;
/** Slow enough for actions between two parts. */
const BYTES_PER_SECOND = 10 * MB;

const environment = setUpTestEnvironment();
const folder = mkdtempSync(join(tmpdir(), 'atrium-uploads-'));
let countingProxy: { server: Server; byteCount: () => number };
let proxy: FaultyProxy;

beforeAll(async () => {
  countingProxy = await openCountingProxy(environment.system.url);
  proxy = await createFaultyProxy(`http://127.0.0.1:${(countingProxy.server.address() as AddressInfo).port}`);
});
beforeEach(() => {
  environment.expectErrors(/net::ERR/, /WebSocket/);
  proxy.restore();
});
afterAll(async () => {
  await proxy?.close();
  countingProxy?.server.close();
  rmSync(folder, { recursive: true });
});

/** Opens a proxy to the server that counts the bytes that clients send. */
async function openCountingProxy(target: string) {
  let bytes = 0;
  const server = createServer((clientSocket) => {
    const serverSocket = connect(Number(new URL(target).port), new URL(target).hostname);
    for (const [from, to] of [
      [clientSocket, serverSocket],
      [serverSocket, clientSocket],
    ] as const) {
      from.on('error', () => to.destroy()).on('close', () => to.destroy());
      from.pipe(to);
    }
    clientSocket.on('data', (chunk) => {
      bytes += chunk.length;
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { server, byteCount: () => bytes };
}

/** Creates a file on disk, so that its modification time is stable. */
function createFile() {
  const name = `Film ${environment.uniqueWord()}.bin`;
  const content = randomBytes(FILE_BYTES).fill(0, 0, 16);
  const path = join(folder, name);
  writeFileSync(path, content);
  return { name, path, sha256: createHash('sha256').update(content).digest('hex') };
}

async function open(): Promise<BrowserUser & { client: Client }> {
  const client = await environment.createUser('Lena', 'member');
  const user = await openSignedInPage(environment.browser, client, {
    address: `${proxy.url}/documents`,
    savesData: true,
  });
  await user.page.getByText('Drop files here or click to choose').waitFor();
  proxy.setConditions({ bytesPerSecond: BYTES_PER_SECOND });
  return { ...user, client };
}

const choose = (page: Page, path: string) => page.locator('section input[type=file]').first().setInputFiles(path);

/** Lists the parts that the server has of the only open upload. */
async function listUploadedParts({ call }: Client): Promise<number[]> {
  const { data } = await expectStatus(call<{ data: UnfinishedUpload[] }>('GET', '/documents/uploads'), 200);
  if (!data[0]) return [];
  return (await expectStatus(call<DocumentUpload>('GET', `/documents/uploads/${data[0]._id}`), 200)).parts;
}
const waitForParts = (client: Client, count: number) =>
  waitFor(async () => (await listUploadedParts(client)).length >= count, {
    description: `${count} parts`,
  });

/** Collects the part number of every upload request from now on. */
function collectSentParts(page: Page): number[] {
  const numbers: number[] = [];
  page.on('request', (request) => {
    const [, number] = /\/parts\/(\d+)$/.exec(request.url()) ?? [];
    if (number && request.method() === 'PUT') numbers.push(Number(number));
  });
  return numbers;
}

/** Records the progress shown on the page whenever it changes. */
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

const findDocuments = async (client: Client, name: string) =>
  (await expectStatus(client.call<{ data: Document[] }>('GET', `/documents?search=${encodeURIComponent(name)}`), 200))
    .data;

describe('the upload of a large file', () => {
  it('resumes automatically after a network failure, and no received part is sent again', async () => {
    const { page, client } = await open();
    const { name, path, sha256 } = createFile();
    const progress = await watchProgress(page);
    const sent = collectSentParts(page);
    const before = countingProxy.byteCount();
    await choose(page, path);
    await waitForParts(client, 2);
    proxy.cut();
    await page.getByText('Waiting for the connection. It will resume automatically.').waitFor();
    const uploadedParts = await listUploadedParts(client);
    const sentBefore = sent.length;
    proxy.restore();
    proxy.setConditions({ bytesPerSecond: BYTES_PER_SECOND });
    await page.getByRole('article', { name }).waitFor({ timeout: 60_000 });

    expect(uploadedParts.length).toBeLessThan(5);
    expect(sent.slice(sentBefore).filter((number) => uploadedParts.includes(number))).toEqual([]);
    // The whole file, the interrupted part at most twice, and other requests of the page.
    expect(countingProxy.byteCount() - before).toBeLessThan(FILE_BYTES + PART_BYTES + MB);
    const shownProgress = await progress();
    expect(shownProgress.length).toBeGreaterThan(3);
    expect(shownProgress).toEqual([...shownProgress].sort((a, b) => a - b));
    expect(await findDocuments(client, name)).toMatchObject([{ name, size: FILE_BYTES, sha256 }]);
    await page.getByText('Document uploaded successfully').waitFor();
  });

  it('can be resumed after a reload, and only the missing parts are sent', async () => {
    const { page, client } = await open();
    const { name, path, sha256 } = createFile();
    await choose(page, path);
    await waitForParts(client, 2);
    page.on('dialog', (prompt) => void prompt.accept());
    await page.reload();
    const unfinishedUploads = page.getByRole('list', { name: 'Unfinished uploads' });
    await unfinishedUploads.getByText('Not finished. Choose the file again to resume the upload.').waitFor();
    await unfinishedUploads.getByText(name).waitFor();
    const uploadedParts = await listUploadedParts(client);

    const other = createFile();
    const chooseAgain = async (file: string) => {
      const chooser = page.waitForEvent('filechooser');
      await unfinishedUploads.getByRole('button', { name: `Choose ${name} again` }).click();
      await (await chooser).setFiles(file);
    };
    await chooseAgain(other.path);
    await page.getByText('This is a different file').waitFor();
    const sent = collectSentParts(page);
    await chooseAgain(path);
    await page.getByRole('article', { name }).waitFor({ timeout: 60_000 });
    expect(sent).toEqual([1, 2, 3, 4, 5].filter((number) => !uploadedParts.includes(number)));
    expect(await findDocuments(client, name)).toMatchObject([{ name, sha256 }]);
    await unfinishedUploads.waitFor({ state: 'detached' });
  });

  it('is not listed as unfinished by another tab until the tab that sends it is closed', async () => {
    const { page, client } = await open();
    const { name, path } = createFile();
    // The second part does not arrive.
    await page.route(/\/parts\/2$/, () => undefined);
    await choose(page, path);
    await waitForParts(client, 1);
    const other = await page.context().newPage();
    await other.addInitScript(() => {
      const { query } = LockManager.prototype;
      LockManager.prototype.query = function countQuery() {
        Object.assign(window, { queryCount: (Number(Reflect.get(window, 'queryCount')) || 0) + 1 });
        return query.call(this);
      };
    });
    await other.goto(page.url());
    await other.waitForFunction(() => Number(Reflect.get(window, 'queryCount')) > 1);
    const unfinishedUploads = other.getByRole('list', { name: 'Unfinished uploads' });
    expect(await unfinishedUploads.count()).toBe(0);
    await page.close();
    await unfinishedUploads.getByText(name).waitFor();
    await unfinishedUploads.getByRole('button', { name: `Discard ${name}` }).click();
    await unfinishedUploads.waitFor({ state: 'detached' });
    expect(await listUploadedParts(client)).toEqual([]);
  });

  it('frees its quota immediately when it is canceled', async () => {
    const { page, client } = await open();
    const { name, path } = createFile();
    const getAvailableBytes = async () =>
      (await expectStatus(client.call<{ availableBytes: number }>('GET', '/documents/limits'), 200)).availableBytes;
    const availableBefore = await getAvailableBytes();
    await choose(page, path);
    await waitForParts(client, 1);
    expect(await getAvailableBytes()).toBe(availableBefore - FILE_BYTES);
    await page.getByRole('button', { name: `Cancel ${name}` }).click();
    await waitFor(async () => (await getAvailableBytes()) === availableBefore, {
      description: 'the quota to be freed',
    });
    expect(await listUploadedParts(client)).toEqual([]);
    expect(await page.getByRole('list', { name: 'Uploads' }).count()).toBe(0);
  });
});

describe('a new version', () => {
  /** Opens a document's versions and starts uploading a new one. */
  async function sendVersion() {
    const { page, client } = await open();
    const { name, path } = createFile();
    const title = `Plan ${environment.uniqueWord()}`;
    const headers = { authorization: `Bearer ${client.token}` };
    const body = uploadForm(title);
    const created = send<Document>(`${environment.system.url}/api/documents/upload`, { method: 'POST', headers, body });
    const { _id } = await expectStatus(created, 201);
    const versions = page.getByRole('dialog', { name: 'Versions' });
    const openVersions = () => page.getByRole('button', { name: `Versions ${title}` }).click();
    await openVersions();
    await versions.locator('input[type=file]').setInputFiles(path);
    await waitForParts(client, 1);
    const fileNumber = async () =>
      (await expectStatus(client.call<Document>('GET', `/documents/${_id}`), 200)).fileNumber;
    return { page, client, name, path, versions, openVersions, fileNumber };
  }

  it('continues uploading while its dialog is closed, and can be canceled when the dialog is open again', async () => {
    const { page, client, name, versions, openVersions, fileNumber } = await sendVersion();
    await page.keyboard.press('Escape');
    await versions.waitFor({ state: 'detached' });
    const before = (await listUploadedParts(client)).length;
    await waitForParts(client, before + 1);
    await openVersions();
    await versions.getByRole('progressbar', { name: `Upload of ${name}` }).waitFor();
    await versions.getByRole('button', { name: `Cancel ${name}` }).click();
    await waitFor(async () => (await listUploadedParts(client)).length === 0, {
      description: 'the uploaded parts to be deleted',
    });
    expect(await fileNumber()).toBe(1);
  });

  it("can be resumed in the document's versions after its page was left, and is listed as unfinished in the hub", async () => {
    const { page, name, path, versions, fileNumber } = await sendVersion();
    page.on('dialog', (prompt) => void prompt.accept());
    await page.reload();
    const unfinishedUploads = page.locator('[aria-label="Unfinished uploads"]');
    await versions.getByRole('list', { name: 'Unfinished uploads' }).getByText(name).waitFor();
    await unfinishedUploads
      .getByText('An unfinished new version. Resume it under the versions of its document.')
      .waitFor();
    expect(await unfinishedUploads.count()).toBe(2);
    const chooser = page.waitForEvent('filechooser');
    await versions.getByRole('button', { name: `Choose ${name} again` }).click();
    await (await chooser).setFiles(path);
    await page.getByText('New version uploaded successfully').waitFor({ timeout: 60_000 });
    expect(await fileNumber()).toBe(2);
    await waitFor(async () => (await unfinishedUploads.count()) === 0, { description: 'no unfinished uploads' });
  });
});

describe('a folder', () => {
  it('is uploaded with all its files, two at a time, and a count shows the progress', async () => {
    const { page, client } = await open();
    const word = environment.uniqueWord();
    const files = ['one', 'two', 'three', 'four'].map((name) => `${name} ${word}.txt`);
    const root = mkdtempSync(join(folder, 'folder-'));
    for (const name of [...files, '.DS_Store']) writeFileSync(join(root, name), `the text of ${name}`);
    proxy.setConditions({ bytesPerSecond: BYTES_PER_SECOND, delayMs: 200 });
    const chooser = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: 'Upload Folder' }).click();
    const concurrentUploads = { current: 0, max: 0 };
    const isUpload = (url: string) => url.endsWith('/documents/upload');
    page.on('request', (request) => {
      if (isUpload(request.url())) concurrentUploads.max = Math.max(concurrentUploads.max, ++concurrentUploads.current);
    });
    // Counted at the response, because the finished event comes after the start of the next request.
    page.on('response', (response) => void (isUpload(response.url()) && concurrentUploads.current--));
    await (await chooser).setFiles(root);
    await page
      .getByText(/^[0-3] of 4 files uploaded$/)
      .first()
      .waitFor();
    await page.getByText('4 documents uploaded successfully').waitFor();
    expect((await findDocuments(client, word)).map(({ name }) => name).sort()).toEqual(files.sort());
    expect(concurrentUploads.max).toBe(2);
  });
});
