import { join } from 'node:path';
import { CHECKOUT } from '../backing/launcher-context.ts';
import { startBacking } from '../backing/servers/start-backing.ts';
import { ManagedProcess, type ProcessListener } from '../process-manager/managed-process.ts';
import type { StartSystem } from '../start/launch.ts';
import { createGatewayProcess, createReadinessCheck, createServiceProcess } from '../system/pods.ts';
import { roleProcesses, services } from '../system/services.ts';
import type { Settings } from '../system/settings.ts';
import { buildSettings, choosePorts, createRoleProcesses, NATS_PREFIX } from '../system/start-system.ts';
import { inspectors, roleInspectors, watchArgs } from './inspectors.ts';

const RESTARTING = /^Restarting '/;
const FAILED = /^Failed running '/;
const READY = /"msg":"ready"/;
const DEBUGGER_OUTPUT = /^(Debugger (listening|attached)|For help, see: |Waiting for the debugger)/;

export const reportRestarts = ({ line, log }: ProcessListener): ProcessListener => {
  const restartTimes = new Map<string, number>();
  return {
    log,
    line(name, text) {
      if (DEBUGGER_OUTPUT.test(text)) return;
      if (RESTARTING.test(text)) {
        restartTimes.set(name, performance.now());
        return;
      }
      line(name, FAILED.test(text) ? 'failed; it restarts when the next file is saved' : text);
      const startedAt = restartTimes.get(name);
      if (startedAt === undefined || !READY.test(text)) return;
      restartTimes.delete(name);
      log(name, `restarted, ${((performance.now() - startedAt) / 1000).toFixed(1)} s later`);
    },
  };
};

const WEB = join(CHECKOUT, 'web');

const createWebProcess = (
  port: number,
  { gateway, shared }: Settings,
  context: Parameters<StartSystem>[0]['context'],
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
      stopTimeoutMs: 3_000,
      failsFast: true,
      checkReady: createReadinessCheck(`http://127.0.0.1:${port}/`),
    },
    context,
  );

export const startDevSystem: StartSystem = async ({ context: base, port, publicUrl }) => {
  const context = { ...base, listener: reportRestarts(base.listener) };
  const gatewayPort = await context.ports.reserve('gateway-behind-vite');
  const [backing, ports] = await Promise.all([
    startBacking({ ...context, natsPrefix: NATS_PREFIX }),
    choosePorts(context, gatewayPort, roleProcesses),
  ]);
  const settings = buildSettings({ backing, context, url: publicUrl }, ports);
  // Vite proxies to the gateway on this machine and sets X-Forwarded-For.
  const gateway = createGatewayProcess(settings, context, {
    nodeArgs: watchArgs('gateway'),
    env: { TRUSTED_PROXIES: '127.0.0.1' },
  });
  const processes = [
    ...services.map(({ name }) => createServiceProcess(name, settings, context, { nodeArgs: watchArgs(name) })),
    ...createRoleProcesses(settings, context, (name) => ({ nodeArgs: watchArgs(name) })),
    gateway,
    createWebProcess(port, settings, context),
  ];
  const killAll = () => {
    for (const process of processes) process.killNow();
    backing.killAll();
  };
  try {
    await Promise.all(processes.map((process) => process.start()));
  } catch (error) {
    killAll();
    throw error;
  }
  return {
    mailboxUrl: backing.addresses.mailbox?.webUrl,
    hints: [`Debuggers: ${[...inspectors, ...roleInspectors].map(({ name, port: at }) => `${name} ${at}`).join(', ')}`],
    async stop() {
      await Promise.all(processes.map((process) => process.stop()));
      await backing.stop();
    },
    killAll,
  };
};
