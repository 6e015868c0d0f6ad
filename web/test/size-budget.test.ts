/** @jest-environment node */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { firstLoadBytes } from './first-load.ts';

const web = join(import.meta.dirname, '..');
const vite = join(web, '../node_modules/vite/bin/vite.js');
const KB = 1024;
let dist: string;

beforeAll(() => {
  dist = mkdtempSync(join(tmpdir(), 'atrium-web-'));
  execFileSync(process.execPath, [vite, 'build', web, '--outDir', dist, '--logLevel', 'error'], {
    env: { ...process.env, NODE_ENV: 'production' },
  });
}, 120_000);

afterAll(() => rmSync(dist, { recursive: true, force: true }));

describe('the built web app', () => {
  it('carries at most 120 KB of scripts to the sign-in page', () => {
    expect(firstLoadBytes(dist, ['index.html', 'src/app/routes/login.tsx'])).toBeLessThanOrEqual(120 * KB);
  });

  it('carries at most 200 KB of scripts to the dashboard, its live connection included', () => {
    const entries = [
      'index.html',
      'src/app/shell/shell.tsx',
      'src/app/routes/dashboard.tsx',
      'src/realtime/follow-changes.ts',
    ];
    expect(firstLoadBytes(dist, entries)).toBeLessThanOrEqual(200 * KB);
  });

  it('has no inline script or style in its page, so that the content policy can stay strict', () => {
    const html = readFileSync(join(dist, 'index.html'), 'utf8');
    expect(html).not.toMatch(/<style|style=|<script(?![^>]*\ssrc=)/);
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
