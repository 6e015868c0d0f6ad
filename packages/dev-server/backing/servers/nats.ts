import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { natsUsers } from '@atrium/proto-events/nats-users';
import { provisionStreams } from '@atrium/service-kit/messaging/provision-streams';
import { type JetStreamManager, jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import type { Secrets } from '../../process-manager/secrets.ts';
import { containerProcess } from '../container.ts';
import { goBuild } from '../providers/go-build.ts';
import { inContainer } from '../providers/in-container.ts';
import { onPath } from '../providers/on-path.ts';
import type { Address, BackingServer, LauncherContext, NatsTls } from '../server.ts';

const CHATTER = /\[INF\]/;

// Streams reserve their maximum size, and each service of a test run has an audit stream.
const fileStore = (durable: boolean) => (durable ? '20GB' : '1TB');

// Without `sync_interval: always` JetStream acknowledges messages before they are on disk, and a crash can lose them.
const configuration = (port: number, store: string, { durable, ...context }: LauncherContext): string =>
  `host: 127.0.0.1
port: ${port}
${context.natsTls ? `tls: ${JSON.stringify({ ...context.natsTls, verify: true })}` : ''}
jetstream {
  store_dir: ${JSON.stringify(store)}
  max_memory_store: 256MB
  max_file_store: ${fileStore(durable)}
  ${durable ? 'sync_interval: always' : ''}
}
${authorization(context)}
`;

export const OPERATOR = 'operator';

export const natsPassword = (secrets: Secrets, user: string): string => secrets.of(`nats ${user}`);

// Users without accounts, so that streams of an earlier start without users stay accessible.
const authorization = ({ natsPrefix, secrets }: Pick<LauncherContext, 'natsPrefix' | 'secrets'>): string => {
  if (natsPrefix === undefined) return '';
  const users = [{ user: OPERATOR }, ...natsUsers(natsPrefix)];
  return `authorization: ${JSON.stringify({
    users: users.map((user) => ({ ...user, password: natsPassword(secrets, user.user) })),
  })}`;
};

export const nats: BackingServer = {
  name: 'nats',
  title: 'NATS 2.11 or newer with JetStream',
  variables: 'NATS_URL',
  getConfigured: ({ NATS_URL: url, NATS_USER: user, NATS_PASSWORD: password }) =>
    url ? { url, ...(user && password ? { user, password } : {}) } : undefined,
  providers: [
    onPath({ names: ['nats-server'], minVersion: '2.11' }),
    inContainer('nats'),
    goBuild({
      server: 'nats',
      folder: 'nats-server',
      module: 'github.com/nats-io/nats-server/v2',
      target: 'github.com/nats-io/nats-server/v2',
    }),
  ],
  async launch(program, context) {
    const port = await context.ports.of('nats');
    const operator = { user: OPERATOR, password: natsPassword(context.secrets, OPERATOR) };
    const { natsPrefix, natsTls } = context;
    const address = { url: `nats://127.0.0.1:${port}`, ...(natsPrefix === undefined ? {} : operator) };
    const responses = () => answersAt(address, natsTls);
    if (program.image) {
      if (natsTls) throw new Error('NATS in a container cannot read the files of its certificates');
      const script = `printf '%s' "$ATRIUM_NATS" > /tmp/nats.conf && exec nats-server --config /tmp/nats.conf`;
      const env = { ATRIUM_NATS: configuration(4222, '/data', context).replace('127.0.0.1', '0.0.0.0') };
      const options = { name: 'nats', ports: { [port]: 4222 }, data: '/data', env, args: ['sh', '-c', script] };
      return {
        address,
        part: { ...containerProcess(program, context, options), chatter: CHATTER, answers: responses },
      };
    }
    const folder = join(context.home, 'nats');
    await mkdir(folder, { recursive: true });
    const file = join(folder, 'nats.conf');
    await writeFile(file, configuration(port, folder, context), { mode: 0o600 });
    // An existing file would keep its mode.
    await chmod(file, 0o600);
    const args = ['--config', file];
    const part = {
      file: program.file,
      args,
      env: context.env,
      stopWithinMs: 10_000,
      chatter: CHATTER,
      answers: responses,
    };
    return { address, part };
  },
  check: (address) => answersAt(address),
  /** Services may not create streams. */
  async provision(address, { natsPrefix: prefix, natsTls, env }) {
    if (prefix === undefined) return;
    const replicas = Number(env.NATS_REPLICAS ?? 1);
    await withManager(address, (manager) => provisionStreams(manager, { prefix, replicas }), natsTls);
  },
};

const answersAt = (address: Address, tls?: NatsTls): Promise<void> =>
  withManager(address, async (manager) => void (await manager.getAccountInfo()), tls);

async function withManager(
  { url, user, password }: Address,
  work: (manager: JetStreamManager) => Promise<void>,
  tls?: NatsTls,
): Promise<void> {
  const who = user === undefined ? {} : { user, pass: password ?? '' };
  const line = tls ? { tls: { caFile: tls.ca_file, certFile: tls.cert_file, keyFile: tls.key_file } } : {};
  const connection = await connect({ servers: url, ...who, ...line, reconnect: false, timeout: 2_000 });
  try {
    await work(await jetstreamManager(connection, { timeout: 2_000, checkAPI: false }));
  } finally {
    await connection.close();
  }
}
