import { join } from 'node:path';
import { CHECKOUT } from '../backing/launcher-context.ts';
import { startBacking } from '../backing/servers/start-backing.ts';
import { ManagedProcess, type ProcessListener } from '../process-manager/managed-process.ts';
import type { Start } from '../start/launch.ts';
import { answersAt, createGatewayProcess, createServiceProcess } from '../system/pods.ts';
import { services, sideProcesses } from '../system/services.ts';
import type { Settings } from '../system/settings.ts';
import { choosePorts, createSideProcesses, PREFIX, settingsOf } from '../system/start-system.ts';
import { inspectors, sideInspectors, watchArgs } from './inspectors.ts';

const RESTARTING = /^Restarting '/;
const FAILED = /^Failed running '/;
const READY = /"msg":"ready"/;
const CHATTER = /^(Debugger (listening|attached)|For help, see: |Waiting for the debugger)/;

export const reportRestarts = ({ line, say }: ProcessListener): ProcessListener => {
  const since = new Map<string, number>();
  return {
    say,
    line(name, text) {
      if (CHATTER.test(text)) return;
      if (RESTARTING.test(text)) {
        since.set(name, performance.now());
        return;
      }
      line(name, FAILED.test(text) ? 'failed; it restarts when the next file is saved' : text);
      const startedAt = since.get(name);
      if (startedAt === undefined || !READY.test(text)) return;
      since.delete(name);
      say(name, `restarted, ${((performance.now() - startedAt) / 1000).toFixed(1)} s later`);
    },
  };
};

const WEB = join(CHECKOUT, 'web');

const createWebProcess = (
  port: number,
  { gateway, shared }: Settings,
  context: Parameters<Start>[0]['context'],
): ManagedProcess =>
  new ManagedProcess(
    {
      name: 'web',
      file: process.execPath,
      args: [
        join(CHECKOUT, 'node_modules/vite/bin/vite.js'),
        '--port',
        String(port),
        '--strictPort',
        '--clearScreen=false',
      ],
      cwd: WEB,
      env: {
        ...context.env,
        NODE_ENV: 'development',
        API_URL: `http://127.0.0.1:${gateway.port}`,
        S3_BUCKET: shared.S3_BUCKET,
      },
      stopWithinMs: 3_000,
      failsFast: true,
      answers: answersAt(`http://127.0.0.1:${port}/`),
    },
    context,
  );

export const startDevSystem: Start = async ({ context: base, port, publicUrl }) => {
  const context = { ...base, listener: reportRestarts(base.listener) };
  const inner = await context.ports.of('gateway-behind-vite');
  const [backing, chosen] = await Promise.all([
    startBacking({ ...context, natsPrefix: PREFIX }),
    choosePorts(context, inner, sideProcesses),
  ]);
  const settings = settingsOf({ backing, context, url: publicUrl }, chosen);
  // Vite is a proxy of the gateway on this machine and sets X-Forwarded-For.
  const gateway = createGatewayProcess(settings, context, {
    nodeArgs: watchArgs('gateway'),
    env: { TRUSTED_PROXIES: '127.0.0.1' },
  });
  const all = [
    ...services.map(({ name }) => createServiceProcess(name, settings, context, { nodeArgs: watchArgs(name) })),
    ...createSideProcesses(settings, context, (name) => ({ nodeArgs: watchArgs(name) })),
    gateway,
    createWebProcess(port, settings, context),
  ];
  const hurry = () => {
    for (const part of all) part.hurry();
    backing.hurry();
  };
  try {
    await Promise.all(all.map((part) => part.start()));
  } catch (error) {
    hurry();
    throw error;
  }
  return {
    mailboxUrl: backing.addresses.mailbox?.webUrl,
    hints: [`Debuggers: ${[...inspectors, ...sideInspectors].map(({ name, port: at }) => `${name} ${at}`).join(', ')}`],
    async stop() {
      await Promise.all(all.map((part) => part.stop()));
      await backing.stop();
    },
    hurry,
  };
};
