import { spawn } from 'node:child_process';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ReaperClient } from '../process-manager/reaper-client.ts';
import { runTool, type ToolRun } from '../process-manager/run-tool.ts';
import type { Area } from './areas.ts';
import { type Counts, readCounts } from './jest-report.ts';

export interface AreaResult extends Counts {
  name: string;
  seconds: number;
  output: string;
}

export interface RunContext {
  root: string;
  reaper: ReaperClient;
}

const LINTED_FOLDERS = ['proto-events', 'packages', 'services', 'gateway', 'web', 'deploy', 'tools', 'tests'];

const MAX_LINES = 20;

const checkRuns = async (runs: Promise<ToolRun>[]): Promise<Counts & { output: string }> => {
  const results = await Promise.all(runs);
  const failedRuns = results.filter(({ code }) => code !== 0);
  const output = failedRuns.map((run) => run.output).join('\n');
  if (failedRuns.length === 0) return { passed: 1, failed: 0, failures: [], output };
  return { passed: 0, failed: 1, failures: [output.trimEnd().split('\n').slice(-MAX_LINES).join('\n')], output };
};

const runTypes = ({ root, reaper }: RunContext) =>
  checkRuns([runTool(join(root, 'node_modules/typescript/bin/tsc'), ['-b'], { cwd: root, reaper })]);

const runLint = ({ root, reaper }: RunContext) =>
  checkRuns([
    runTool(join(root, 'node_modules/@biomejs/biome/bin/biome'), ['check', '.', '--diagnostic-level=error'], {
      cwd: root,
      reaper,
    }),
    ...['.dependency-cruiser.mjs', '.dependency-cruiser-folders.mjs'].map((config) =>
      runTool(
        join(root, 'node_modules/dependency-cruiser/bin/dependency-cruise.mjs'),
        ['--config', config, ...LINTED_FOLDERS],
        { cwd: root, reaper },
      ),
    ),
    ...['patterns/check-patterns.ts', 'vocabulary/check-vocabulary.ts'].map((script) =>
      runTool(join(root, 'tools', script), [], { cwd: root, reaper }),
    ),
  ]);

const jestEnvironment = (folder: string): NodeJS.ProcessEnv => ({
  ...process.env,
  // Each run has its own temporary folder, so that leftovers are removed and runs do not conflict: an npm package
  // unpacks its browser there under a fixed name.
  TMPDIR: folder,
  NODE_OPTIONS:
    `${process.env.NODE_OPTIONS ?? ''} --experimental-vm-modules --disable-warning=ExperimentalWarning`.trim(),
});

const JEST = 'node_modules/jest/bin/jest.js';

const buildJestArgs = (area: Area): string[] => [
  '--selectProjects',
  ...area.projects,
  ...area.paths.flatMap((path) => ['--testPathPatterns', path]),
  `--maxWorkers=${area.workers}`,
];

const withTempDir = async <T>(reaper: ReaperClient, run: (folder: string) => Promise<T>): Promise<T> => {
  const folder = await mkdtemp(join(tmpdir(), 'atrium-run-'));
  // If root starts PostgreSQL, it runs under a separate account, which must be able to traverse the folder.
  await chmod(folder, 0o711);
  reaper.addFolder(folder);
  try {
    return await run(folder);
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 5 }).catch(() => undefined);
  }
};

const runJest = ({ root, reaper }: RunContext, area: Area): Promise<Counts & { output: string }> =>
  withTempDir(reaper, async (folder) => {
    const file = join(folder, 'report.json');
    const { code } = await runTool(join(root, JEST), [...buildJestArgs(area), '--json', '--outputFile', file], {
      cwd: root,
      env: jestEnvironment(folder),
      reaper,
      live: true,
    });
    return { ...(await readCounts(file, code, root)), output: '' };
  });

export const watchArea = (area: Area, { root, reaper }: RunContext): Promise<number> =>
  withTempDir(reaper, async (folder) => {
    // Jest reads the keyboard, so it must stay in the terminal's foreground process group.
    const child = spawn(process.execPath, [join(root, JEST), ...buildJestArgs(area), '--watch'], {
      cwd: root,
      env: jestEnvironment(folder),
      stdio: 'inherit',
    });
    if (child.pid) reaper.add({ pid: child.pid, signal: 'SIGTERM', stopPhase: 0 });
    const code = await new Promise<number | null>((resolve, reject) =>
      child.once('error', reject).once('close', resolve),
    );
    if (child.pid) reaper.remove(child.pid);
    return code ?? 1;
  });

export const runArea = async (area: Area, runContext: RunContext): Promise<AreaResult> => {
  const startedAt = Date.now();
  const run = { types: runTypes, lint: runLint, jest: (context: RunContext) => runJest(context, area) };
  const result = await run[area.kind](runContext);
  return { name: area.name, seconds: (Date.now() - startedAt) / 1000, ...result };
};
