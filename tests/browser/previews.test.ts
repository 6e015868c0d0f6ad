import type { Document } from '@atrium/proto-events/http/documents';
import { waitFor } from '@atrium/test-kit/wait-for';
import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Locator } from 'playwright-core';
import { type Client, expectStatus, send } from '../workspace/workspace.ts';
import { type BrowserUser, captureScreenshot, dialog } from './browser-user.ts';
import { captureThemesAndSizes } from './capture-screenshots.ts';
import { buildPdf, recordVideo, renderImage } from './previews/sample-files.ts';
import { setUpTestEnvironment } from './test-environment.ts';

const environment = setUpTestEnvironment();

let lena: Client;
let user: BrowserUser;
beforeEach(async () => {
  lena = await environment.createUser('Lena', 'member');
  user = await environment.openPage(lena, '/documents');
});

/** Uploads a file as the user. The newest file is listed first. */
async function uploadFile(name: string, content: string | Buffer): Promise<string> {
  const body = new FormData();
  body.set('file', new Blob([typeof content === 'string' ? content : new Uint8Array(content)]), name);
  const response = send<Document>(`${environment.system.url}/api/documents/upload`, {
    method: 'POST',
    headers: { authorization: `Bearer ${lena.token}` },
    body,
  });
  return (await expectStatus(response, 201))._id;
}

async function openPreview(name: string): Promise<Locator> {
  const { page } = user;
  await page.getByRole('button', { name: `Preview ${name}` }).click();
  const viewer = dialog(user, name);
  await viewer.waitFor();
  return viewer;
}

const closeViewer = async (viewer: Locator) => {
  await user.page.keyboard.press('Escape');
  await viewer.waitFor({ state: 'detached' });
};

/** Returns whether the canvas has dark pixels. */
const isRendered = (canvas: Locator) =>
  canvas.evaluate((element: HTMLCanvasElement) => {
    const { width, height } = element;
    const pixels = width > 0 ? element.getContext('2d')?.getImageData(0, 0, width, height).data : undefined;
    return pixels?.some((value, at) => at % 4 === 0 && value < 128) ?? false;
  });

