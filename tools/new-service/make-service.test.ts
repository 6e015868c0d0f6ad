import { execFile } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { CHECKOUT } from '@atrium/dev-server/backing/launcher-context';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { copyCheckout, linkService } from './copy-checkout.fixture.ts';
import { makeService } from './make-service.ts';
import { deriveNames } from './names.ts';

/** The second service is inserted into lists that contain the first one. */
const NAMES = ['gizmos', 'whatsits'];

/** Fast tests that check all services, events, calls, manifests, or settings. */
const WHOLE_TREE = [
  '/proto-events/test/',
  '/tests/contracts/(?!hostile-|effects-|released|coverage-|body-)',
  '/tests/deploy/(?!policies|objects-user)',
  '/tools/secrets/',
  '/packages/dev-server/(system/services|dev/dev)\\.test',
];

describe('npm run generate:service', () => {
  let root: string;
  let printed: string;
  let files: string[];

  const run = async (script: string, args: string[]): Promise<string> => {
    const env = { ...process.env, NODE_OPTIONS: '--experimental-vm-modules --disable-warning=ExperimentalWarning' };
    const options = { cwd: root, env, maxBuffer: 64 * 1024 * 1024 };
    const { stdout, stderr } = await promisify(execFile)(process.execPath, [script, ...args], options).catch(
      (error: { stdout: string; stderr: string }) => Promise.reject(new Error(error.stdout + error.stderr)),
    );
    return stdout + stderr;
  };
  const tool = (script: string, args: string[]) => run(join(CHECKOUT, 'node_modules', script), args);
  const jest = (projects: string[], patterns: string[]) => {
    const chosen = patterns.flatMap((pattern) => ['--testPathPatterns', pattern]);
    return tool('jest/bin/jest.js', ['--selectProjects', ...projects, ...chosen]);
  };

  beforeAll(async () => {
    root = copyCheckout();
    printed = '';
    for (const name of NAMES) {
      printed += await run('tools/new-service/main.ts', [name]);
      linkService(root, name);
    }
    files = [...printed.matchAll(/^ {2}(\S+\.\w+)$/gm)].map(([, file = '']) => file);
  });
  afterAll(() => rmSync(root, { recursive: true }));

  it('adds the service to every list', () => {
    expect(printed).not.toContain('manually');
    expect(files).toContain('services/whatsits/src/whatsits/create-whatsit.ts');
    expect(files).toContain('proto-events/src/nats-users.ts');
  });

  it('prints the commands that create its passwords, users, and database in a running cluster, in order', () => {
    const order = [
      '-- kubernetes --out secrets',
      '--server-side -f secrets',
      ' notin (',
      'restart statefulset/nats',
      'initdb.d/databases.sh',
    ];
    const positions = order.map((step) => printed.indexOf(step));
    expect(positions).toEqual(positions.toSorted((a, b) => a - b));
    expect(Math.min(...positions)).toBeGreaterThan(0);
  });

  it('writes files that compile and pass lint', async () => {
    const sources = files.filter((file) => file.endsWith('.ts'));
    const lib = ['es2024', 'esnext.disposable', 'dom', 'dom.iterable'];
    const compilerOptions = { lib, noEmit: true, emitDeclarationOnly: false, composite: false, incremental: false };
    const config = { extends: './tsconfig.base.json', compilerOptions, files: sources };
    writeFileSync(join(root, 'tsconfig.changed.json'), JSON.stringify(config));
    await tool('typescript/bin/tsc', ['--project', 'tsconfig.changed.json']);
    await tool('@biomejs/biome/bin/biome', ['check', '--files-ignore-unknown=true', ...files]);
  });

  it('creates passing tests for the new service', async () => {
    const output = await jest(['unit', 'api'], ['/services/whatsits/']);
    expect(output).toMatch(/Tests: +5 passed, 5 total/);
  });

  it('keeps the tests of the whole repository passing', async () => {
    const output = await jest(['unit', 'web'], WHOLE_TREE);
    expect(output).toMatch(/Test Suites: +\d\d passed, \d\d total/);
  });

  it('creates a manifest that mentions no other service', () => {
    expect(readFileSync(join(root, 'deploy/base/whatsits.yaml'), 'utf8')).not.toContain('projects');
  });

  it('rejects a name that is taken or not a lowercase plural', async () => {
    await expect(makeService(root, 'projects')).rejects.toThrow('services/projects already exists.');
    await expect(makeService(root, 'Poll')).rejects.toThrow(/one lower-case plural, such as "polls"/);
  });

  it('derives the singular of a service name', () => {
    expect(deriveNames('polls').singular).toBe('poll');
    expect(deriveNames('categories').Singular).toBe('Category');
  });
});
