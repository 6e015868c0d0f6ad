import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, matchesGlob } from 'node:path';
import { CHECKOUT } from '@atrium/dev-server/backing/launcher-context';
import { execute } from '@atrium/dev-server/process-manager/execute';
import { writeManifests } from '@atrium/tools/secrets/write-secrets';
import { describe, expect, it } from '@jest/globals';

const patterns = readFileSync(join(CHECKOUT, '.dockerignore'), 'utf8')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'));

/** Follows the rules of image builders: a pattern matches a path and everything below it, and the last match wins. */
const isExcluded = (path: string): boolean => {
  const parts = path.split('/');
  const levels = parts.map((_, index) => parts.slice(0, index + 1).join('/'));
  return patterns.reduce((excluded, line) => {
    const [pattern, isIncluded] = line.startsWith('!') ? [line.slice(1), true] : [line, false];
    return levels.some((level) => matchesGlob(level, pattern)) ? !isIncluded : excluded;
  }, false);
};

const listSecretFiles = (): string[] => {
  const folder = mkdtempSync(join(tmpdir(), 'atrium-secrets-'));
  try {
    writeManifests(folder, { namespace: 'atrium', url: 'https://atrium.example' }, () => undefined);
    return readdirSync(folder).filter((name) => name !== '.gitignore');
  } finally {
    rmSync(folder, { recursive: true });
  }
};

describe('.dockerignore', () => {
  it('excludes secrets anywhere in the checkout', () => {
    const names = [...listSecretFiles(), 'values.env.new', '.env', 'tls.key', 'tls.crt'];
    expect(names).toEqual(expect.arrayContaining(['values.env', 'atrium-auth.yaml', 'atrium-objects.yaml']));
    const paths = ['', 'deploy/', 'deploy/overlays/mine/', 'a/b/c/'].flatMap((folder) =>
      names.map((name) => folder + name),
    );
    expect(paths.filter((path) => !isExcluded(path))).toEqual([]);
    expect(isExcluded('deploy/backups/2026-11-23T01-00-00Z/manifest.json')).toBe(true);
  });

  it('includes every tracked file', async () => {
    const trackedFiles = (await execute('git', ['-C', CHECKOUT, 'ls-files'])).trim().split('\n');
    expect(trackedFiles.length).toBeGreaterThan(1_000);
    expect(trackedFiles.filter(isExcluded)).toEqual([]);
  });
});
