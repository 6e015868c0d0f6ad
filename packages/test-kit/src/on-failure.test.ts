import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

const JEST = join(dirname(createRequire(import.meta.url).resolve('jest/package.json')), 'bin/jest.js');

const SUITE = `
const { writeFileSync } = require('node:fs');
globalThis[Symbol.for('atrium.logs')] = new Set([__dirname + '/a.log']);
globalThis[Symbol.for('atrium.artifact-writers')] = new Set([
  async (folder) => writeFileSync(folder + '/state.txt', String(globalThis.state)),
]);
describe('a list', () => {
  beforeEach(() => { globalThis.state = 'open'; });
  afterEach(() => { globalThis.state = 'tidied up'; });
  it('is empty', () => { throw new Error('it has three'); });
  it('is full', () => {});
});
`;

describe('a failed test', () => {
  let folder: string;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'atrium-artifacts-'));
    writeFileSync(join(folder, 'list.test.cjs'), SUITE);
    writeFileSync(join(folder, 'a.log'), 'output of the processes');
    const config = {
      rootDir: folder,
      testMatch: ['**/*.test.cjs'],
      transform: {},
      testEnvironment: join(import.meta.dirname, '../jest/artifact-environment.mjs'),
    };
    const args = [JEST, '--config', JSON.stringify(config), '--runInBand'];
    await expect(promisify(execFile)(process.execPath, args, { cwd: folder })).rejects.toMatchObject({ code: 1 });
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('leaves its error, its logs, and its artifacts as they were before cleanup', () => {
    const failuresDir = join(folder, 'output/failures/list');
    expect(readdirSync(failuresDir)).toEqual(['a-list-is-empty']);
    const read = (file: string) => readFileSync(join(failuresDir, 'a-list-is-empty', file), 'utf8');
    expect(read('error.txt')).toContain('it has three');
    expect(read('system.log')).toBe('output of the processes');
    expect(read('state.txt')).toBe('open');
  });
});
