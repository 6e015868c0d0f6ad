import { spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { openKeptLog } from '@atrium/dev-server/system/log-file';
import { privateBox, startPrivateSystem } from '@atrium/dev-server/system/start-system';
import { templateOf } from '@atrium/gateway/openapi/document';
import { ALL_ENDPOINTS } from '@atrium/proto-events/all-endpoints';
import { installSchemathesis } from './install-schemathesis.ts';
import { seedFuzzWorkspace, type World } from './seed-workspace.ts';
import { settingsFor } from './settings.ts';

/**
 * `npm run test:fuzz [-- --seed 1 --examples 20 --minutes 40 --only auth. --keep-running]`: schemathesis holds a started Atrium against its own document
 * (`/api/openapi.json`), every call of it, as an administrator and as nobody. Exit code 1 when they disagree, or when a call never succeeded:
 * then nothing of it was tested. `--keep-running` leaves the workspace running until Ctrl-C, so that the printed `curl` lines can be repeated.
 */
const { values: given } = parseArgs({
  options: {
    seed: { type: 'string', default: String(randomInt(2 ** 31)) },
    examples: { type: 'string', default: '20' },
    minutes: { type: 'string', default: '40' },
    only: { type: 'string', default: '' },
    'keep-running': { type: 'boolean', default: false },
  },
});
const HOOKS = fileURLToPath(new URL('.', import.meta.url));
const print = (line: string) => void process.stdout.write(`${line}\n`);

// Nothing here is about budgets, and a run that is refused by them would show nothing else.
const PLENTY = Object.fromEntries(
  ['PER_USER', 'PER_IP', 'SIGN_IN', 'REFRESH', 'FEED', 'CLIENT_ERRORS'].map((name) => [
    `RATE_LIMIT_${name}`,
    '10000000',
  ]),
);
const env = { ...PLENTY, REGISTRATION: 'open', ALLOW_PAST_MEETINGS: 'true' };

const program = await installSchemathesis(print);
const log = openKeptLog();
const box = privateBox({ env, listener: log.listener });
const system = await startPrivateSystem(box);
const folder = await mkdtemp(join(tmpdir(), 'atrium-fuzz-'));
try {
  const world = await seedFuzzWorkspace(system.url, print);
  print(`Seed ${given.seed}; to repeat: npm run test:fuzz -- --seed ${given.seed} --examples ${given.examples}`);
  const agreed = await runSchemathesis(world);
  const untouched = await neverSucceeded();
  for (const call of untouched) print(`Never succeeded, so that nothing of it was tested: ${call}`);
  process.exitCode = agreed && untouched.length === 0 ? 0 : 1;
  if (process.exitCode !== 0) print(`What the processes said: ${log.file}`);
  if (given['keep-running']) await untilInterrupted(world.url);
} finally {
  await rm(folder, { recursive: true, force: true });
  await system.stop();
}

async function runSchemathesis(world: World): Promise<boolean> {
  await writeFile(join(folder, 'world.json'), JSON.stringify(world), { mode: 0o600 });
  await writeFile(join(folder, 'schemathesis.toml'), settingsFor(world), { mode: 0o600 });
  const options = {
    phases: 'examples,coverage,fuzzing',
    checks: 'all',
    seed: given.seed,
    'max-examples': given.examples,
    'generation-database': 'none',
    'output-sanitize': 'false',
    // What is missing to reach further shows below: as a call that never succeeded.
    warnings: 'off',
    ...(given.only && { 'include-operation-id-regex': given.only }),
  };
  const flags = Object.entries(options).map(([name, value]) => `--${name}=${value}`);
  const child = spawn(
    program,
    [
      '--config-file',
      join(folder, 'schemathesis.toml'),
      'run',
      `${world.url}/api/openapi.json`,
      '--continue-on-failure',
      ...flags,
    ],
    {
      cwd: folder,
      stdio: ['ignore', 'inherit', 'inherit'],
      env: {
        ...process.env,
        SCHEMATHESIS_HOOKS: 'hooks',
        PYTHONPATH: HOOKS,
        PYTHONDONTWRITEBYTECODE: '1',
        FUZZ_WORKSPACE_FILE: join(folder, 'world.json'),
        FUZZ_RESULTS_FILE: join(folder, 'tally.json'),
      },
    },
  );
  if (child.pid) box.guard.add({ pid: child.pid, signal: 'SIGTERM', order: 0 });
  const timer = setTimeout(() => {
    print(`Not done after ${given.minutes} minutes; fewer --examples take less.`);
    child.kill('SIGINT');
  }, Number(given.minutes) * 60_000);
  const [code, signal] = (await once(child, 'close')) as [number | null, string | null];
  clearTimeout(timer);
  if (child.pid) box.guard.remove(child.pid);
  return code === 0 && signal === null;
}

/** Calls that the run was to make and that were never answered 2xx. */
async function neverSucceeded(): Promise<string[]> {
  const tally = JSON.parse(await readFile(join(folder, 'tally.json'), 'utf8')) as Record<
    string,
    Record<string, number>
  >;
  const wanted = ALL_ENDPOINTS.filter(({ service, name }) => new RegExp(given.only).test(`${service}.${name}`));
  const calls = wanted.map(({ endpoint }) => `${endpoint.method} ${templateOf(endpoint.path)}`);
  const statuses = (call: string) => Object.entries(tally[call] ?? {});
  const requests = calls.flatMap(statuses).reduce((sum, [, count]) => sum + count, 0);
  print(`${calls.length} calls, ${requests} requests with their own method.`);
  return calls
    .filter((call) => !statuses(call).some(([status]) => status.startsWith('2')))
    .map((call) => `${call} ${JSON.stringify(tally[call] ?? {})}`);
}

async function untilInterrupted(url: string): Promise<void> {
  print(`Atrium stays at ${url} until Ctrl-C.`);
  await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')]);
}
