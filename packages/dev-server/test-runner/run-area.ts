import { spawn } from 'node:child_process';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Guard } from '../process-manager/reaper-client.ts';
import { runTool, type ToolRun } from '../process-manager/run-tool.ts';
import type { Area } from './areas.ts';
import { type Counts, readCounts } from './jest-report.ts';

export interface AreaResult extends Counts {
  name: string;
  seconds: number;
  /** What a check that failed printed; Jest prints for itself. */
  output: string;
}

export interface Surroundings {
  root: string;
  guard: Guard;
}

const CRUISED = ['proto-events', 'packages', 'services', 'gateway', 'web', 'deploy', 'tools', 'tests'];

const LAST_LINES = 20;

const check = async (runs: Promise<ToolRun>[]): Promise<Counts & { output: string }> => {
  const results = await Promise.all(runs);
  const bad = results.filter(({ code }) => code !== 0);
  const output = bad.map((run) => run.output).join('\n');
  if (bad.length === 0) return { passed: 1, failed: 0, failures: [], output };
  return { passed: 0, failed: 1, failures: [output.trimEnd().split('\n').slice(-LAST_LINES).join('\n')], output };
};

const runTypes = ({ root, guard }: Surroundings) =>
  check([runTool(join(root, 'node_modules/typescript/bin/tsc'), ['-b'], { cwd: root, guard })]);

const runLint = ({ root, guard }: Surroundings) =>
  check([
    runTool(join(root, 'node_modules/@biomejs/biome/bin/biome'), ['check', '.', '--diagnostic-level=error'], {
      cwd: root,
      guard,
    }),
    runTool(
      join(root, 'node_modules/dependency-cruiser/bin/dependency-cruise.mjs'),
      ['--config', '.dependency-cruiser.mjs', ...CRUISED],
      { cwd: root, guard },
    ),
  ]);

const jestEnvironment = (folder: string): NodeJS.ProcessEnv => ({
  ...process.env,
  // What tests and their tools leave in the folder for passing files goes with the run and meets nobody else's: the browser
  // that an npm package brings is unpacked there under a fixed name.
  TMPDIR: folder,
  NODE_OPTIONS:
    `${process.env.NODE_OPTIONS ?? ''} --experimental-vm-modules --disable-warning=ExperimentalWarning`.trim(),
});

const JEST = 'node_modules/jest/bin/jest.js';

const choiceOf = (area: Area): string[] => [
  '--selectProjects',
  ...area.projects,
  ...area.paths.flatMap((path) => ['--testPathPatterns', path]),
  `--maxWorkers=${area.workers}`,
];

/** With a folder for passing files, which goes with the run. */
const withFolder = async <T>(guard: Guard, run: (folder: string) => Promise<T>): Promise<T> => {
  const folder = await mkdtemp(join(tmpdir(), 'atrium-run-'));
  // PostgreSQL, which runs as another account where root starts it, passes through.
  await chmod(folder, 0o711);
  guard.addFolder(folder);
  try {
    return await run(folder);
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 5 }).catch(() => undefined);
  }
};

const runJest = ({ root, guard }: Surroundings, area: Area): Promise<Counts & { output: string }> =>
  withFolder(guard, async (folder) => {
    const file = join(folder, 'report.json');
    const { code } = await runTool(join(root, JEST), [...choiceOf(area), '--json', '--outputFile', file], {
      cwd: root,
      env: jestEnvironment(folder),
      guard,
      live: true,
    });
    return { ...(await readCounts(file, code, root)), output: '' };
  });

/** Has Jest watch one area until whoever sits before it ends it; answers its exit code. */
export const watchArea = (area: Area, { root, guard }: Surroundings): Promise<number> =>
  withFolder(guard, async (folder) => {
    // It asks the keyboard what to run, so it stays in the group of processes that the terminal has before it.
    const child = spawn(process.execPath, [join(root, JEST), ...choiceOf(area), '--watch'], {
      cwd: root,
      env: jestEnvironment(folder),
      stdio: 'inherit',
    });
    if (child.pid) guard.add({ pid: child.pid, signal: 'SIGTERM', order: 0 });
    const code = await new Promise<number | null>((resolve, reject) =>
      child.once('error', reject).once('close', resolve),
    );
    if (child.pid) guard.remove(child.pid);
    return code ?? 1;
  });

/** Runs one area and answers what came out, with the time it took. */
export const runArea = async (area: Area, around: Surroundings): Promise<AreaResult> => {
  const began = Date.now();
  const run = { types: runTypes, lint: runLint, jest: (surroundings: Surroundings) => runJest(surroundings, area) };
  const result = await run[area.kind](around);
  return { name: area.name, seconds: (Date.now() - began) / 1000, ...result };
};
