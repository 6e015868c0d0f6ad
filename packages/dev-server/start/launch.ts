import { join } from 'node:path';
import { CHECKOUT, openHome, persistentContext } from '../backing/launcher-context.ts';
import { createLogStream, type LogStream } from '../console/log-stream.ts';
import { isFree } from '../process-manager/ports.ts';
import { runTool } from '../process-manager/run-tool.ts';
import type { BaseLauncherContext, System } from '../system/start-system.ts';
import { lockDataDir, readRecord, writeRecord } from './launcher-record.ts';
import type { StartOptions } from './options.ts';
import { printWelcome } from './print-welcome.ts';
import { resetHome } from './reset.ts';
import { onShutdown } from './shutdown.ts';

const USUAL_PORT = 3000;
const DEMO = join(CHECKOUT, 'tools/demo/main.ts');

/** What a launcher needs of a started system. */
export type Launched = Pick<System, 'mailboxUrl' | 'stop' | 'hurry'> & {
  /** Additional lines for the welcome message. */
  hints?: string[];
};

/** Starts Atrium in a context, at a public URL. */
export type Start = (options: { context: BaseLauncherContext; port: number; publicUrl: string }) => Promise<Launched>;

const began = Date.now();

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

const run = async (
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
  await printWelcome({ url: publicUrl, apiUrl, mailboxUrl, hints, tookMs: Date.now() - began }, log);
  return system;
};

/** Runs Atrium with persistent data until it is stopped. */
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
    system = await run(context, options, log, start);
  } catch (error) {
    // The shutdown interrupted the start.
    if (context.reaper.isClosing()) return;
    log.print(`\n${error instanceof Error ? error.message : error}`);
    await end(1);
  }
};
