import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readImage } from '@atrium/dev-server/backing/images';
import { CHECKOUT } from '@atrium/dev-server/backing/launcher-context';
import { renderNatsUsers } from '@atrium/dev-server/backing/servers/nats-users-file';
import { serviceDatabases } from '@atrium/dev-server/backing/servers/postgres-databases';
import { roleProcesses } from '@atrium/dev-server/system/services';
import { objectUsers } from '@atrium/tools/secrets/values';
import { describe, expect, it } from '@jest/globals';
import { computeConnectionBudget, requestsOf } from './checks/capacity.ts';
import { containerViolations, probePathViolations } from './checks/containers.ts';
import { environmentViolations, generateSecrets, resolveEnvironment } from './checks/environment.ts';
import { referenceViolations } from './checks/references.ts';
import { migrationViolations, rolloutViolations } from './checks/rollout.ts';
import { plaintextSecretViolations } from './checks/secrets.ts';
import { securityViolations } from './checks/security.ts';
import { containersOf, ofKind, workloadsOf } from './manifest.ts';
import { configReader } from './read-config.ts';
import { OVERLAYS, renderFolder, renderOverlay } from './render-overlay.ts';
import { schemaErrors } from './schemas/validate.ts';

const SERVICES = readdirSync(join(CHECKOUT, 'services'));
const DEPLOYMENTS = [...SERVICES, 'gateway'].sort();
const withSchema = SERVICES.filter((name) => existsSync(join(CHECKOUT, 'services', name, 'migrations')));
const read = (file: string): string => readFileSync(join(CHECKOUT, file), 'utf8');

describe.each(OVERLAYS)('overlay %s', (overlay) => {
  const rendering = renderOverlay(overlay);

  it('renders every service and the gateway, and matches the Kubernetes schemas', async () => {
    const objects = await rendering;
    expect(objects.flatMap(schemaErrors)).toEqual([]);
    const names = objects.filter(({ kind }) => kind === 'Deployment').map(({ metadata }) => metadata.name);
    expect(names.sort()).toEqual([...DEPLOYMENTS, ...roleProcesses.map(({ name }) => name)].sort());
    expect(new Set(objects.map(({ kind, metadata }) => `${kind} ${metadata.name}`)).size).toBe(objects.length);
  });

  it('restricts the permissions of pods', async () => {
    expect(securityViolations(await rendering)).toEqual([]);
  });

  it('has pinned images, limits, and probes for every container', async () => {
    const objects = await rendering;
    expect([...containerViolations(objects), ...probePathViolations(objects)]).toEqual([]);
  });

  it('contains no secret', async () => {
    expect(plaintextSecretViolations(await rendering)).toEqual([]);
  });

  it('has only valid references to pods, ports, and service accounts', async () => {
    expect(referenceViolations(await rendering)).toEqual([]);
  });

  it('configures every process completely with the Secrets of `npm run secrets`', async () => {
    const readers = new Map(
      await Promise.all(DEPLOYMENTS.map(async (name) => [name, await configReader(name)] as const)),
    );
    expect(environmentViolations(await rendering, generateSecrets(), readers)).toEqual([]);
  });

  it('lets every process listen on IPv4 and IPv6', async () => {
    const objects = await rendering;
    const hosts = workloadsOf(objects)
      .filter(({ kind, name }) => kind === 'Deployment' || name === 'mailbox')
      .flatMap((workload) => containersOf(workload).map((container) => resolveEnvironment(objects, {}, container).env))
      .map(({ HOST, MAILBOX_HOST }) => MAILBOX_HOST ?? HOST);
    expect(new Set(hosts)).toEqual(new Set(['::']));
  });

  it('replaces pods without disruption', async () => {
    const objects = await rendering;
    expect(rolloutViolations(objects)).toEqual([]);
    expect(overlay === 'dev' ? [] : migrationViolations(objects, withSchema)).toEqual([]);
  });
});

/** The documented resource requests: for seven services in each overlay, and for each additional service. */
const FIGURES =
  /needs ([\d.]+) cores and ([\d.]+) GiB of requests for `small` \(([\d.]+) and ([\d.]+) for `dev`\)[^;]*about ([\d.]+) cores and ([\d.]+) GiB/;