describe('the preview of a document', () => {
  it('renders a PDF page by page, with selectable text and zoom', async () => {
    const { page } = user;
    await uploadFile('plan.pdf', buildPdf(Array.from({ length: 40 }, (_, at) => `Page number ${at + 1}`)));
    const viewer = await openPreview('plan.pdf');
    await viewer.getByText('Page 1 of 40').waitFor();
    const first = viewer.getByRole('group', { name: 'Page 1', exact: true });
    await first.getByText('Page number 1').waitFor({ state: 'attached' });
    expect(await isRendered(first.locator('canvas'))).toBe(true);
    await captureScreenshot(user, 'preview-pdf');
    // Only pages near the visible part are rendered.
    expect(await viewer.locator('canvas').count()).toBeLessThan(8);
    await viewer.getByRole('region', { name: 'plan.pdf' }).evaluate((box) => box.scrollTo(0, box.scrollHeight));
    await viewer.getByText('Page 40 of 40').waitFor();
    await viewer.getByText('Page number 40').waitFor({ state: 'attached' });
    expect(await viewer.locator('canvas').count()).toBeLessThan(8);
    const last = viewer.getByRole('group', { name: 'Page 40' });
    const before = (await last.boundingBox())?.width ?? 0;
    await viewer.getByRole('button', { name: 'Zoom in' }).click();
    await viewer.getByText('125%').waitFor();
    expect((await viewer.locator('[aria-label^="Page "]').first().boundingBox())?.width).toBeCloseTo(before * 1.25, -1);
    await closeViewer(viewer);
    expect(new URL(page.url()).search).toBe('');
  });

  it('shows a notice for damaged files and unknown file types, and offers the download', async () => {
    await uploadFile('broken.pdf', '%PDF-1.7\nand nothing else');
    await uploadFile('data.bin', Buffer.from([0, 1, 2, 255]));
    await user.page.reload();
    const broken = await openPreview('broken.pdf');
    await broken.getByText('This file is damaged').waitFor();
    await closeViewer(broken);
    const viewer = await openPreview('data.bin');
    await viewer.getByText('No preview is available for this file').waitFor();
    const download = user.page.waitForEvent('download');
    await viewer.getByRole('button', { name: 'Download', exact: true }).click();
    expect((await download).suggestedFilename()).toBe('data.bin');
  });

  it('renders Markdown, and shows HTML, SVG, and embedded scripts as text', async () => {
    const { page } = user;
    const maliciousHtml = '<script>document.title = "owned"</script><img src=x onerror="document.title=\'owned\'">';
    await uploadFile(
      'notes.md',
      `# The plan\n\n- [x] one\n- **two**\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n${maliciousHtml}\n\n[elsewhere](https://example.org) [here](javascript:alert(1)) ![a harbour](https://example.org/x.png)\n`,
    );
    await uploadFile('page.html', `<!doctype html><h1>A page</h1>${maliciousHtml}`);
    await uploadFile(
      'drawing.svg',
      `<svg xmlns="http://www.w3.org/2000/svg" onload="document.title='owned'"><g/></svg>`,
    );
    const viewer = await openPreview('notes.md');
    await viewer.getByRole('heading', { name: 'The plan' }).waitFor();
    await viewer.getByRole('cell', { name: '2' }).waitFor();
    expect(await viewer.getByRole('checkbox').isChecked()).toBe(true);
    expect(await viewer.locator('script, img').count()).toBe(0);
    const link = viewer.getByRole('link', { name: 'elsewhere' });
    expect(await link.getAttribute('rel')).toBe('noopener noreferrer nofollow');
    expect(await viewer.getByRole('link').count()).toBe(1);
    await viewer.getByText('a harbour').waitFor();
    await captureScreenshot(user, 'preview-markdown');
    await closeViewer(viewer);
    // Content that cannot be rendered or takes too long to parse is shown as text.
    await uploadFile('deep.md', `deep ${'>'.repeat(8_000)}\n${'>'.repeat(8_000)} end`);
    await uploadFile('slow.md', `slow ${'~a~~b '.repeat(40_000)}`);
    for (const [name, words] of [
      ['deep.md', 'deep'],
      ['slow.md', 'slow'],
    ] as const) {
      const text = await openPreview(name);
      await text.locator('pre', { hasText: words }).waitFor();
      await closeViewer(text);
    }
    for (const [name, words] of [
      ['page.html', '<h1>A page</h1>'],
      ['drawing.svg', '<svg xmlns='],
    ] as const) {
      const text = await openPreview(name);
      await text.getByText(words).waitFor();
      expect(await text.locator('script, h1:has-text("A page"), svg[onload]').count()).toBe(0);
      await closeViewer(text);
    }
    expect(await page.title()).not.toBe('owned');
  });

  it('shows at most a thousand rows of a table and 512 KB of text', async () => {
    const rows = Array.from({ length: 1_500 }, (_, at) => `${at + 1};"Smith, ${at + 1}";${at * 3}`);
    await uploadFile('figures.csv', `number;name;amount\n${rows.join('\n')}\n`);
    await uploadFile('long.txt', `Beginning\n${'many words '.repeat(60_000)}\nEnd`);
    const table = await openPreview('figures.csv');
    await table.getByRole('columnheader', { name: 'amount' }).waitFor();
    await table.getByRole('cell', { name: 'Smith, 1000', exact: true }).waitFor();
    expect(await table.getByRole('row').count()).toBe(1_001);
    await table.getByText(/Showing the first 1,000 rows and 100 columns/).waitFor();
    await captureScreenshot(user, 'preview-table');
    await closeViewer(table);
    const text = await openPreview('long.txt');
    await text.getByText('Showing the first 512 KB. Download the file to see the rest.').waitFor();
    await text.getByText('Beginning').waitFor();
    expect(await text.getByText('End', { exact: true }).count()).toBe(0);
  });

  it('streams a video with range requests', async () => {
    const { page } = user;
    await uploadFile('film.webm', await recordVideo(page, 3));
    const ranges: (string | undefined)[] = [];
    page.on('request', (request) => {
      if (request.resourceType() === 'media') ranges.push(request.headers().range);
    });
    const viewer = await openPreview('film.webm');
    const film = viewer.locator('video');
    await film.evaluate((video: HTMLVideoElement) => {
      video.muted = true;
      return video.play();
    });
    await expect(film.evaluate((video: HTMLVideoElement) => video.videoWidth)).resolves.toBe(320);
    expect(ranges.length).toBeGreaterThan(0);
    expect(ranges.every((range) => range?.startsWith('bytes='))).toBe(true);
    await captureScreenshot(user, 'preview-film');
  });

  it('moves through the documents of the list with the arrow keys, but shows only one when opened from a link', async () => {
    const { page } = user;
    const first = await uploadFile('one.txt', 'the first');
    await uploadFile('two.png', await renderImage(page, 800, 600));
    await uploadFile('three.txt', 'the third');
    const viewer = await openPreview('three.txt');
    await viewer.getByText('the third').waitFor();
    await viewer.getByText('1 of 3').waitFor();
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('ArrowRight');
    const image = dialog(user, 'two.png').getByRole('img', { name: 'two.png' });
    await image.waitFor();
    await waitFor(() => image.evaluate((element: HTMLImageElement) => element.naturalWidth > 0), {
      description: 'the image to load',
    });
    await page.keyboard.press('ArrowRight');
    await dialog(user, 'one.txt').getByText('the first').waitFor();
    expect(new URL(page.url()).search).toBe(`?preview=${first}`);
    await page.keyboard.press('ArrowRight');
    await dialog(user, 'one.txt').getByText('3 of 3').waitFor();
    await page.keyboard.press('f');
    await page.getByRole('button', { name: 'Leave full screen' }).waitFor();
    await page.keyboard.press('f');
    await page.getByRole('button', { name: 'Full screen', exact: true }).waitFor();
    await page.goBack();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(new URL(page.url()).search).toBe('');

    await page.goto(`${environment.system.url}/documents?search=three&preview=${first}`);
    await dialog(user, 'one.txt').getByText('the first').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    const other = await environment.openPage(
      await environment.createUser('Omar', 'member'),
      `/documents?preview=${first}`,
    );
    await other.page.getByText('This document no longer exists').waitFor();
  });

  it('loads a thumbnail for a card automatically, and a large image for the viewer', async () => {
    const { page } = user;
    for (const name of ['plan.pdf', 'notes.md', 'figures.csv']) await uploadFile(name, `${name},a\n1,2\n`);
    await page.reload();
    await page.getByRole('button', { name: 'Preview figures.csv' }).waitFor();
    const chooser = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: 'Upload Files' }).click();
    const buffer = await renderImage(page, 2_600, 1_700);
    await (await chooser).setFiles({ name: 'harbour.png', mimeType: 'image/png', buffer });
    const card = page.getByRole('article', { name: 'harbour.png' });
    const small = card.locator('img[src*="480.webp"]');
    await waitFor(() => small.evaluate((image: HTMLImageElement) => image.naturalWidth === 480), {
      description: 'the thumbnail to load',
    });
    await captureThemesAndSizes(user, 'preview-cards');
    await small.click();
    const large = dialog(user, 'harbour.png').getByRole('img', { name: 'harbour.png' });
    await waitFor(() => large.evaluate((image: HTMLImageElement) => image.naturalWidth === 2_048), {
      description: 'the image to load',
    });
    await captureThemesAndSizes(user, 'preview-image');
  });

  it('shows an earlier version of a document', async () => {
    const { page } = user;
    const id = await uploadFile('plan.txt', 'first version');
    const body = new FormData();
    body.set('file', new Blob(['second version']), 'plan.txt');
    const headers = { authorization: `Bearer ${lena.token}` };
    await expectStatus(
      send(`${environment.system.url}/api/documents/${id}/versions`, { method: 'POST', headers, body }),
      201,
    );
    await page.goto(`${environment.system.url}/documents?versions=${id}`);
    await page.getByRole('button', { name: 'Preview version 1' }).click();
    const viewer = dialog(user, 'plan.txt');
    await viewer.getByText('first version').waitFor();
    await page.keyboard.press('ArrowLeft');
    await viewer.getByText('second version').waitFor();
    await page.keyboard.press('Escape');
    await viewer.waitFor({ state: 'detached' });
    await dialog(user, 'Versions').waitFor();
  });
});
