import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { z } from 'zod';

const JEST = join(dirname(createRequire(import.meta.url).resolve('jest/package.json')), 'bin/jest.js');

const SUITE = `
it('is silent', () => {});
it('writes to console.error', () => console.error('%s was not wrapped', 'an update'));
it('writes to console.warn', () => console.warn('careful'));
it('uses a deprecated function', async () => {
  process.emitWarning('Do not use it', 'DeprecationWarning', 'DEP9999');
  await new Promise(setImmediate);
});
it('is experimental', async () => {
  process.emitWarning('It may change', 'ExperimentalWarning');
  await new Promise(setImmediate);
});
`;
const OUTSIDE = "it('is silent', () => {});\nafterAll(() => console.error('too late'));\n";

const report = z.object({
  testResults: z.array(
    z.object({
      name: z.string(),
      status: z.string(),
      message: z.string(),
      assertionResults: z.array(z.object({ title: z.string(), failureMessages: z.array(z.string()) })),
    }),
  ),
});

describe('a strict environment', () => {
  let folder: string;
  let suites: z.infer<typeof report>['testResults'];
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'atrium-strict-'));
    writeFileSync(join(folder, 'inside.test.cjs'), SUITE);
    writeFileSync(join(folder, 'outside.test.cjs'), OUTSIDE);
    const config = {
      rootDir: folder,
      testMatch: ['**/*.test.cjs'],
      transform: {},
      testEnvironment: join(import.meta.dirname, '../jest/node-environment.mjs'),
    };
    const args = [JEST, '--config', JSON.stringify(config), '--runInBand', '--json'];
    const stdout = await new Promise<string>((resolve) =>
      execFile(process.execPath, args, { cwd: folder }, (_error, text) => resolve(text)),
    );
    suites = report.parse(JSON.parse(stdout)).testResults;
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const findSuite = (file: string) => suites.find(({ name }) => name.endsWith(file));

  it('fails exactly the tests that write to console.error or console.warn, or use a deprecated function', () => {
    const results = findSuite('inside.test.cjs')?.assertionResults.map(({ title, failureMessages }) => [
      title,
      failureMessages[0]?.split('\n')[0],
    ]);
    expect(results).toEqual([
      ['is silent', undefined],
      ['writes to console.error', 'Error: console.error: an update was not wrapped'],
      ['writes to console.warn', 'Error: console.warn: careful'],
      ['uses a deprecated function', expect.stringContaining('Do not use it')],
      ['is experimental', undefined],
    ]);
  });

  it('fails a suite that writes to console.error outside tests', () => {
    expect(findSuite('outside.test.cjs')).toMatchObject({
      status: 'failed',
      message: expect.stringContaining('console.error: too late'),
    });
  });
});
