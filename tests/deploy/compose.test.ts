import { spawnSync } from 'node:child_process';
import { readImage } from '@atrium/dev-server/backing/images';
import { updateConfigurationLabel } from '@atrium/dev-server/backing/servers/nats-users-file';
import { roleProcesses, services } from '@atrium/dev-server/system/services';
import { readEnv, streamsEnv } from '@atrium/service-kit/config/env';
import { readInstallationConfig } from '@atrium/tools/backup/installation/installation';
import { readOptions } from '@atrium/tools/backup/options';
import { databaseServices, natsServices, secretValues } from '@atrium/tools/secrets/values';
import { describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { z } from 'zod';
import { exists, ROOT, read } from '../contracts/sources.ts';
import { type ComposeService, freshEnvironment, readCompose, variablesIn } from './compose.ts';
import { readManifests, workloadsOf } from './manifest.ts';

const { version } = JSON.parse(read('package.json')) as { version: string };
const BACKING = ['postgres', 'redis', 'nats', 'mongo', 'objects'];
const PROCESSES = ['gateway', ...services.map(({ name }) => name)];
const BUILT_CONTAINERS = [...PROCESSES, 'mailbox'];
/** Containers that run at each start and then end. */
const STEPS = ['databases', 'mongo-users', 'objects-users', 'streams'];
/** Containers that run on demand and then end. */
const ON_DEMAND = ['backup', 'restore'];
const { services: containers, networks, volumes } = readCompose();
const getContainer = (name: string): ComposeService => {
  const container = containers[name];
  if (!container) throw new Error(`deploy/compose.yaml has no ${name}`);
  return container;
};

const schemaOf = async (name: string): Promise<z.ZodType> => {
  if (name === 'streams') return streamsEnv;
  const file = { gateway: 'gateway/src', mailbox: 'tools/mail-catcher' }[name] ?? `services/${name}/src`;
  const { schema } = (await import(`../../${file}/config.ts`)) as { schema: z.ZodType };
  return schema;
};

describe('deploy/compose.yaml', () => {
  it('contains exactly the processes, backing servers, setup steps, and backup commands', () => {
    const roleProcessNames = roleProcesses.map(({ name }) => name);
    expect(Object.keys(containers).sort()).toEqual(
      [...BUILT_CONTAINERS, ...roleProcessNames, ...BACKING, ...STEPS, ...ON_DEMAND].sort(),
    );
  });

  it.each(BACKING)('pins the image of %s to the version that the launcher runs', (name) => {
    expect(getContainer(name).image).toBe(readImage(name));
    expect(getContainer(name).image).toMatch(/^[a-z/]+:\S*\d+\.\d+\.\d+|^[a-z/]+:\S*\d{4}-\d\d|^postgres:\d+\.\d+/);
  });

  it('gives PostgreSQL the same shared memory as in a cluster', () => {
    const [server] = workloadsOf(readManifests(read('deploy/backing/postgres.yaml')));
    const memory = server?.pod.spec.volumes.find(({ name }) => name === 'memory');
    const { emptyDir } = z
      .object({ emptyDir: z.object({ sizeLimit: z.templateLiteral([z.int(), 'Mi']) }) })
      .parse(memory);
    expect(getContainer('postgres').shm_size).toBe(emptyDir.sizeLimit.replace('Mi', 'mb'));
  });

  it.each(BUILT_CONTAINERS)('builds %s with the shared Dockerfile', (name) => {
    const target = name === 'gateway' ? 'gateway' : 'service';
    expect(getContainer(name).image).toBe(`atrium/${name}:${version}`);
    expect(getContainer(name).build).toMatchObject({ context: '..', target, args: { SERVICE: name } });
    expect(exists(`${getContainer(name).build?.dockerfile}`)).toBe(true);
  });

  it.each(PROCESSES)('passes %s all required variables, and none that it does not read', async (name) => {
    const schema = await schemaOf(name);
    const { environment } = getContainer(name);
    expect(() => readEnv(schema, environment)).not.toThrow();
    const { properties = {} } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
    expect(Object.keys(environment).filter((variable) => !(variable in properties))).toEqual([]);
    // Counter-check: each required variable is really required.
    expect(schema.safeParse({}).success).toBe(false);
  });

  it.each(roleProcesses)(
    'runs $name as $service with the same environment except its role',
    ({ name, service, env }) => {
      const { environment, ...serviceContainer } = getContainer(service);
      const { cpu_shares: weight, ...sideContainer } = getContainer(name);
      expect(sideContainer).toEqual({ ...serviceContainer, environment: { ...environment, ...env } });
      // Docker's default is 1,024: additional processes get less CPU than the service.
      expect(Number(weight)).toBeLessThan(1_024);
    },
  );

  it('gives each service its own NATS and PostgreSQL user with a matching password', () => {
    for (const name of natsServices)
      expect(getContainer('nats').environment[`NATS_${name.toUpperCase()}_PASSWORD`]).toBe(
        getContainer(name).environment.NATS_PASSWORD,
      );
    for (const name of databaseServices) {
      const { username, password, pathname } = new URL(getContainer(name).environment.DATABASE_URL ?? '');
      const configuredPassword = getContainer('databases').environment[`${name.toUpperCase()}_PASSWORD`];
      expect({ username, password, pathname }).toEqual({
        username: `atrium_${name}`,
        password: configuredPassword,
        pathname: `/atrium_${name}`,
      });
      expect(getContainer(name).environment.NATS_USER).toBe(name);
    }
    const variables = [...read('deploy/backing/nats/users.conf').matchAll(/password: \$(\w+)/g)].map(
      ([, variable]) => variable,
    );
    expect(Object.keys(getContainer('nats').environment).sort()).toEqual(variables.sort());
  });

  it('gives each service with files its own object store keys, and no service the root keys', () => {
    const users = getContainer('objects-users').environment;
    for (const name of ['documents', 'chat'])
      expect(getContainer(name).environment).toMatchObject({
        S3_ACCESS_KEY: users[`S3_${name.toUpperCase()}_ACCESS_KEY`],
        S3_SECRET_KEY: users[`S3_${name.toUpperCase()}_SECRET_KEY`],
      });
    const rootPasswords = [users.MINIO_ROOT_PASSWORD, getContainer('mongo').environment.MONGO_INITDB_ROOT_PASSWORD];
    const configuredContainers = [...PROCESSES, ...ON_DEMAND].flatMap((name) =>
      Object.values(getContainer(name).environment),
    );
    for (const rootPassword of rootPasswords)
      expect(configuredContainers.filter((value) => value.includes(rootPassword ?? 'none'))).toEqual([]);
    const { username, password, pathname } = new URL(getContainer('notifications').environment.MONGO_URL ?? '');
    expect([username, password, pathname]).toEqual([
      'notifications',
      getContainer('mongo-users').environment.NOTIFICATIONS_PASSWORD,
      '/atrium',
    ]);
  });

  it('has health checks, and starts containers after their dependencies', () => {
    for (const [name, { healthcheck, depends_on: dependencies, restart }] of Object.entries(containers)) {
      if ([...STEPS, ...ON_DEMAND].includes(name)) continue;
      expect({ name, restart, healthcheck }).toEqual({
        name,
        restart: 'unless-stopped',
        healthcheck: expect.objectContaining({ test: expect.any(Array) }),
      });
      for (const [other, { condition }] of Object.entries(dependencies))
        expect([name, condition]).toEqual([
          name,
          STEPS.includes(other) ? 'service_completed_successfully' : 'service_healthy',
        ]);
      expect(Object.keys(dependencies).filter((other) => !containers[other])).toEqual([]);
    }
  });

  it.each(Object.keys(containers))('runs %s with a read-only root file system and without capabilities', (name) => {
    const { read_only: isReadOnly, cap_drop: droppedCapabilities, security_opt: options, user } = getContainer(name);
    expect({ isReadOnly, droppedCapabilities, options }).toEqual({
      isReadOnly: true,
      droppedCapabilities: ['ALL'],
      options: ['no-new-privileges:true'],
    });
    if (BUILT_CONTAINERS.includes(name)) expect(user).toBe('10001:10001');
  });

  it.each(ON_DEMAND)('runs a %s of all stores on demand', (name) => {
    const {
      command,
      profiles,
      restart,
      build,
      depends_on: dependencies,
      volumes: mountedVolumes,
      networks: reachableNetworks,
    } = getContainer(name);
    expect({ profiles, restart, mountedVolumes }).toEqual({
      profiles: ['backup'],
      restart: 'no',
      mountedVolumes: ['./backups:/backups'],
    });
    expect(build).toMatchObject({ target: 'service', args: { SERVICE: 'backup' } });
    const [subcommand, ...args] = command;
    expect(subcommand).toBe(name);
    expect(readOptions(name === 'backup' ? 'backup' : 'restore', args)).toMatchObject({ command: name });
    const { databases, nats, mongoUrl, objects, keySecrets } = readInstallationConfig(getContainer(name).environment);
    const serviceUrls = Object.fromEntries(
      databaseServices.map((service) => [service, getContainer(service).environment.DATABASE_URL]),
    );
    expect({ ...serviceUrls, ...databases }).toEqual(serviceUrls);
    for (const service of databaseServices)
      expect(getContainer(name).environment[`${service.toUpperCase()}_DATABASE_URL`]).toBe(serviceUrls[service]);
    expect(nats).toMatchObject({ user: 'operator', pass: getContainer('nats').environment.NATS_OPERATOR_PASSWORD });
    expect(mongoUrl).toBe(getContainer('notifications').environment.MONGO_URL);
    const { S3_BACKUP_ACCESS_KEY, S3_BACKUP_SECRET_KEY } = getContainer('objects-users').environment;
    expect(objects).toMatchObject({ accessKey: S3_BACKUP_ACCESS_KEY, secretKey: S3_BACKUP_SECRET_KEY });
    expect(objects.bucket).toBe(getContainer('documents').environment.S3_BUCKET);
    expect(keySecrets).toEqual(name === 'restore' ? [getContainer('auth').environment.KEY_ENCRYPTION_SECRET] : []);
    const PREVIOUS = { KEY_ENCRYPTION_SECRET_PREVIOUS: 'the previous secret' };
    const changedContainers = readCompose({ ...freshEnvironment(), ...PREVIOUS }).services;
    expect(readInstallationConfig(changedContainers.restore?.environment ?? {}).keySecrets).toContain(
      Object.values(PREVIOUS)[0],
    );
    expect(changedContainers.auth?.environment).toMatchObject(PREVIOUS);
    // Depends on all stores and on no service, because a restore must not run next to services.
    expect(Object.keys(dependencies).sort()).toEqual(['databases', 'mongo-users', 'nats', 'objects-users']);
    for (const store of ['postgres', 'nats', 'mongo', 'objects'])
      expect(getContainer(store).networks.some((network) => reachableNetworks.includes(network))).toBe(true);
  });

  it('recreates the NATS container when `npm run generate:nats-users` changes its users', () => {
    const files = ['nats.conf', 'users.conf'].map((name) => read(`deploy/backing/nats/${name}`));
    const text = read('deploy/compose.yaml');
    expect(updateConfigurationLabel(text, files)).toBe(text);
    expect(updateConfigurationLabel(text, [...files, ' '])).not.toBe(text);
    expect(getContainer('nats').labels).toEqual({
      'atrium.nats-configuration': expect.stringMatching(/^[0-9a-f]{16}$/),
    });
  });

  it('publishes only the gateway and the mailbox page, on loopback', () => {
    const published = Object.entries(containers).flatMap(([name, { ports }]) => ports.map((port) => [name, port]));
    expect(published).toEqual([
      ['gateway', '127.0.0.1:3000:3000'],
      ['mailbox', '127.0.0.1:8025:8025'],
    ]);
    const serverPorts = z
      .object({ services: z.record(z.string(), z.object({ ports: z.array(z.string()) })) })
      .parse(parse(read('deploy/compose.servers.yaml')));
    expect(Object.keys(serverPorts.services).sort()).toEqual([...BACKING].sort());
    for (const { ports } of Object.values(serverPorts.services))
      expect(ports).toEqual([expect.stringMatching(/^127\.0\.0\.1:/)]);
  });

  it('isolates the gateway from databases and NATS', () => {
    const neighbors = Object.keys(containers).filter((name) =>
      getContainer(name).networks.some((network) => getContainer('gateway').networks.includes(network)),
    );
    expect(neighbors.filter((name) => BACKING.includes(name)).sort()).toEqual(['objects', 'redis']);
    expect(
      Object.values(containers)
        .flatMap((container) => container.networks)
        .filter((name) => !(name in networks)),
    ).toEqual([]);
    const others = Object.entries(containers).filter(([name]) => !ON_DEMAND.includes(name));
    const mounts = others.flatMap(([, container]) => container.volumes.map((volume) => volume.split(':')[0] ?? ''));
    for (const volume of mounts) expect(volume in volumes || exists(`deploy/${volume}`)).toBe(true);
  });
});

describe('secrets of deploy/compose.yaml', () => {
  const variables = variablesIn(read('deploy/compose.yaml'));

  it('have no default, so nothing starts without them', () => {
    for (const secret of Object.keys(secretValues)) {
      const kinds = variables.filter(({ name }) => name === secret).map(({ kind }) => kind);
      expect([secret, kinds]).toEqual([secret, expect.arrayContaining(['?'])]);
      expect([secret, kinds]).not.toEqual([secret, expect.arrayContaining(['-'])]);
      expect(() => readCompose({ ...freshEnvironment(), [secret]: '' })).toThrow(`${secret} is missing`);
    }
  });

  /** Lists the containers that fail to start with these values. */
  const listRejecting = async (values: Readonly<Record<string, string>>): Promise<string[]> => {
    const configuredContainers = readCompose(values).services;
    const names = [...PROCESSES, 'mailbox', 'databases', 'streams'];
    const statuses = await Promise.all(
      names.map(async (name) => {
        const environment = configuredContainers[name]?.environment ?? {};
        if (name === 'databases')
          return spawnSync('sh', ['deploy/backing/postgres/reject-placeholders.sh'], { cwd: ROOT, env: environment })
            .status;
        // `readEnv` also treats empty variables as missing.
        const nonEmpty = Object.entries(environment).filter(([, value]) => value !== '');
        return (await schemaOf(name)).safeParse(Object.fromEntries(nonEmpty)).success ? 0 : 1;
      }),
    );
    return names.filter((_, index) => statuses[index] !== 0);
  };

  it('reject placeholders of the example before any database is created', async () => {
    expect(getContainer('databases').command.join(' ')).toMatch(/reject-placeholders\.sh && exec sh \S*databases\.sh$/);
    expect(await listRejecting(freshEnvironment())).toEqual([]);
    const lines = [...read('deploy/.env.example').matchAll(/^([A-Z0-9_]+)=(replace-me)$/gm)];
    expect(lines.map(([, name]) => name).sort()).toEqual(Object.keys(secretValues).sort());
    for (const [, name = '', value = ''] of lines) {
      const rejectingContainers = await listRejecting({ ...freshEnvironment(), [name]: value });
      expect([name, rejectingContainers]).toEqual([name, expect.arrayContaining([expect.any(String)])]);
    }
    expect(await listRejecting({ ...freshEnvironment(), POSTGRES_PASSWORD: 'replace-me-2' })).toEqual(['databases']);
  });

  it('are all listed in the example, with every other variable', () => {
    const example = [...read('deploy/.env.example').matchAll(/^([A-Z0-9_]+)=/gm)].map(([, name]) => name);
    expect(example).toEqual(
      expect.arrayContaining(variables.map(({ name }) => name).filter((name) => name !== 'LOG_LEVEL')),
    );
  });
});
