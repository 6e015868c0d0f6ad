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
 * What an empty date field shows in place of a day, and the words for hours that people type, are in small modules for all languages. The
 * messages of a library would be thousands of letters.
 */
const MAX_CYRILLIC_LETTERS = 250;
let dist: string;

beforeAll(() => {
  dist = mkdtempSync(join(tmpdir(), 'atrium-web-'));
  execFileSync(process.execPath, [vite, 'build', web, '--outDir', dist, '--logLevel', 'error'], {
    env: { ...process.env, NODE_ENV: 'production' },
  });
}, 120_000);

afterAll(() => rmSync(dist, { recursive: true, force: true }));

describe('the built web app', () => {
  it('says nothing in other languages than English, or to developers, whatever library it comes from', () => {
    const scripts = readdirSync(join(dist, 'assets')).filter((name) => name.endsWith('.js'));
    const isForeign = (name: string) => {
      const text = readFileSync(join(dist, 'assets', name), 'utf8');
      return (
        [...text.matchAll(/\p{Script=Cyrillic}/gu)].length > MAX_CYRILLIC_LETTERS || text.includes('Hey developer')
      );
    };
    expect(scripts.filter(isForeign)).toEqual([]);
  });

  it('has no inline script or style in its page, so that the content policy can stay strict', () => {
    const html = readFileSync(join(dist, 'index.html'), 'utf8');
    expect(html).not.toMatch(/<style|style=|<script(?![^>]*\ssrc=)/);
  });

  it('names each of its scripts in the list of what is fetched ahead but what draws a PDF and what reads Markdown, and nothing that is not there', () => {
    const html = readFileSync(join(dist, 'index.html'), 'utf8');
    const list = /name="atrium-pieces" content="([^"]+)"/.exec(html)?.[1] ?? '';
    const scripts = readdirSync(join(dist, 'assets')).filter((name) => name.endsWith('.js'));
    const named = JSON.parse(readFileSync(join(dist, list), 'utf8')) as string[];
    const late = /^(?:pdf(?:-view)?|markdown-worker)-[\w-]{8}\.js$/;
    expect(scripts.filter((name) => late.test(name))).toHaveLength(3);
    expect(named).toEqual(
      scripts
        .filter((name) => !late.test(name))
        .map((name) => `/assets/${name}`)
        .sort(),
    );
  });

  it('names in its page what is asked for at once where somebody is signed in', () => {
    const html = readFileSync(join(dist, 'index.html'), 'utf8');
    // Before the script, which reads it as it is run.
    const named = /name="atrium-signed-in" content='([^']+)'.*early-boot\.js/s.exec(html)?.[1] ?? '{}';
    const hints: Record<string, string> = JSON.parse(named);
    const chunks = (address: string) => (hints[address] ?? '').replace(/-[\w-]{8}\.js/g, '').split(' ');
    expect(Object.keys(hints)).toEqual(['*', '/', '/chat', '/progress/*']);
    expect(chunks('*')).toEqual(expect.arrayContaining(['assets/shell', 'assets/basics']));
    expect(chunks('/').filter((chunk) => !chunk.startsWith('/'))).toEqual(['assets/home']);
    expect(chunks('/chat')).toContain('assets/chat');
    expect(chunks('/chat')).not.toContain('assets/home');
    const all = Object.values(hints).flatMap((one) => one.split(' '));
    expect(all.filter((chunk) => !/^\??\//.test(chunk) && !existsSync(join(dist, chunk)))).toEqual([]);
  });

  it('leaves the gallery of the design system out', () => {
    expect(readdirSync(dist)).not.toContain('gallery.html');
  });

  it('stands beside its compressed forms', () => {
    const assets = readdirSync(join(dist, 'assets'));
    const large = assets.filter((name) => name.endsWith('.js') && readFileSync(join(dist, 'assets', name)).length > KB);
    expect(large.length).toBeGreaterThan(5);
    expect(large.flatMap((name) => [`${name}.br`, `${name}.gz`]).filter((name) => !assets.includes(name))).toEqual([]);
  });
});
