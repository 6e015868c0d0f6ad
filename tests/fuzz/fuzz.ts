import { spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { openLogFile } from '@atrium/dev-server/system/log-file';
import { createTestContext, startTestSystemIn } from '@atrium/dev-server/system/start-system';
import { toPathTemplate } from '@atrium/gateway/routes/openapi';
import { ALL_ENDPOINTS } from '@atrium/proto-events/all-endpoints';
import { installSchemathesis } from './install-schemathesis.ts';
import { type FuzzWorkspace, seedFuzzWorkspace } from './seed-workspace.ts';
import { renderSettings } from './settings.ts';

/**
 * `npm run test:fuzz [-- --seed 1 --examples 20 --minutes 40 --only auth. --keep-running]` starts Atrium and runs
 * schemathesis against every call of its OpenAPI document (`/api/openapi.json`), as an administrator and anonymously.
 * It exits with 1 on a violation, or if a call never succeeded and was therefore not tested. With `--keep-running`,
 * Atrium keeps running until Ctrl-C, so that the printed `curl` lines can be repeated.
 */
const { values: options } = parseArgs({
  options: {
    seed: { type: 'string', default: String(randomInt(2 ** 31)) },
    examples: { type: 'string', default: '20' },
    minutes: { type: 'string', default: '40' },
    only: { type: 'string', default: '' },
    'keep-running': { type: 'boolean', default: false },
  },
});
const HOOKS_DIR = fileURLToPath(new URL('.', import.meta.url));
const print = (line: string) => void process.stdout.write(`${line}\n`);

// Rate limits are not under test, and would reject most requests.
const HIGH_LIMITS = Object.fromEntries(
  ['PER_USER', 'PER_IP', 'SIGN_IN', 'REFRESH', 'FEED', 'CLIENT_ERRORS'].map((name) => [
    `RATE_LIMIT_${name}`,
    '10000000',
  ]),
);
const env = { ...HIGH_LIMITS, REGISTRATION: 'open', ALLOW_PAST_MEETINGS: 'true' };

const program = await installSchemathesis(print);
const log = openLogFile();
const context = createTestContext({ env, listener: log.listener });
const system = await startTestSystemIn(context);
const folder = await mkdtemp(join(tmpdir(), 'atrium-fuzz-'));
try {
  const workspace = await seedFuzzWorkspace(system.url, print);
  print(`Seed ${options.seed}. To repeat: npm run test:fuzz -- --seed ${options.seed} --examples ${options.examples}`);
  const hasPassed = await runSchemathesis(workspace);
  const untested = await findUntestedCalls();
  for (const call of untested) print(`Never succeeded, so not tested: ${call}`);
  process.exitCode = hasPassed && untested.length === 0 ? 0 : 1;
  if (process.exitCode !== 0) print(`Log of the processes: ${log.file}`);
  if (options['keep-running']) await waitForInterrupt(workspace.url);
} finally {
  await rm(folder, { recursive: true, force: true });
  await system.stop();
}

async function runSchemathesis(workspace: FuzzWorkspace): Promise<boolean> {
  await writeFile(join(folder, 'workspace.json'), JSON.stringify(workspace), { mode: 0o600 });
  await writeFile(join(folder, 'schemathesis.toml'), renderSettings(workspace), { mode: 0o600 });
  const schemathesisOptions = {
    phases: 'examples,coverage,fuzzing',
    checks: 'all',
    seed: options.seed,
    'max-examples': options.examples,
    'generation-database': 'none',
    'output-sanitize': 'false',
    // Missing coverage is reported as calls that never succeeded.
    warnings: 'off',
    ...(options.only && { 'include-operation-id-regex': options.only }),
  };
  const flags = Object.entries(schemathesisOptions).map(([name, value]) => `--${name}=${value}`);
  const child = spawn(
    program,
    [
      '--config-file',
      join(folder, 'schemathesis.toml'),
      'run',
      `${workspace.url}/api/openapi.json`,
      '--continue-on-failure',
      ...flags,
    ],
    {
      cwd: folder,
      stdio: ['ignore', 'inherit', 'inherit'],
      env: {
        ...process.env,
        SCHEMATHESIS_HOOKS: 'hooks',
        PYTHONPATH: HOOKS_DIR,
        PYTHONDONTWRITEBYTECODE: '1',
        FUZZ_WORKSPACE_FILE: join(folder, 'workspace.json'),
        FUZZ_RESULTS_FILE: join(folder, 'results.json'),
      },
    },
  );
  if (child.pid) context.reaper.add({ pid: child.pid, signal: 'SIGTERM', stopPhase: 0 });
  const timer = setTimeout(() => {
    print(`Not finished after ${options.minutes} minutes; use fewer --examples.`);
    child.kill('SIGINT');
  }, Number(options.minutes) * 60_000);
  const [code, signal] = (await once(child, 'close')) as [number | null, string | null];
  clearTimeout(timer);
  if (child.pid) context.reaper.remove(child.pid);
  return code === 0 && signal === null;
}

/** Lists the calls of the run that never got a 2xx response. */
async function findUntestedCalls(): Promise<string[]> {
  const results = JSON.parse(await readFile(join(folder, 'results.json'), 'utf8')) as Record<
    string,
    Record<string, number>
  >;
  const selected = ALL_ENDPOINTS.filter(({ service, name }) => new RegExp(options.only).test(`${service}.${name}`));
  const calls = selected.map(({ endpoint }) => `${endpoint.method} ${toPathTemplate(endpoint.path)}`);
  const getStatuses = (call: string) => Object.entries(results[call] ?? {});
  const requestCount = calls.flatMap(getStatuses).reduce((sum, [, count]) => sum + count, 0);
  print(`${calls.length} calls, ${requestCount} requests with the method of their call.`);
  return calls
    .filter((call) => !getStatuses(call).some(([status]) => status.startsWith('2')))
    .map((call) => `${call} ${JSON.stringify(results[call] ?? {})}`);
}

async function waitForInterrupt(url: string): Promise<void> {
  print(`Atrium is running at ${url} until Ctrl-C.`);
  await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')]);
}
