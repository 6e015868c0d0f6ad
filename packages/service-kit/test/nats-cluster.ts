import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CHECKOUT, ephemeralContext } from '@atrium/dev-server/backing/launcher-context';
import { startFirstAvailable } from '@atrium/dev-server/backing/providers/find-program';
import { nats } from '@atrium/dev-server/backing/servers/nats';
import { natsUsers } from '@atrium/proto-events/nats-users';
import { freePort } from '@atrium/test-kit/free-port';

const USERS = join(CHECKOUT, 'deploy/backing/nats/users.conf');
const PASSWORD = 'passwordOfThisTest';
const NAMES = ['one', 'two', 'three'];

export type NatsCluster = { url: string; password: string; close(): Promise<void> };

/** Three JetStream servers with an operator's configuration and the users of `deploy/backing`. */
export async function startNatsCluster(): Promise<NatsCluster> {
  const { NATS_URL: _, ...inheritedEnv } = process.env;
  const passwords = ['operator', ...natsUsers('atrium').map(({ user }) => user)].map((user) => [
    `NATS_${user.toUpperCase()}_PASSWORD`,
    PASSWORD,
  ]);
  const env = { ...inheritedEnv, ...Object.fromEntries(passwords) };
  const launcherContext = {
    ...ephemeralContext({ line: () => undefined, log: () => undefined }),
    env,
    address: () => Promise.reject(new Error('shared servers are not available here')),
  };
  const program = await startFirstAvailable(nats, launcherContext, async (launchable) => launchable);
  const nodes = await Promise.all(
    NAMES.map(async (name) => ({ name, port: await freePort(), route: await freePort() })),
  );
  const routes = nodes.map(({ route }) => `"nats://127.0.0.1:${route}"`).join(', ');
  const children: ChildProcess[] = [];
  for (const { name, port, route } of nodes) {
    const folder = join(launcherContext.home, name);
    await mkdir(folder);
    await cp(USERS, join(folder, 'users.conf'));
    const config = join(folder, 'nats.conf');
    await writeFile(
      config,
      `host: 127.0.0.1\nport: ${port}\nserver_name: ${name}\njetstream { store_dir: ${JSON.stringify(join(folder, 'store'))} }
cluster { name: ours, listen: "127.0.0.1:${route}", routes: [${routes}] }\ninclude users.conf\n`,
    );
    const containerArgs = ['run', '--rm', '--network=host', `--volume=${folder}:${folder}`];
    const args = program.image
      ? [
          ...containerArgs,
          ...passwords.flatMap(([variable = '']) => ['-e', variable]),
          program.image,
          '--config',
          config,
        ]
      : ['--config', config];
    const child = spawn(program.file, args, { env, stdio: 'ignore' });
    if (child.pid) launcherContext.reaper.add({ pid: child.pid, signal: 'SIGTERM', stopPhase: 0 });
    children.push(child);
  }
  return {
    url: nodes.map(({ port }) => `nats://127.0.0.1:${port}`).join(','),
    password: PASSWORD,
    async close() {
      const exits = children.map((child) => once(child, 'exit'));
      for (const child of children) child.kill('SIGTERM');
      await Promise.all(exits);
      await launcherContext.reaper.close();
    },
  };
}
