import { join } from 'node:path';
import { CHECKOUT } from '../backing/launcher-context.ts';
import { startBacking } from '../backing/start-backing.ts';
import { ManagedProcess } from '../process-manager/managed-process.ts';
import type { Start } from '../start/launch.ts';
import { answersAt, gatewayPart, servicePart } from '../system/pods.ts';
import { services, sideProcesses } from '../system/services.ts';
import type { Settings } from '../system/settings.ts';
import { choosePorts, PREFIX, settingsOf, sideParts } from '../system/start-system.ts';
import { inspectors, inspectorsBeside, watching } from './inspectors.ts';
import { tellRestarts } from './report-restarts.ts';

const WEB = join(CHECKOUT, 'web');

/** Vite serves the web app from its sources at the address that people open, and passes on to the gateway what is not the web app's. */
const webPart = (port: number, { gateway, shared }: Settings, box: Parameters<Start>[0]['box']): ManagedProcess =>
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
        ...box.env,
        NODE_ENV: 'development',
        API_URL: `http://127.0.0.1:${gateway.port}`,
        S3_BUCKET: shared.S3_BUCKET,
      },
      stopWithinMs: 3_000,
      failsFast: true,
      answers: answersAt(`http://127.0.0.1:${port}/`),
    },
    box,
  );

/** Starts the whole of Atrium so that what is saved runs: services that watch their files, and the web app as Vite serves it. */
export const startDevSystem: Start = async ({ box: given, port, publicUrl }) => {
  const box = { ...given, listener: tellRestarts(given.listener) };
  const inner = await box.ports.of('gateway-behind-vite');
  const [backing, chosen] = await Promise.all([
    startBacking({ ...box, natsPrefix: PREFIX }),
    choosePorts(box, inner, sideProcesses),
  ]);
  const settings = settingsOf({ backing, box, url: publicUrl }, chosen);
  // Vite stands before the gateway, on this machine, and says whose request it passes on.
  const gateway = gatewayPart(settings, box, { nodeArgs: watching('gateway'), env: { TRUSTED_PROXIES: '127.0.0.1' } });
  const all = [
    ...services.map(({ name }) => servicePart(name, settings, box, { nodeArgs: watching(name) })),
    ...sideParts(settings, box, (name) => ({ nodeArgs: watching(name) })),
    gateway,
    webPart(port, settings, box),
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
    hints: [
      `Debuggers: ${[...inspectors, ...inspectorsBeside].map(({ name, port: at }) => `${name} ${at}`).join(', ')}`,
    ],
    async stop() {
      await Promise.all(all.map((part) => part.stop()));
      await backing.stop();
    },
    hurry,
  };
};
