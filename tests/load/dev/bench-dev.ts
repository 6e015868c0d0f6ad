import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { CHECKOUT } from '@atrium/dev-server/backing/launcher-context';
import { inspectors } from '@atrium/dev-server/dev/inspectors';
import { waitUntil } from '@atrium/dev-server/process-manager/wait-until';
import { z } from 'zod';
import { launchChromium } from '../../browser/chromium.ts';
import { findChromium } from '../../browser/setup/find-chromium.ts';
import { type Figure, median, report } from '../figures.ts';

const START_MS = 300_000;
const END_MS = 60_000;
const ports = z.record(z.string(), z.number());

/** A separate development start for measurements. */
interface DevStart {
  url: string;
  /** The readiness URL of a process. */
  probe(name: string): string;
  text(): string;
  /** Sends Ctrl-C and waits until every process has ended. */
  end(): Promise<void>;
}

/** Starts `npm run dev` with its own data, which is deleted at the end. */
const startDev = async (): Promise<DevStart> => {
  const dataDir = mkdtempSync(join(tmpdir(), 'atrium-dev-'));
  const env = { ...process.env, ATRIUM_HOME: dataDir, NO_COLOR: '1', LOG_LEVEL: 'info', PUBLIC_URL: '' };
  const child: ChildProcess = spawn(process.execPath, [join(CHECKOUT, 'packages/dev-server/dev.ts')], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (text += String(chunk)));
  const end = async () => {
    child.kill('SIGINT');
    const assertEnded = async () => {
      if (child.exitCode === null && child.signalCode === null) throw new Error('still running');
    };
    await waitUntil(assertEnded, { timeoutMs: END_MS });
    rmSync(dataDir, { recursive: true, force: true });
  };
  const assertStarted = async () => {
    if (!text.includes('Ctrl-C stops everything')) throw new Error(`npm run dev failed to start:\n${text}`);
  };
  try {
    await waitUntil(assertStarted, { timeoutMs: START_MS, shouldGiveUp: () => child.exitCode !== null });
  } catch (error) {
    await end();
    throw error;
  }
  const portsByName = ports.parse(JSON.parse(readFileSync(join(dataDir, 'ports.json'), 'utf8')));
  return {
    url: / {2}Atrium +(http\S+)/.exec(text)?.[1] ?? '',
    probe: (name) => `http://127.0.0.1:${portsByName[name === 'gateway' ? 'gateway-internal' : name]}/readyz`,
    text: () => text,
    end,
  };
};

const SAVES = 3;
const POLL_MS = 3;
const TIMEOUT_MS = 30_000;
const SCREEN = 'web/src/app/routes/auth-layout.tsx';

const sourceFileOf = (name: string): string =>
  name === 'gateway' ? 'gateway/src/config.ts' : `services/${name}/src/config.ts`;

/** Touches a file, like an editor that saves it unchanged. */
const save = (file: string): void => utimesSync(join(CHECKOUT, file), new Date(), new Date());

const isReady = async (probe: string): Promise<boolean> =>
  fetch(probe, { headers: { connection: 'close' } }).then(
    ({ ok }) => ok,
    () => false,
  );

const waitUntilTrue = async (name: string, condition: () => Promise<boolean>): Promise<void> => {
  const deadline = performance.now() + TIMEOUT_MS;
  while (!(await condition())) {
    if (performance.now() > deadline) throw new Error(`${name}: not in ${TIMEOUT_MS / 1000} s\n${dev.text()}`);
    await delay(POLL_MS);
  }
};

/** Measures the time from saving until the process responds again. */
const timeRestart = async (file: string, probe: string): Promise<number> => {
  const startedAt = performance.now();
  save(file);
  await waitUntilTrue(`the shutdown before ${file}`, async () => !(await isReady(probe)));
  await waitUntilTrue(`a start with ${file}`, () => isReady(probe));
  return performance.now() - startedAt;
};

const measureRestarts = async (dev: DevStart): Promise<Figure[]> => {
  const figures: Figure[] = [];
  for (const { name } of inspectors) {
    const times: number[] = [];
    for (let count = 0; count < SAVES; count += 1) times.push(await timeRestart(sourceFileOf(name), dev.probe(name)));
    const detail = times.map((durationMs) => durationMs.toFixed(0)).join(', ');
    figures.push({
      name: `${name}: saved to running`,
      value: median(times),
      unit: ' ms',
      limit: 1_000,
      sense: 'at most',
      detail,
    });
  }
  return figures;
};

/** Measures the time from saving until a browser shows the updated screen without a reload. */
const measureScreenUpdate = async (dev: DevStart): Promise<Figure> => {
  process.env.ATRIUM_TEST_CHROMIUM ??= (await findChromium()).file;
  const browser = await launchChromium();
  try {
    const page = await browser.newPage();
    let updates = 0;
    page.on('console', (message) => {
      if (message.text().includes(`hot updated: /${SCREEN.slice('web/'.length)}`)) updates += 1;
    });
    await page.goto(`${dev.url}/login`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.evaluate('globalThis.sameDocument = true');
    const times: number[] = [];
    for (let count = 0; count < SAVES + 1; count += 1) {
      const before = updates;
      const startedAt = performance.now();
      save(SCREEN);
      await waitUntilTrue('the updated screen', async () => updates > before);
      times.push(performance.now() - startedAt);
    }
    if ((await page.evaluate('globalThis.sameDocument')) !== true) throw new Error('The page was reloaded');
    // The first update makes the browser load the hot-reload code.
    const detail = times.map((durationMs) => durationMs.toFixed(0)).join(', ');
    return {
      name: 'a screen: saved to shown',
      value: median(times.slice(1)),
      unit: ' ms',
      limit: 300,
      sense: 'at most',
      detail,
    };
  } finally {
    await browser.close();
  }
};

/** Checks that a syntax error is reported while other services keep running, and measures the restart after its fix. */
const measureRecovery = async (dev: DevStart): Promise<Figure> => {
  const file = join(CHECKOUT, sourceFileOf('users'));
  const original = readFileSync(file, 'utf8');
  const logStart = dev.text().length;
  try {
    writeFileSync(file, `${original}\nconst broken: = 1;\n`);
    const isReported = async () => {
      if (!/failed; it restarts/.test(dev.text().slice(logStart))) throw new Error('The error was not reported');
    };
    await waitUntil(isReported, { timeoutMs: 20_000 });
    if (!(await isReady(dev.probe('auth')))) throw new Error('Another service was restarted');
  } finally {
    writeFileSync(file, original);
  }
  const startedAt = performance.now();
  await waitUntilTrue('a restart after the fix', () => isReady(dev.probe('users')));
  return {
    name: 'users: fixed to running',
    value: performance.now() - startedAt,
    unit: ' ms',
    limit: 1_000,
    sense: 'at most',
    detail: '',
  };
};

const print = (line: string) => void process.stdout.write(`${line}\n`);
const dev = await startDev();
const figures: Figure[] = [];
try {
  figures.push(...(await measureRestarts(dev)), await measureScreenUpdate(dev), await measureRecovery(dev));
} finally {
  await dev.end();
}
process.exitCode = report(figures, print) ? 0 : 1;
