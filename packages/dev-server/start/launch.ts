import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { volumesOf } from '../backing/container.ts';
import { CHECKOUT, openHome, persistentContext } from '../backing/launcher-context.ts';
import { dockerClient } from '../backing/providers/in-container.ts';
import { run } from '../backing/run.ts';
import { externalDataDir } from '../backing/servers/unprivileged.ts';
import { painter } from '../console/colors.ts';
import { createLogStream, type LogStream } from '../console/log-stream.ts';
import { isFree } from '../process-manager/ports.ts';
import { runTool } from '../process-manager/run-tool.ts';
import type { BaseLauncherContext, System } from '../system/start-system.ts';
import { lockDataDir, readRecord, writeRecord } from './launcher-record.ts';
import type { StartOptions } from './options.ts';
import { onShutdown } from './shutdown.ts';

const USUAL_PORT = 3000;
const DEMO = join(CHECKOUT, 'tools/demo/main.ts');

type Launched = Pick<System, 'mailboxUrl' | 'stop' | 'hurry'> & {
  hints?: string[];
};

export type Start = (options: { context: BaseLauncherContext; port: number; publicUrl: string }) => Promise<Launched>;

const startedAt = Date.now();

const printAlreadyRunning = (home: string, log: LogStream): void => {
  const { pid, url, mailboxUrl } = readRecord(home) ?? {};
  log.print(`Atrium is already running from this folder${pid ? ` (process ${pid})` : ''}.`);
  log.print(url ? `  ${url}${mailboxUrl ? `, mailbox at ${mailboxUrl}` : ''}` : '  It is still starting.');
};

const choosePort = async (context: BaseLauncherContext, wanted: number | undefined): Promise<number> => {
  if (wanted === undefined) return context.ports.of('gateway', USUAL_PORT);
  if (await isFree(wanted)) return wanted;
  throw new Error(`Port ${wanted} is in use. Choose another one, or omit --port to use a free one.`);
};

const startAndWelcome = async (
  context: BaseLauncherContext,
  { port: wanted, demo }: StartOptions,
  log: LogStream,
  start: Start,
): Promise<Launched> => {
  const port = await choosePort(context, wanted);
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
  await printWelcome({ url: publicUrl, apiUrl, mailboxUrl, hints, tookMs: Date.now() - startedAt }, log);
  return system;
};

export const launch = async (options: StartOptions, start: Start): Promise<void> => {
  const log = createLogStream();
  const home = openHome();
  const release = await lockDataDir(home);
  if (!release) return printAlreadyRunning(home, log);
  if (options.reset) await resetHome(home);
  const base = persistentContext(home, log);
  // The demo imports past meetings.
  const context = options.demo ? { ...base, env: { ...base.env, ALLOW_PAST_MEETINGS: 'true' } } : base;
  const end = async (code: number): Promise<void> => {
    await context.reaper.close();
    await release();
    process.exit(code);
  };
  let system: Launched | undefined;
  onShutdown({
    gently: async (reason) => {
      log.print(`\nStopping (${reason}). Press Ctrl-C again to stop immediately.`);
      await system?.stop();
      await end(0);
    },
    hurry: () => {
      log.print('Stopping everything immediately.');
      system?.hurry();
      void end(1);
    },
  });
  writeRecord(home, { pid: process.pid, reaper: context.reaper.pid() });
  try {
    system = await startAndWelcome(context, options, log, start);
  } catch (error) {
    if (context.reaper.isClosing()) return;
    log.print(`\n${error instanceof Error ? error.message : error}`);
    await end(1);
  }
};

interface WelcomeOptions {
  url: string;
  apiUrl: string;
  mailboxUrl: string | undefined;
  hints: string[];
  tookMs: number;
}

const isEmpty = async (apiUrl: string): Promise<boolean> => {
  const response = await fetch(`${apiUrl}/api/auth/setup`, { signal: AbortSignal.timeout(5_000) }).catch(
    () => undefined,
  );
  const body: unknown = response?.ok ? await response.json() : undefined;
  return typeof body === 'object' && body !== null && 'setupRequired' in body && body.setupRequired === true;
};

const printWelcome = async (
  { url, apiUrl, mailboxUrl, hints, tookMs }: WelcomeOptions,
  { print }: LogStream,
): Promise<void> => {
  const paint = painter(process.stdout);
  const first = (await isEmpty(apiUrl)) ? `Open ${url} to set up the first administrator.` : `Open ${url} and sign in.`;
  const lines = [
    `Atrium is running (ready after ${(tookMs / 1000).toFixed(1)} s).`,
    '',
    `  Atrium    ${paint('bold', url)}`,
    ...(mailboxUrl ? [`  Mailbox   ${mailboxUrl}`] : []),
    ...hints.map((hint) => `  ${hint}`),
    '',
    `  ${first}`,
    '  Ctrl-C stops everything; the data is kept.',
  ];
  print(`\n${lines.join('\n')}\n`);
};

/** The caller holds the lock of the folder, which stays. */
const resetHome = async (home: string): Promise<void> => {
  const entries = (await readdir(home)).filter((name) => !name.endsWith('.lock'));
  await Promise.all(entries.map((name) => rm(join(home, name), { recursive: true, force: true })));
  await rm(externalDataDir(home), { recursive: true, force: true });
  const docker = await dockerClient();
  for (const volume of docker ? volumesOf(home) : []) {
    await run(docker ?? '', ['volume', 'rm', '--force', volume]).catch(() => undefined);
  }
};
