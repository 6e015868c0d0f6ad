import { execFile } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { CHECKOUT } from '@atrium/local/backing/toolbox';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { makeService } from './make-service.ts';
import { namesOf } from './names.ts';

const PARTS = [
  'proto-events',
  'packages',
  'services',
  'gateway',
  'deploy',
  'tools',
  '.ci',
  '.vscode',
  'skaffold.yaml',
  'tests/deploy',
  'tests/contracts/sources.ts',
  'README.md',
  'package.json',
  'tsconfig.json',
  'tsconfig.base.json',
  'biome.json',
  'lint',
  'jest.config.mjs',
  // What the configuration of the tests asks which browsers are there.
  'tests/browser/setup',
];

/** A copy of this checkout whose packages are the checkout's and whose workspaces are its own. */
const copyCheckout = (root: string): void => {
  const skipped = /(^|\/)(node_modules|\.tsbuild|dist|\.atrium)(\/|$)/;
  for (const part of PARTS) {
    cpSync(join(CHECKOUT, part), join(root, part), {
      recursive: true,
      filter: (from) => !skipped.test(from.slice(CHECKOUT.length)),
    });
  }
  mkdirSync(join(root, 'node_modules/@atrium'), { recursive: true });
  for (const name of readdirSync(join(CHECKOUT, 'node_modules'))) {
    if (name !== '@atrium' && name !== '.cache')
      symlinkSync(join(CHECKOUT, 'node_modules', name), join(root, 'node_modules', name));
  }
  const places = {
    'proto-events': 'proto-events',
    'service-kit': 'packages/service-kit',
    'test-kit': 'packages/test-kit',
    local: 'deploy/local',
    tools: 'tools',
  };
  for (const [name, place] of Object.entries(places))
    symlinkSync(join(root, place), join(root, 'node_modules/@atrium', name));
  // What a workspace has in another version than the others.
  for (const place of [...Object.values(places), 'gateway']) {
    const own = join(CHECKOUT, place, 'node_modules');
    if (existsSync(own)) symlinkSync(own, join(root, place, 'node_modules'));
  }
};

describe('npm run new:service', () => {
  let root: string;
  beforeAll(() => {
    root = mkdtempSync(join(tmpdir(), 'atrium-new-service-'));
    copyCheckout(root);
  });
  afterAll(() => rmSync(root, { recursive: true }));

  const run = async (script: string, args: string[]): Promise<string> => {
    const env = { ...process.env, NODE_OPTIONS: '--experimental-vm-modules --disable-warning=ExperimentalWarning' };
    const options = { cwd: root, env, maxBuffer: 64 * 1024 * 1024 };
    const { stdout, stderr } = await promisify(execFile)(
      process.execPath,
      [join(CHECKOUT, 'node_modules', script), ...args],
      options,
    ).catch((error: { stdout: string; stderr: string }) => Promise.reject(new Error(error.stdout + error.stderr)));
    return stdout + stderr;
  };

  it('makes a service that is entered everywhere, compiles, is well formed and passes its own tests', async () => {
    const { made, missed } = await makeService(root, 'polls');
    expect(missed).toEqual([]);
    expect(made).toContain('services/polls/src/polls/create-poll.ts');
    expect(readFileSync(join(root, 'gateway/src/upstream/upstreams.ts'), 'utf8')).toContain("['polls', 'polls'],");
    expect(readFileSync(join(root, 'deploy/base/kustomization.yaml'), 'utf8')).toMatch(
      /- polls\.yaml\n[\s\S]*- \{ name: atrium\/polls, newTag: 0\.1\.0 \}/,
    );
    expect(readFileSync(join(root, 'deploy/base/gateway.yaml'), 'utf8')).toContain('value: http://polls:3000');
    expect(readFileSync(join(root, 'deploy/backing/postgres/databases.sh'), 'utf8')).toContain(' chat polls; do');
    await run('typescript/bin/tsc', ['-b', 'services/polls', 'gateway', 'deploy/local']);
    await run('@biomejs/biome/bin/biome', [
      'check',
      '--write',
      '--vcs-enabled=false',
      'services/polls',
      'proto-events/src/http/polls.ts',
      'proto-events/src/events/polls.ts',
    ]);
    const output = await run('jest/bin/jest.js', [
      '--selectProjects',
      'unit',
      'api',
      '--testPathPatterns',
      '/services/polls/',
    ]);
    expect(output).toMatch(/Tests:\s+5 passed, 5 total/);
    expect(readFileSync(join(root, 'gateway/src/config.ts'), 'utf8')).toContain("POLLS_URL: serviceUrl('polls')");
    // On a machine that has no servers yet, the new service's own tests build them first.
  }, 600_000);

  it('gives it a manifest, a user of NATS, a database, secrets, a container and a debugger', async () => {
    const { stderr } = await promisify(execFile)(process.execPath, [
      join(root, 'deploy/local/backing/write-nats-users.ts'),
    ]);
    expect(stderr).not.toMatch(/Error/);
    const places = 'tests/deploy/compose\\.test|deploy/local/dev/dev\\.test';
    const output = await run('jest/bin/jest.js', [
      '--verbose',
      '--selectProjects',
      'unit',
      '--testPathPatterns',
      places,
    ]);
    expect(output).toMatch(/tells polls all that it must know/);
    expect(output).toMatch(/Test Suites: +2 passed, 2 total/);
    const kustomization = readFileSync(join(root, 'deploy/base/kustomization.yaml'), 'utf8');
    expect(kustomization).toContain('  - polls.yaml\n');
    expect(readFileSync(join(root, 'deploy/base/polls.yaml'), 'utf8')).not.toContain('projects');
  }, 300_000);

  it('refuses a name that is taken or no plural', async () => {
    await expect(makeService(root, 'projects')).rejects.toThrow('services/projects exists already.');
    await expect(makeService(root, 'Poll')).rejects.toThrow(/one lower-case plural, such as "polls"/);
  });

  it('knows the singular of what it is told', () => {
    expect(namesOf('polls').singular).toBe('poll');
    expect(namesOf('categories').Singular).toBe('Category');
  });
});
