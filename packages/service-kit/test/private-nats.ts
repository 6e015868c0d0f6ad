import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ephemeralContext } from '@atrium/dev-server/backing/launcher-context';
import type { LauncherContext } from '@atrium/dev-server/backing/server';
import { natsPassword } from '@atrium/dev-server/backing/servers/nats';
import { startBacking } from '@atrium/dev-server/backing/start-backing';

export type PrivateNats = {
  url: string;
  /** The password of a service's user, where it was started with a prefix; `operator` may do everything. */
  password(user: string): string;
  /** Ends the server; what JetStream has kept stays. */
  stop(): Promise<void>;
  /** Brings it back with what it had. */
  start(): Promise<void>;
  /** Brings it back, on the same port, with nothing of what it had. */
  startEmpty(): Promise<void>;
  /** Changes its configuration while it runs, as an operator does: the file, and a signal to read it again. */
  reload(change: (configuration: string) => string): Promise<void>;
  close(): Promise<void>;
};

type Options = Pick<LauncherContext, 'natsPrefix' | 'natsTls'>;

/** A NATS server of this suite's own, which it may stop without hurting another; with a prefix it knows users only. */
export async function startPrivateNats(options: Options = {}): Promise<PrivateNats> {
  const { NATS_URL: _, ...env } = process.env;
  const launcherContext = { ...ephemeralContext({ line: () => undefined, say: () => undefined }), env };
  const backing = await startBacking({ ...launcherContext, ...options }, ['nats']);
  const server = backing.servers.get('nats');
  if (!server?.part) throw new Error('the private NATS server has no process');
  const { part } = server;
  return {
    url: server.address.url,
    password: (user) => natsPassword(launcherContext.secrets, user),
    stop: () => part.stop(),
    start: () => part.start(),
    async startEmpty() {
      await rm(join(launcherContext.home, 'nats', 'jetstream'), { recursive: true });
      await part.start();
    },
    async reload(change) {
      const file = join(launcherContext.home, 'nats', 'nats.conf');
      await writeFile(file, change(await readFile(file, 'utf8')));
      part.kill('SIGHUP');
    },
    async close() {
      await backing.stop();
      await launcherContext.guard.close();
    },
  };
}
