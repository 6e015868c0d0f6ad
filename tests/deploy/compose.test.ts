import { imageOf } from '@atrium/local/backing/images';
import { services } from '@atrium/local/system/services';
import { composeValues, databaseServices, natsServices } from '@atrium/tools/secrets/values';
import { describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { z } from 'zod';
import { exists, read } from '../contracts/sources.ts';
import { type ComposeService, freshEnvironment, readCompose, variablesIn } from './compose.ts';

const BACKING = ['postgres', 'redis', 'nats', 'mongo', 'objects'];
const PROCESSES = ['gateway', ...services.map(({ name }) => name)];
const OURS = [...PROCESSES, 'mailbox'];
const { services: all, networks, volumes } = readCompose();
const at = (name: string): ComposeService => {
  const found = all[name];
  if (!found) throw new Error(`deploy/compose.yaml has no ${name}`);
  return found;
};

const schemaOf = async (name: string): Promise<z.ZodType> => {
  const folder = name === 'gateway' ? 'gateway' : `services/${name}`;
  const { schema } = (await import(`../../${folder}/src/config.ts`)) as { schema: z.ZodType };
  return schema;
};

describe('deploy/compose.yaml', () => {
  it('has every process, every backing server, and what makes the databases, and nothing else', () => {
    expect(Object.keys(all).sort()).toEqual([...OURS, ...BACKING, 'databases'].sort());
  });

  it.each(BACKING)('runs the image of %s that the launcher runs, by an exact version', (name) => {
    expect(at(name).image).toBe(imageOf(name));
    expect(at(name).image).toMatch(/^[a-z/]+:\S*\d+\.\d+\.\d+|^[a-z/]+:\S*\d{4}-\d\d|^postgres:\d+\.\d+/);
  });

  it.each(OURS)('builds %s of the one Dockerfile', (name) => {
    const target = name === 'gateway' ? 'gateway' : 'service';
    expect(at(name).image).toBe(`atrium/${name}:0.1.0`);
    expect(at(name).build).toMatchObject({ context: '..', target, args: { SERVICE: name } });
    expect(exists(`${at(name).build?.dockerfile}`)).toBe(true);
  });

  it.each(PROCESSES)('tells %s all that it must know, and nothing that it does not read', async (name) => {
    const schema = await schemaOf(name);
    const { environment } = at(name);
    expect(schema.safeParse(environment).error?.issues).toBeUndefined();
    const { properties = {} } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
    expect(Object.keys(environment).filter((variable) => !(variable in properties))).toEqual([]);
    // A check that cannot fail is none: without any one of what is asked for it starts no more.
    expect(schema.safeParse({}).success).toBe(false);
  });

  it('makes each service a user of its own of NATS and of PostgreSQL, who has the password that was set there', () => {
    for (const name of natsServices)
      expect(at('nats').environment[`NATS_${name.toUpperCase()}_PASSWORD`]).toBe(at(name).environment.NATS_PASSWORD);
    for (const name of databaseServices) {
      const { username, password, pathname } = new URL(at(name).environment.DATABASE_URL ?? '');
      const set = at('databases').environment[`${name.toUpperCase()}_PASSWORD`];
      expect({ username, password, pathname }).toEqual({
        username: `atrium_${name}`,
        password: set,
        pathname: `/atrium_${name}`,
      });
      expect(at(name).environment.NATS_USER).toBe(name);
    }
    const asked = [...read('deploy/backing/nats/users.conf').matchAll(/password: \$(\w+)/g)].map(
      ([, variable]) => variable,
    );
    expect(Object.keys(at('nats').environment).sort()).toEqual(asked.sort());
  });

  it('asks each container for its health, and waits for what it needs', () => {
    for (const [name, { healthcheck, depends_on: needs, restart }] of Object.entries(all)) {
      if (name === 'databases') continue;
      expect({ name, restart, healthcheck }).toEqual({
        name,
        restart: 'unless-stopped',
        healthcheck: expect.objectContaining({ test: expect.any(Array) }),
      });
      for (const [other, { condition }] of Object.entries(needs))
        expect([name, condition]).toEqual([
          name,
          other === 'databases' ? 'service_completed_successfully' : 'service_healthy',
        ]);
      expect(Object.keys(needs).filter((other) => !all[other])).toEqual([]);
    }
  });

  it.each(Object.keys(all))('lets %s change nothing but its data, and have no rights but those of its user', (name) => {
    const { read_only: closed, cap_drop: dropped, security_opt: options, user } = at(name);
    expect({ closed, dropped, options }).toEqual({
      closed: true,
      dropped: ['ALL'],
      options: ['no-new-privileges:true'],
    });
    if (OURS.includes(name)) expect(user).toBe('10001:10001');
  });

  it('publishes the gateway and the page of the mailbox, on loopback', () => {
    const published = Object.entries(all).flatMap(([name, { ports }]) => ports.map((port) => [name, port]));
    expect(published).toEqual([
      ['gateway', '127.0.0.1:3000:3000'],
      ['mailbox', '127.0.0.1:8025:8025'],
    ]);
    const servers = z
      .object({ services: z.record(z.string(), z.object({ ports: z.array(z.string()) })) })
      .parse(parse(read('deploy/compose.servers.yaml')));
    expect(Object.keys(servers.services).sort()).toEqual([...BACKING].sort());
    for (const { ports } of Object.values(servers.services))
      expect(ports).toEqual([expect.stringMatching(/^127\.0\.0\.1:/)]);
  });

  it('keeps the gateway from databases and brokers', () => {
    const reached = Object.keys(all).filter((name) =>
      at(name).networks.some((one) => at('gateway').networks.includes(one)),
    );
    expect(reached.filter((name) => BACKING.includes(name)).sort()).toEqual(['objects', 'redis']);
    expect(
      Object.values(all)
        .flatMap((one) => one.networks)
        .filter((name) => !(name in networks)),
    ).toEqual([]);
    const named = Object.values(all).flatMap((one) => one.volumes.map((volume) => volume.split(':')[0] ?? ''));
    for (const volume of named) expect(volume in volumes || exists(`deploy/${volume}`)).toBe(true);
  });
});

describe('the secrets of deploy/compose.yaml', () => {
  const used = variablesIn(read('deploy/compose.yaml'));

  it('have no default: without one nothing starts', () => {
    for (const secret of Object.keys(composeValues)) {
      const kinds = used.filter(({ name }) => name === secret).map(({ kind }) => kind);
      expect([secret, kinds]).toEqual([secret, expect.arrayContaining(['?'])]);
      expect([secret, kinds]).not.toEqual([secret, expect.arrayContaining(['-'])]);
      expect(() => readCompose({ ...freshEnvironment(), [secret]: '' })).toThrow(`${secret} is missing`);
    }
  });

  it('are all in the example, which knows every variable that may be set', () => {
    const example = [...read('deploy/.env.example').matchAll(/^([A-Z0-9_]+)=/gm)].map(([, name]) => name);
    expect(example).toEqual(
      expect.arrayContaining(used.map(({ name }) => name).filter((name) => name !== 'LOG_LEVEL')),
    );
  });
});
