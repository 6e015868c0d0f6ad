import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { natsUsers } from '@atrium/proto-events/nats-users';
import { provisionStreams } from '@atrium/service-kit/messaging/provision-streams';
import { type JetStreamManager, jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import type { Secrets } from '../../process-manager/secrets.ts';
import { containerPart } from '../container.ts';
import { goBuild } from '../providers/go-build.ts';
import { inContainer } from '../providers/in-container.ts';
import { onPath } from '../providers/on-path.ts';
import type { Address, BackingServer, LauncherContext, NatsTls } from '../server.ts';

/** What it says of itself at each start. */
const CHATTER = /\[INF\]/;

// A stream reserves what it may hold, and every service of a test run has an audit of its own.
const fileStore = (durable: boolean) => (durable ? '20GB' : '1TB');

// Without `sync_interval: always` JetStream acknowledges before the disk has the message, and a crash can lose it.
const configuration = (port: number, store: string, { durable, ...toolbox }: LauncherContext): string =>
  `host: 127.0.0.1
port: ${port}
${toolbox.natsTls ? `tls: ${JSON.stringify({ ...toolbox.natsTls, verify: true })}` : ''}
jetstream {
  store_dir: ${JSON.stringify(store)}
  max_memory_store: 256MB
  max_file_store: ${fileStore(durable)}
  ${durable ? 'sync_interval: always' : ''}
}
${authorization(toolbox)}
`;

/** Who may do everything: the launcher, and whoever looks after it. */
export const OPERATOR = 'operator';

export const natsPassword = (secrets: Secrets, user: string): string => secrets.of(`nats ${user}`);

// Users and no accounts, so that what a start without them has kept stays where it is.
const authorization = ({ natsPrefix, secrets }: Pick<LauncherContext, 'natsPrefix' | 'secrets'>): string => {
  if (natsPrefix === undefined) return '';
  const users = [{ user: OPERATOR }, ...natsUsers(natsPrefix)];
  return `authorization: ${JSON.stringify({
    users: users.map((user) => ({ ...user, password: natsPassword(secrets, user.user) })),
  })}`;
};

export const nats: BackingServer = {
  name: 'nats',
  title: 'NATS 2.10 or newer with JetStream',
  variables: 'NATS_URL',
  given: ({ NATS_URL: url, NATS_USER: user, NATS_PASSWORD: password }) =>
    url ? { url, ...(user && password ? { user, password } : {}) } : undefined,
  ways: [
    onPath({ names: ['nats-server'], least: '2.10' }),
    inContainer('nats'),
    goBuild({
      server: 'nats',
      folder: 'nats-server',
      module: 'github.com/nats-io/nats-server/v2',
      target: 'github.com/nats-io/nats-server/v2',
    }),
  ],
  async launch(program, toolbox) {
    const port = await toolbox.ports.of('nats');
    const operator = { user: OPERATOR, password: natsPassword(toolbox.secrets, OPERATOR) };
    const { natsPrefix, natsTls } = toolbox;
    const address = { url: `nats://127.0.0.1:${port}`, ...(natsPrefix === undefined ? {} : operator) };
    const answers = () => answersAt(address, natsTls);
    if (program.image) {
      if (natsTls) throw new Error('NATS in a container cannot read the files of its certificates');
      const script = `printf '%s' "$ATRIUM_NATS" > /tmp/nats.conf && exec nats-server --config /tmp/nats.conf`;
      const env = { ATRIUM_NATS: configuration(4222, '/data', toolbox).replace('127.0.0.1', '0.0.0.0') };
      const options = { name: 'nats', ports: { [port]: 4222 }, data: '/data', env, args: ['sh', '-c', script] };
      return { address, part: { ...containerPart(program, toolbox, options), chatter: CHATTER, answers } };
    }
    const folder = join(toolbox.home, 'nats');
    await mkdir(folder, { recursive: true });
    const file = join(folder, 'nats.conf');
    await writeFile(file, configuration(port, folder, toolbox), { mode: 0o600 });
    // One that an earlier start wrote keeps the mode that it had.
    await chmod(file, 0o600);
    const args = ['--config', file];
    const part = { file: program.file, args, env: toolbox.env, stopWithinMs: 10_000, chatter: CHATTER, answers };
    return { address, part };
  },
  answers: (address) => answersAt(address),
  /** The operator's step of a local start: services may not create streams. */
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
