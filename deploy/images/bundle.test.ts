import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { execute } from '@atrium/dev-server/process-manager/execute';
import { makePhoto } from '@atrium/test-kit/make-photo';
import { Spec, Validation } from '@cyclonedx/cyclonedx-library';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { makeOdt } from '../../services/documents/test/files/make-open-document.ts';
import { makePdf } from '../../services/documents/test/files/make-pdf.ts';

const BUNDLE = join(import.meta.dirname, 'bundle.ts');
const MEGABYTE = 1024 * 1024;

const listFiles = async (folder: string): Promise<string[]> => {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
};

/** Hashes everything that is part of an image layer: names, content, times, and modes. */
const hashLayer = async (folder: string): Promise<string> => {
  const hash = createHash('sha256');
  for (const file of (await listFiles(folder)).sort()) {
    const { mtimeMs, mode } = await stat(file);
    hash.update(`${relative(folder, file)} ${mtimeMs} ${mode}\n`).update(await readFile(file));
  }
  return hash.digest('hex');
};

describe('bundle', () => {
  let folder: string;
  const bundle = async (name: string, image = 'auth', ...program: string[]) => {
    const out = join(folder, name);
    await execute(process.execPath, [BUNDLE, image, out, ...program], {
      env: { ...process.env, SOURCE_DATE_EPOCH: '1700000000' },
    });
    return out;
  };
  let first: string;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'atrium-bundle-'));
    first = await bundle('first');
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('runs without the checkout, and finds its migrations', async () => {
    const options = { cwd: first, env: { PATH: process.env.PATH } };
    await expect(execute(process.execPath, ['src/main.js'], options)).rejects.toMatchObject({
      code: 78,
      stderr: expect.stringContaining('DATABASE_URL: is missing'),
    });
    const migrations = (await listFiles(first))
      .filter((file) => file.endsWith('.sql'))
      .map((file) => relative(first, file));
    expect(migrations).toContain('services/auth/migrations/0001_auth.sql');
    expect(migrations).toContain('packages/service-kit/migrations/0001_shared-tables.sql');
    const code = await readFile(join(first, 'src/main.js'), 'utf8');
    expect(code).toContain(`new URL("../services/auth/migrations", import.meta.url)`);
  });

  it('includes worker programs with their dependencies', async () => {
    const out = await bundle('documents', 'documents', 'services/documents/test/files/extract-file.ts');
    const extract = async (name: string, content: Buffer, type: string) => {
      const path = join(folder, name);
      await writeFile(path, content);
      const options = { cwd: out, env: { PATH: process.env.PATH } };
      return JSON.parse(await execute(process.execPath, ['src/main.js', path, type], options));
    };
    const text = ['Straße', '日本語'];
    const extracted = { state: 'text', text: 'Straße\n日本語', isTruncated: false };
    expect(await extract('a.pdf', makePdf([text]), 'application/pdf')).toEqual(extracted);
    expect(await extract('a.odt', await makeOdt(text), 'application/zip')).toEqual(extracted);
    const bill = JSON.parse(await readFile(join(out, 'sbom.cdx.json'), 'utf8'));
    const names = bill.components.map(({ name }: { name: string }) => name);
    expect(names).toEqual(expect.arrayContaining(['pdfjs-dist', 'yauzl', 'htmlparser2']));
    expect(names).not.toContain('@napi-rs/canvas');
  });

  it('includes the image library with its native parts', async () => {
    const out = await bundle('thumbnails', 'documents', 'services/documents/test/files/render-image.ts');
    const path = join(folder, 'photo.jpg');
    await writeFile(path, await makePhoto(900, 600));
    const options = { cwd: out, env: { PATH: process.env.PATH } };
    const output = JSON.parse(await execute(process.execPath, ['src/main.js', path], options));
    expect(output).toEqual({ width: 320, height: 480 });
    const bill = JSON.parse(await readFile(join(out, 'sbom.cdx.json'), 'utf8'));
    const names = bill.components.map(({ name, group }: { name: string; group?: string }) =>
      group ? `${group}/${name}` : name,
    );
    expect(names.join(' ')).toMatch(/\bsharp\b/);
    expect(names.join(' ')).toMatch(/sharp-libvips-/);
  });

  it('is reproducible for a service', async () => {
    expect(await hashLayer(await bundle('second'))).toBe(await hashLayer(first));
  });

  it('is reproducible with the web app', async () => {
    const firstGateway = await bundle('first-gateway', 'gateway');
    const secondGateway = await bundle('second-gateway', 'gateway');
    const web = (await listFiles(firstGateway))
      .map((file) => relative(firstGateway, file))
      .filter((file) => file.startsWith('web/'));
    expect(web).toEqual(expect.arrayContaining(['web/index.html', expect.stringMatching(/^web\/assets\/.+\.js$/)]));
    expect(await hashLayer(secondGateway)).toBe(await hashLayer(firstGateway));
  });

  it('is small, and contains no development packages', async () => {
    const sizes = await Promise.all((await listFiles(first)).map(async (file) => (await stat(file)).size));
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(60 * MEGABYTE);
    const bill = JSON.parse(await readFile(join(first, 'sbom.cdx.json'), 'utf8'));
    const names = bill.components.map(({ name }: { name: string }) => name);
    expect(names).toEqual(expect.arrayContaining(['express', 'pg', '@node-rs/argon2', 'fxa-common-password-list']));
    expect(names).not.toEqual(expect.arrayContaining(['jest']));
    expect(names).not.toContain('react');
  });

  it('contains a CycloneDX bill of materials', async () => {
    const text = await readFile(join(first, 'sbom.cdx.json'), 'utf8');
    expect(await new Validation.JsonStrictValidator(Spec.Version.v1dot6).validate(text)).toBeNull();
    for (const component of JSON.parse(text).components)
      expect(component).toMatchObject({ version: expect.any(String), hashes: [{ alg: 'SHA-512' }], licenses: [{}] });
  });
});
