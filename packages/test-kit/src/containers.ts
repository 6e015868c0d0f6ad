import { readImage } from '@atrium/dev-server/backing/images';
import type { Address, ServerName } from '@atrium/dev-server/backing/server';
import { GenericContainer, type StartedTestContainer, Wait } from 'testcontainers';

const PASSWORD = 'atrium-test';

interface ContainerConfig {
  port: number;
  prepare(container: GenericContainer): GenericContainer;
  address(host: string, port: number): Address;
}

const containerConfigs: Partial<Record<ServerName, ContainerConfig>> = {
  postgres: {
    port: 5432,
    prepare: (container) =>
      container
        .withEnvironment({
          POSTGRES_PASSWORD: PASSWORD,
          POSTGRES_INITDB_ARGS: '--encoding=UTF8 --locale=C --locale-provider=icu --icu-locale=und',
        })
        .withCommand(['postgres', '-c', 'fsync=off', '-c', 'max_connections=300'])
        // The image starts PostgreSQL twice: once for its initialization.
        .withWaitStrategy(Wait.forLogMessage(/database system is ready to accept connections/, 2)),
    address: (host, port) => ({ url: `postgres://postgres:${PASSWORD}@${host}:${port}/postgres` }),
  },
  redis: {
    port: 6379,
    prepare: (container) => container.withWaitStrategy(Wait.forLogMessage(/Ready to accept connections/)),
    address: (host, port) => ({ url: `redis://${host}:${port}` }),
  },
  nats: {
    port: 4222,
    prepare: (container) =>
      container.withCommand(['--jetstream']).withWaitStrategy(Wait.forLogMessage(/Server is ready/)),
    address: (host, port) => ({ url: `nats://${host}:${port}` }),
  },
  mongo: {
    port: 27017,
    prepare: (container) => container.withWaitStrategy(Wait.forLogMessage(/Waiting for connections/)),
    address: (host, port) => ({ url: `mongodb://${host}:${port}` }),
  },
  objects: {
    port: 9000,
    prepare: (container) =>
      container
        .withEnvironment({ MINIO_ROOT_USER: 'atrium', MINIO_ROOT_PASSWORD: PASSWORD })
        .withCommand(['server', '/data'])
        .withWaitStrategy(Wait.forHttp('/minio/health/ready', 9000)),
    address: (host, port) => ({ url: `http://${host}:${port}`, accessKey: 'atrium', secretKey: PASSWORD }),
  },
};

const startContainer = async (name: ServerName): Promise<[Address, StartedTestContainer]> => {
  const config = containerConfigs[name];
  if (!config) throw new Error(`No container image for ${name}`);
  const container = config.prepare(new GenericContainer(readImage(name)).withExposedPorts(config.port));
  const started = await container.start();
  return [config.address(started.getHost(), started.getMappedPort(config.port)), started];
};

/**
 * Starts containers, which testcontainers' reaper removes even when the test run is killed. If a container cannot be
 * started, its server is left to the launcher's other providers, and `log` receives the reason.
 */
export const startContainers = async (
  names: readonly ServerName[],
  log: (name: ServerName, text: string) => void,
): Promise<{ addresses: Partial<Record<ServerName, Address>>; stop: () => Promise<void> }> => {
  const addresses: Partial<Record<ServerName, Address>> = {};
  const containers: StartedTestContainer[] = [];
  const start = async (name: ServerName): Promise<void> => {
    try {
      const [address, container] = await startContainer(name);
      addresses[name] = address;
      containers.push(container);
    } catch (error) {
      log(name, `failed to start a container: ${error instanceof Error ? error.message : error}`);
    }
  };
  await Promise.all(names.map(start));
  return { addresses, stop: async () => void (await Promise.all(containers.map((container) => container.stop()))) };
};
