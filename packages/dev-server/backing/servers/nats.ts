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

const IGNORED_OUTPUT = /\[INF\]/;

// Streams reserve their maximum size, and each service of a test run has an audit stream.
const maxFileStore = (durable: boolean) => (durable ? '20GB' : '1TB');

// Unless `sync_interval` is `always`, JetStream acknowledges messages before they are on disk, and a crash can lose
// them.
const renderConfiguration = (port: number, storeDir: string, { durable, ...context }: LauncherContext): string =>
  `host: 127.0.0.1
port: ${port}
${context.natsTls ? `tls: ${JSON.stringify({ ...context.natsTls, verify: true })}` : ''}
jetstream {
  store_dir: ${JSON.stringify(storeDir)}
  max_memory_store: 256MB
  max_file_store: ${maxFileStore(durable)}
  ${durable ? 'sync_interval: always' : ''}
}
${renderAuthorization(context)}
`;

export const OPERATOR = 'operator';

export const natsPassword = (secrets: Secrets, user: string): string => secrets.get(`nats ${user}`);

// Defines no accounts, so that the streams of a previous run without users stay accessible.
const renderAuthorization = ({ natsPrefix, secrets }: Pick<LauncherContext, 'natsPrefix' | 'secrets'>): string => {
  if (natsPrefix === undefined) return '';
  const users = [{ user: OPERATOR }, ...natsUsers(natsPrefix)];
  return `authorization: ${JSON.stringify({
    users: users.map((user) => ({ ...user, password: natsPassword(secrets, user.user) })),
  })}`;
};

export const nats: BackingServer = {
  name: 'nats',
  title: 'NATS 2.11 or newer with JetStream',
  envVariables: 'NATS_URL',
  getAddressFromEnv: ({ NATS_URL: url, NATS_USER: user, NATS_PASSWORD: password }) =>
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
    const port = await context.ports.reserve('nats');
    const operator = { user: OPERATOR, password: natsPassword(context.secrets, OPERATOR) };
    const { natsPrefix, natsTls } = context;
    const address = { url: `nats://127.0.0.1:${port}`, ...(natsPrefix === undefined ? {} : operator) };
    const checkReady = () => checkConnection(address, natsTls);
    if (program.image) {
      if (natsTls) throw new Error('NATS in a container cannot read the files of its certificates');
      const script = `printf '%s' "$ATRIUM_NATS" > /tmp/nats.conf && exec nats-server --config /tmp/nats.conf`;
      const env = { ATRIUM_NATS: renderConfiguration(4222, '/data', context).replace('127.0.0.1', '0.0.0.0') };
      const options = { name: 'nats', ports: { [port]: 4222 }, data: '/data', env, args: ['sh', '-c', script] };
      return {
        address,
        spec: { ...containerProcess(program, context, options), ignoredOutput: IGNORED_OUTPUT, checkReady },
      };
    }
    const folder = join(context.home, 'nats');
    await mkdir(folder, { recursive: true });
    const file = join(folder, 'nats.conf');
    await writeFile(file, renderConfiguration(port, folder, context), { mode: 0o600 });
    // An existing file would keep its mode.
    await chmod(file, 0o600);
    const args = ['--config', file];
    return {
      address,
      spec: {
        file: program.file,
        args,
        env: context.env,
        stopTimeoutMs: 10_000,
        ignoredOutput: IGNORED_OUTPUT,
        checkReady,
      },
    };
  },
  check: (address) => checkConnection(address),
  /** Creates the streams, because services have no permission to create them. */
  async provision(address, { natsPrefix: prefix, natsTls, env }) {
    if (prefix === undefined) return;
    const replicas = Number(env.NATS_REPLICAS ?? 1);
    await withManager(address, (manager) => provisionStreams(manager, { prefix, replicas }), natsTls);
  },
};

const checkConnection = (address: Address, tls?: NatsTls): Promise<void> =>
  withManager(address, async (manager) => void (await manager.getAccountInfo()), tls);

async function withManager(
  { url, user, password }: Address,
  work: (manager: JetStreamManager) => Promise<void>,
  tls?: NatsTls,
): Promise<void> {
  const credentials = user === undefined ? {} : { user, pass: password ?? '' };
  const tlsOptions = tls ? { tls: { caFile: tls.ca_file, certFile: tls.cert_file, keyFile: tls.key_file } } : {};
  const connection = await connect({ servers: url, ...credentials, ...tlsOptions, reconnect: false, timeout: 2_000 });
  try {
    await work(await jetstreamManager(connection, { timeout: 2_000, checkAPI: false }));
  } finally {
    await connection.close();
  }
}
