import { join } from 'node:path';
import { CHECKOUT, openHome, persistentContext } from '../backing/launcher-context.ts';
import { createLogStream, type LogStream } from '../console/log-stream.ts';
import { isFree } from '../process-manager/ports.ts';
import { runTool } from '../process-manager/run-tool.ts';
import type { BaseLauncherContext, System } from '../system/start-system.ts';
import type { StartOptions } from './options.ts';
import { greet } from './print-welcome.ts';
import { resetHome } from './reset.ts';
import { lockDataDir, readRecord, writeRecord } from './running.ts';
import { onShutdown } from './shutdown.ts';

const USUAL_PORT = 3000;
const DEMO = join(CHECKOUT, 'tools/demo/main.ts');

/** What a launcher needs of what it has started. */
export type Launched = Pick<System, 'mailboxUrl' | 'stop' | 'hurry'> & {
  /** What else there is to know, for whoever sits before it. */
  hints?: string[];
};

/** Starts a whole Atrium in that box, which people open at that address. */
export type Start = (options: { box: BaseLauncherContext; port: number; publicUrl: string }) => Promise<Launched>;

const began = Date.now();

const sayRunning = (home: string, log: LogStream): void => {
  const { pid, url, mailboxUrl } = readRecord(home) ?? {};
  log.tell(`Atrium is already running from this folder${pid ? ` (process ${pid})` : ''}.`);
  log.tell(url ? `  ${url}${mailboxUrl ? `, mailbox at ${mailboxUrl}` : ''}` : '  It is still starting.');
};

const choosePort = async (box: BaseLauncherContext, wanted: number | undefined): Promise<number> => {
  if (wanted === undefined) return box.ports.of('gateway', USUAL_PORT);
  if (await isFree(wanted)) return wanted;
  throw new Error(`Port ${wanted} is taken. Choose another one with --port, or none to have a free one chosen.`);
};

const run = async (
  box: BaseLauncherContext,
  { port: wanted, demo }: StartOptions,
  log: LogStream,
  start: Start,
): Promise<Launched> => {
  const port = await choosePort(box, wanted);
  const publicUrl = box.env.PUBLIC_URL || `http://localhost:${port}`;
  const system = await start({ box, port, publicUrl });
  writeRecord(box.home, {
    pid: process.pid,
    guardian: box.guard.pid(),
    url: publicUrl,
    ...(system.mailboxUrl ? { mailboxUrl: system.mailboxUrl } : {}),
  });
  if (demo) {
    const { code } = await runTool(DEMO, [`http://127.0.0.1:${port}`], { cwd: CHECKOUT, guard: box.guard, live: true });
    if (code !== 0) throw new Error('The demo could not be filled in; see above. Atrium itself had started.');
  }
  const apiUrl = `http://127.0.0.1:${port}`;
  const { mailboxUrl, hints = [] } = system;
  await greet({ url: publicUrl, apiUrl, mailboxUrl, hints, tookMs: Date.now() - began }, log);
  return system;
};

/** Runs an Atrium that keeps its data, until it is told to stop. */
export const launch = async (chosen: StartOptions, start: Start): Promise<void> => {
  const log = createLogStream();
  const home = openHome();
  const release = await lockDataDir(home);
  if (!release) return sayRunning(home, log);
  if (chosen.reset) await resetHome(home);
  const lasting = persistentContext(home, log);
  // The demo's past meetings are written the way an old calendar is imported.
  const box = chosen.demo ? { ...lasting, env: { ...lasting.env, ALLOW_PAST_MEETINGS: 'true' } } : lasting;
  const end = async (code: number): Promise<void> => {
    await box.guard.close();
    await release();
    process.exit(code);
  };
  let system: Launched | undefined;
  onShutdown({
    gently: async (reason) => {
      log.tell(`\nStopping (${reason}); once more to hurry.`);
      await system?.stop();
      await end(0);
    },
    hurry: () => {
      log.tell('Ending everything at once.');
      system?.hurry();
      void end(1);
    },
  });
  writeRecord(home, { pid: process.pid, guardian: box.guard.pid() });
  try {
    system = await run(box, chosen, log, start);
  } catch (error) {
    // What was still starting when everything was asked to end.
    if (box.guard.isClosing()) return;
    log.tell(`\n${error instanceof Error ? error.message : error}`);
    await end(1);
  }
};
