import { join } from 'node:path';
import { CHECKOUT, lastingToolbox, openHome } from './backing/toolbox.ts';
import { createLogStream, type LogStream } from './console/log-stream.ts';
import { greet } from './start/greet.ts';
import { HELP, readOptions, type StartOptions } from './start/options.ts';
import { resetHome } from './start/reset.ts';
import { claimHome, readRecord, writeRecord } from './start/running.ts';
import { onShutdown } from './start/shutdown.ts';
import { isFree } from './supervise/ports.ts';
import { runTool } from './supervise/run-tool.ts';
import { type Box, type System, startSystemIn } from './system/start-system.ts';

const USUAL_PORT = 3000;
const DEMO = join(CHECKOUT, 'tools/demo/main.ts');
const began = Date.now();
const log = createLogStream();

const options = (): StartOptions => {
  try {
    return readOptions(process.argv.slice(2));
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : error}\n\n${HELP}`);
    process.exit(64);
  }
};

const sayRunning = (home: string): void => {
  const { pid, url, mailboxUrl } = readRecord(home) ?? {};
  log.tell(`Atrium is already running from this folder${pid ? ` (process ${pid})` : ''}.`);
  log.tell(url ? `  ${url}${mailboxUrl ? `, mailbox at ${mailboxUrl}` : ''}` : '  It is still starting.');
};

const choosePort = async (box: Box, wanted: number | undefined): Promise<number> => {
  if (wanted === undefined) return box.ports.of('gateway', USUAL_PORT);
  if (await isFree(wanted)) return wanted;
  throw new Error(`Port ${wanted} is taken. Choose another one with --port, or none to have a free one chosen.`);
};

const run = async (box: Box, { port: wanted, demo }: StartOptions, stream: LogStream): Promise<System> => {
  const port = await choosePort(box, wanted);
  const publicUrl = box.env.PUBLIC_URL || `http://localhost:${port}`;
  const system = await startSystemIn({ box, port, publicUrl });
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
  await greet(
    { url: publicUrl, apiUrl: `http://127.0.0.1:${port}`, mailboxUrl: system.mailboxUrl, tookMs: Date.now() - began },
    stream,
  );
  return system;
};

const start = async (): Promise<void> => {
  const chosen = options();
  if (chosen.help) return log.tell(HELP);
  const home = openHome();
  const release = await claimHome(home);
  if (!release) return sayRunning(home);
  if (chosen.reset) await resetHome(home);
  const lasting = lastingToolbox(home, log);
  // The demo's past meetings are written the way an old calendar is imported.
  const box = chosen.demo ? { ...lasting, env: { ...lasting.env, ALLOW_PAST_MEETINGS: 'true' } } : lasting;
  const end = async (code: number): Promise<void> => {
    await box.guard.close();
    await release();
    process.exit(code);
  };
  let system: System | undefined;
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
    system = await run(box, chosen, log);
  } catch (error) {
    // What was still starting when everything was asked to end.
    if (box.guard.isClosing()) return;
    log.tell(`\n${error instanceof Error ? error.message : error}`);
    await end(1);
  }
};

await start();
