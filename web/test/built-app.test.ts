/** @jest-environment node */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

const web = join(import.meta.dirname, '..');
const vite = join(web, '../node_modules/vite/bin/vite.js');
const KB = 1024;
/**
 * Small modules contain date field placeholders and time words of all languages. The messages of a library would be
 * thousands of letters.
 */
const MAX_CYRILLIC_LETTERS = 250;
let dist: string;

beforeAll(() => {
  dist = mkdtempSync(join(tmpdir(), 'atrium-web-'));
  execFileSync(process.execPath, [vite, 'build', web, '--outDir', dist, '--logLevel', 'error'], {
    env: { ...process.env, NODE_ENV: 'production' },
  });
});

afterAll(() => rmSync(dist, { recursive: true, force: true }));

const SCREENS = [
  'activity',
  'chat',
  'dashboard',
  'departments',
  'documents',
  'meetings',
  'my-work',
  'notifications',
  'progress',
  'project',
  'search',
  'settings',
  'shell',
  'statistics',
  'team',
  'unsubscribe',
  'user-management',
];

describe('the built web app', () => {
  it('contains neither messages in other languages nor development messages of any library', () => {
    const scripts = readdirSync(join(dist, 'assets')).filter((name) => name.endsWith('.js'));
    const hasUnwantedMessages = (name: string) => {
      const text = readFileSync(join(dist, 'assets', name), 'utf8');
      return (
        [...text.matchAll(/\p{Script=Cyrillic}/gu)].length > MAX_CYRILLIC_LETTERS || text.includes('Hey developer')
      );
    };
    expect(scripts.filter(hasUnwantedMessages)).toEqual([]);
  });

  it('has no inline script or style in its page, as the content security policy requires', () => {
    const html = readFileSync(join(dist, 'index.html'), 'utf8');
    expect(html).not.toMatch(/<style|style=|<script(?![^>]*\ssrc=)/);
  });

  it('lists the scripts of each screen in the chunk manifest, except those for PDF and Markdown', () => {
    const html = readFileSync(join(dist, 'index.html'), 'utf8');
    const list = /name="atrium-chunks" content="([^"]+)"/.exec(html)?.[1] ?? '';
    const manifest: Record<string, { screen: string[]; onDemand: string[] }> = JSON.parse(
      readFileSync(join(dist, list), 'utf8'),
    );
    expect(Object.keys(manifest).sort()).toEqual(SCREENS);
    const names = (paths: string[] = []) => paths.map((path) => path.replace(/^\/assets\/|-[\w-]{8}\.js$/g, ''));
    expect(names(manifest.project?.screen)).toEqual(expect.arrayContaining(['project', 'shell', 'start']));
    expect(names(manifest.project?.onDemand)).toContain('edit-project-dialog');
    expect(names(manifest.shell?.onDemand)).toEqual(expect.arrayContaining(['live', 'search-dialog']));
    const listedScripts = Object.values(manifest).flatMap(({ screen, onDemand }) => [...screen, ...onDemand]);
    expect(names(listedScripts).filter((name) => /^(pdf|pdf-view|markdown-worker)$/.test(name))).toEqual([]);
    expect(listedScripts.filter((path) => !existsSync(join(dist, path)))).toEqual([]);
  });

  it('contains the preload hints for a signed-in user in its page', () => {
    const html = readFileSync(join(dist, 'index.html'), 'utf8');
    // The hints come before the script that reads them.
    const hintsJson = /name="atrium-signed-in" content='([^']+)'.*early-boot\.js/s.exec(html)?.[1] ?? '{}';
    const hints: Record<string, string> = JSON.parse(hintsJson);
    const chunksOf = (address: string) => (hints[address] ?? '').replace(/-[\w-]{8}\.js/g, '').split(' ');
    expect(Object.keys(hints)).toEqual(['*', '/', '/my-work', '/notifications', '/chat', '/progress/*']);
    expect(chunksOf('*')).toEqual(expect.arrayContaining(['assets/shell', 'assets/basics']));
    expect(chunksOf('/').filter((chunk) => !chunk.startsWith('/'))).toEqual(['assets/home']);
    expect(chunksOf('/chat')).toContain('assets/chat');
    expect(chunksOf('/chat')).not.toContain('assets/home');
    const allHints = Object.values(hints).flatMap((hint) => hint.split(' '));
    expect(allHints.filter((chunk) => !/^\??\//.test(chunk) && !existsSync(join(dist, chunk)))).toEqual([]);
  });

  it('leaves out the gallery of the design system', () => {
    expect(readdirSync(dist)).not.toContain('gallery.html');
  });

  it('includes compressed files', () => {
    const assets = readdirSync(join(dist, 'assets'));
    const largeScripts = assets.filter(
      (name) => name.endsWith('.js') && readFileSync(join(dist, 'assets', name)).length > KB,
    );
    expect(largeScripts.length).toBeGreaterThan(5);
    expect(
      largeScripts.flatMap((name) => [`${name}.br`, `${name}.gz`]).filter((name) => !assets.includes(name)),
    ).toEqual([]);
  });
});
