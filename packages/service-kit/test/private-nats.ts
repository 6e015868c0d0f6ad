import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ephemeralContext } from '@atrium/dev-server/backing/launcher-context';
import type { LauncherContext } from '@atrium/dev-server/backing/server';
import { natsPassword } from '@atrium/dev-server/backing/servers/nats';
import { startBacking } from '@atrium/dev-server/backing/servers/start-backing';

export type PrivateNats = {
  url: string;
  /** The password of a service's user, if started with a prefix; `operator` has all permissions. */
  password(user: string): string;
  stop(): Promise<void>;
  /** Restarts it with its data. */
  start(): Promise<void>;
  /** Restarts it on the same port without its data. */
  startEmpty(): Promise<void>;
  /** Reloads a changed configuration, like an operator: the file, and a signal. */
  reload(change: (configuration: string) => string): Promise<void>;
  close(): Promise<void>;
};

type Options = Pick<LauncherContext, 'natsPrefix' | 'natsTls'>;

/** A private NATS server of this suite, which it can stop; with a prefix it accepts only known users. */
export async function startPrivateNats(options: Options = {}): Promise<PrivateNats> {
  const { NATS_URL: _, ...env } = process.env;
  const launcherContext = { ...ephemeralContext({ line: () => undefined, log: () => undefined }), env };
  const backing = await startBacking({ ...launcherContext, ...options }, ['nats']);
  const server = backing.servers.get('nats');
  if (!server?.process) throw new Error('the private NATS server has no process');
  const { process: serverProcess } = server;
  return {
    url: server.address.url,
    password: (user) => natsPassword(launcherContext.secrets, user),
    stop: () => serverProcess.stop(),
    start: () => serverProcess.start(),
    async startEmpty() {
      await rm(join(launcherContext.home, 'nats', 'jetstream'), { recursive: true });
      await serverProcess.start();
    },
    async reload(change) {
      const file = join(launcherContext.home, 'nats', 'nats.conf');
      await writeFile(file, change(await readFile(file, 'utf8')));
      serverProcess.kill('SIGHUP');
    },
    async close() {
      await backing.stop();
      await launcherContext.reaper.close();
    },
  };
}