it.each(['dev', 'small'] as const)(
  'overlay %s fits the documented resource requests and the connection limit of PostgreSQL',
  async (overlay) => {
    const objects = await renderOverlay(overlay);
    const [, ...figuresText] = FIGURES.exec(read('docs/self-hosting/kubernetes.md')) ?? [];
    const figures = figuresText.map(Number);
    const [cores = 0, gigabytes = 0] = figures.slice(overlay === 'small' ? 0 : 2);
    const [coresPerService = 0, gigabytesPerService = 0] = figures.slice(4);
    const additionalServices = SERVICES.length - 7;
    // The documentation rounds up, but only a little, so that outdated figures are detected.
    for (const [requested, bound] of [
      [requestsOf(objects, 'cpu'), cores + additionalServices * coresPerService],
      [requestsOf(objects, 'memory') / 2 ** 30, gigabytes + additionalServices * gigabytesPerService],
    ] as const) {
      expect(requested).toBeLessThanOrEqual(bound);
      expect(requested).toBeGreaterThan(0.8 * bound);
    }
    // Reserve for system pods.
    expect(requestsOf(objects, 'cpu')).toBeLessThan(1.7);
    const { required, available } = computeConnectionBudget(objects) ?? { required: 0, available: 0 };
    expect(required).toBeGreaterThan(100);
    expect(required).toBeLessThanOrEqual(available);
  },
);

it('overlay small has every Service and port that the documentation port-forwards', async () => {
  const pages = readdirSync(join(CHECKOUT, 'docs/self-hosting'));
  const documented = pages.flatMap((page) => [
    ...read(`docs/self-hosting/${page}`).matchAll(/port-forward service\/(\S+) (\d+)/g),
  ]);
  const existing = ofKind(await renderOverlay('small'), 'Service').flatMap(({ metadata, spec }) =>
    spec.ports.map(({ port }) => `${metadata.name} ${port}`),
  );
  expect(existing).toEqual(expect.arrayContaining(documented.map(([, name, port]) => `${name} ${port}`)));
  expect(documented.length).toBeGreaterThan(2);
});

describe('deploy/backing', () => {
  it('uses the images that compose pins', async () => {
    const objects = await renderFolder('deploy/backing');
    const images = workloadsOf(objects)
      .filter(({ kind, name }) => kind === 'StatefulSet' && name !== 'mailbox')
      .map((workload) => [workload.name, containersOf(workload).at(-1)?.image]);
    expect(images).toEqual(images.map(([name = '']) => [name, readImage(name)]));
    expect(images.length).toBe(5);
  });

  it('recreates the object store users when their script or policies change, because the Job name contains a hash of both', async () => {
    const objects = await renderFolder('deploy/backing');
    const job = objects.find(({ kind }) => kind === 'Job');
    expect(job?.metadata.name).toMatch(/^objects-users-[a-z\d]{10}$/);
    expect(job?.metadata).toMatchObject({
      annotations: {
        script: read('deploy/backing/objects/make-users.sh'),
        ...Object.fromEntries(objectUsers.map((name) => [name, read(`deploy/backing/objects/${name}.json`)])),
      },
    });
  });

  it('has up-to-date NATS users; `npm run generate:nats-users` updates them', () => {
    expect(read('deploy/backing/nats/users.conf')).toBe(renderNatsUsers());
  });

  it('creates the database of every service', () => {
    const [, createdDatabases] = /^for service in (.*); do$/m.exec(read('deploy/backing/postgres/databases.sh')) ?? [];
    expect(createdDatabases?.split(' ')).toEqual(serviceDatabases);
  });

  it('grants object store users access to the configured bucket', () => {
    const bucket = /^S3_BUCKET=(.*)$/m.exec(read('deploy/base/settings.env'))?.[1];
    const script = read('deploy/backing/objects/make-users.sh');
    expect(script).toContain(`store/${bucket}\n`);
    expect(script).toContain(`for name in ${objectUsers.join(' ')}; do`);
    for (const name of objectUsers) {
      const resources = read(`deploy/backing/objects/${name}.json`).match(/(?<=arn:aws:s3:::)[^/"]+/g);
      expect(new Set(resources)).toEqual(new Set([bucket]));
    }
  });
});
