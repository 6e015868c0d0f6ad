import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { listVolumes } from '../backing/container.ts';
import { CHECKOUT, persistentContext, prepareHome } from '../backing/launcher-context.ts';
import { findDocker } from '../backing/providers/in-container.ts';
import { run } from '../backing/run.ts';
import { externalDataDir } from '../backing/servers/unprivileged.ts';
import { createPainter } from '../console/colors.ts';
import { createLogStream, type LogStream } from '../console/log-stream.ts';
import { isFree } from '../process-manager/ports.ts';
import { runTool } from '../process-manager/run-tool.ts';
import type { BaseLauncherContext, System } from '../system/start-system.ts';
import { lockDataDir, readRecord, writeRecord } from './launcher-record.ts';
import type { StartOptions } from './options.ts';
import { onShutdown } from './shutdown.ts';

const DEFAULT_PORT = 3000;
const DEMO = join(CHECKOUT, 'tools/demo/main.ts');

type LaunchedSystem = Pick<System, 'mailboxUrl' | 'stop' | 'killAll'> & {
  hints?: string[];
};

export type StartSystem = (options: {
  context: BaseLauncherContext;
  port: number;
  publicUrl: string;
}) => Promise<LaunchedSystem>;

const startedAt = Date.now();

const printAlreadyRunning = (home: string, log: LogStream): void => {
  const { pid, url, mailboxUrl } = readRecord(home) ?? {};
  log.print(`Atrium is already running from this folder${pid ? ` (process ${pid})` : ''}.`);
  log.print(url ? `  ${url}${mailboxUrl ? `, mailbox at ${mailboxUrl}` : ''}` : '  It is still starting.');
};

const choosePort = async (context: BaseLauncherContext, requestedPort: number | undefined): Promise<number> => {
  if (requestedPort === undefined) return context.ports.reserve('gateway', DEFAULT_PORT);
  if (await isFree(requestedPort)) return requestedPort;
  throw new Error(`Port ${requestedPort} is in use. Choose another one, or omit --port to use a free one.`);
};

const startAndPrintWelcome = async (
  context: BaseLauncherContext,
  { port: requestedPort, demo }: StartOptions,
  log: LogStream,
  start: StartSystem,
): Promise<LaunchedSystem> => {
  const port = await choosePort(context, requestedPort);
  const publicUrl = context.env.PUBLIC_URL || `http://localhost:${port}`;
  const system = await start({ context, port, publicUrl });
  writeRecord(context.home, {
    pid: process.pid,
    reaper: context.reaper.pid(),
    url: publicUrl,
    ...(system.mailboxUrl ? { mailboxUrl: system.mailboxUrl } : {}),
  });
  if (demo) {
    const { code } = await runTool(DEMO, [`http://127.0.0.1:${port}`], {
      cwd: CHECKOUT,
      reaper: context.reaper,
      live: true,
    });
    if (code !== 0) throw new Error('Failed to create the demo data; see above. Atrium itself has started.');
  }
  const apiUrl = `http://127.0.0.1:${port}`;
  const { mailboxUrl, hints = [] } = system;
  await printWelcome({ url: publicUrl, apiUrl, mailboxUrl, hints, startupMs: Date.now() - startedAt }, log);
  return system;
};

export const launch = async (options: StartOptions, start: StartSystem): Promise<void> => {
  const log = createLogStream();
  const home = prepareHome();
  const release = await lockDataDir(home);
  if (!release) return printAlreadyRunning(home, log);
  if (options.reset) await resetHome(home);
  const base = persistentContext(home, log);
  // The demo creates past meetings.
  const context = options.demo ? { ...base, env: { ...base.env, ALLOW_PAST_MEETINGS: 'true' } } : base;
  const exit = async (code: number): Promise<void> => {
    await context.reaper.close();
    await release();
    process.exit(code);
  };
  let system: LaunchedSystem | undefined;
  onShutdown({
    stopGracefully: async (reason) => {
      log.print(`\nStopping (${reason}). Press Ctrl-C again to stop immediately.`);
      await system?.stop();
      await exit(0);
    },
    killAll: () => {
      log.print('Stopping everything immediately.');
      system?.killAll();
      void exit(1);
    },
  });
  writeRecord(home, { pid: process.pid, reaper: context.reaper.pid() });
  try {
    system = await startAndPrintWelcome(context, options, log, start);
  } catch (error) {
    if (context.reaper.isClosing()) return;
    log.print(`\n${error instanceof Error ? error.message : error}`);
    await exit(1);
  }
};

interface WelcomeOptions {
  url: string;
  apiUrl: string;
  mailboxUrl: string | undefined;
  hints: string[];
  startupMs: number;
}

const isSetupRequired = async (apiUrl: string): Promise<boolean> => {
  const response = await fetch(`${apiUrl}/api/auth/setup`, { signal: AbortSignal.timeout(5_000) }).catch(
    () => undefined,
  );
  const body: unknown = response?.ok ? await response.json() : undefined;
  return typeof body === 'object' && body !== null && 'setupRequired' in body && body.setupRequired === true;
};

const printWelcome = async (
  { url, apiUrl, mailboxUrl, hints, startupMs }: WelcomeOptions,
  { print }: LogStream,
): Promise<void> => {
  const paint = createPainter(process.stdout);
  const nextStep = (await isSetupRequired(apiUrl))
    ? `Open ${url} to set up the first administrator.`
    : `Open ${url} and sign in.`;
  const lines = [
    `Atrium is running (ready after ${(startupMs / 1000).toFixed(1)} s).`,
    '',
    `  Atrium    ${paint('bold', url)}`,
    ...(mailboxUrl ? [`  Mailbox   ${mailboxUrl}`] : []),
    ...hints.map((hint) => `  ${hint}`),
    '',
    `  ${nextStep}`,
    '  Ctrl-C stops everything; the data is kept.',
  ];
  print(`\n${lines.join('\n')}\n`);
};

/** Deletes everything in the home folder except its lock, which the caller holds. */
const resetHome = async (home: string): Promise<void> => {
  const entries = (await readdir(home)).filter((name) => !name.endsWith('.lock'));
  await Promise.all(entries.map((name) => rm(join(home, name), { recursive: true, force: true })));
  await rm(externalDataDir(home), { recursive: true, force: true });
  const docker = await findDocker();
  for (const volume of docker ? listVolumes(home) : []) {
    await run(docker ?? '', ['volume', 'rm', '--force', volume]).catch(() => undefined);
  }
};
