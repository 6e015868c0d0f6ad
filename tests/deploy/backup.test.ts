import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CHECKOUT } from '@atrium/dev-server/backing/launcher-context';
import { readInstallationConfig } from '@atrium/tools/backup/installation/installation';
import { readOptions } from '@atrium/tools/backup/options';
import { readEnvConfig } from '@atrium/tools/dead-letters/installation';
import { databaseServices } from '@atrium/tools/secrets/values';
import { describe, expect, it } from '@jest/globals';
import { containerViolations } from './checks/containers.ts';
import { environmentViolations, generateSecrets, resolveEnvironment } from './checks/environment.ts';
import { referenceViolations } from './checks/references.ts';
import { plaintextSecretViolations } from './checks/secrets.ts';
import { securityViolations } from './checks/security.ts';
import { workloadsOf } from './manifest.ts';
import { DNS_SERVERS } from './network/allowed-paths.ts';
import { endpointsOf } from './network/endpoints.ts';
import { listOpenPaths, readPolicies } from './network/policies.ts';
import { renderFolder } from './render-overlay.ts';
import { schemaErrors } from './schemas/validate.ts';

const rendering = renderFolder('tests/deploy/with-backup');

async function findBackup() {
  const objects = await rendering;
  const workload = workloadsOf(objects).find(({ kind, name }) => kind === 'CronJob' && name === 'backup');
  const [container] = workload?.pod.spec.containers ?? [];
  if (!workload || !container) throw new Error('CronJob backup not found');
  return { objects, pod: workload.pod, container };
}

type Operation = { op: string; path: string; value: unknown };
const readPatch = (name: string): Operation[] =>
  JSON.parse(readFileSync(join(CHECKOUT, `deploy/components/backup/${name}.json`), 'utf8'));

/** The value at a path of a JSON patch; undefined if the path does not exist. */
const valueAt = (object: unknown, path: string): unknown =>
  path
    .split('/')
    .slice(1)
    .reduce<unknown>((value, key) => (value as Record<string, unknown> | undefined)?.[key], object);

const CONTAINER = '/spec/template/spec/containers/0';

/** The Job that `kubectl create job --from` creates. */
async function createBackupJob() {
  const { objects, container } = await findBackup();
  const cronJob = objects.find(({ kind, metadata }) => kind === 'CronJob' && metadata.name === 'backup');
  return { objects, container, job: valueAt(cronJob, '/spec/jobTemplate') };
}

it('the documented commands for a manual backup fail when its Job fails, and can be repeated', () => {
  const pages = readdirSync(join(CHECKOUT, 'docs/self-hosting')).map((name) => `docs/self-hosting/${name}`);
  const lines = ['UPGRADING.md', ...pages].flatMap((page) => readFileSync(join(CHECKOUT, page), 'utf8').split('\n'));
  const precedingLines = lines.flatMap((line, index) =>
    line.includes('create job backup-now') ? [lines[index - 1]] : [],
  );
  expect(precedingLines).toEqual([expect.stringMatching(/delete job backup-now --ignore-not-found$/)]);
  // `kubectl wait --for=condition=complete` does not notice a failed Job.
  expect(lines.filter((line) => /condition=complete --timeout=\d+h/.test(line))).toEqual([]);
});

describe('component backup', () => {
  it('passes all manifest checks', async () => {
    const objects = await rendering;
    expect(objects.flatMap(schemaErrors)).toEqual([]);
    expect([...securityViolations(objects), ...containerViolations(objects)]).toEqual([]);
    expect([...plaintextSecretViolations(objects), ...referenceViolations(objects)]).toEqual([]);
    expect(environmentViolations(objects, generateSecrets(), new Map())).toEqual([]);
  });

  it('configures the program completely, with valid arguments', async () => {
    const { objects, container } = await findBackup();
    const { env } = resolveEnvironment(objects, generateSecrets(), container);
    expect(readInstallationConfig(env).nats.user).toBe('operator');
    const [command, ...args] = container.args;
    expect(command).toBe('backup');
    expect(readOptions('backup', args)).toMatchObject({ command: 'backup', to: '/backups' });
  });

  it('allows connections only to the stores', async () => {
    const { objects } = await findBackup();
    const openPaths = listOpenPaths(readPolicies(objects), endpointsOf(objects));
    const backupPaths = openPaths.filter((line) => line.split(/ > |:/).slice(0, 2).includes('backup'));
    const dnsPaths = DNS_SERVERS.flatMap((name) => [`${name}:53`, `${name}:53/UDP`]);
    const stores = ['mongo:27017', ...dnsPaths, 'nats:4222', 'objects:9000', 'postgres:5432'].sort();
    expect([...new Set(backupPaths)].sort()).toEqual(stores.map((store) => `backup > ${store}`));
  });

  it('can be patched into a restore', async () => {
    const { container } = await findBackup();
    const [argsPatch, secretPatch] = readPatch('restore') as [Operation, Operation];
    expect(argsPatch).toMatchObject({ op: 'replace', path: '/spec/template/spec/containers/0/args' });
    const [command, ...args] = argsPatch.value as string[];
    expect(command).toBe('restore');
    expect(readOptions('restore', args)).toEqual({
      command: 'restore',
      from: '/backups',
      endSessions: false,
      withoutDamaged: false,
    });
    expect(secretPatch).toMatchObject({ op: 'add', path: '/spec/template/spec/containers/0/env/-' });
    const { name, key } = (secretPatch.value as { valueFrom: { secretKeyRef: { name: string; key: string } } })
      .valueFrom.secretKeyRef;
    expect(generateSecrets()[name]?.[key]).toMatch(/./);
    expect(container.env.length).toBeGreaterThan(0);
  });

  it.each(['restore', 'operator', 'folder'])('does not count as a backup when patched into a %s', (name) => {
    // Successful Jobs owned by the CronJob count as backups, and would hide a missing one from the alert.
    expect(readPatch(name)).toContainEqual({ op: 'remove', path: '/metadata/ownerReferences' });
  });

  it('has no deadline when patched into a restore', async () => {
    const { job } = await createBackupJob();
    expect(valueAt(job, '/spec/activeDeadlineSeconds')).toBeGreaterThan(0);
    expect(readPatch('restore')).toContainEqual({ op: 'remove', path: '/spec/activeDeadlineSeconds' });
  });

  it('can be patched into a pod that keeps the volume mounted for copying backups', async () => {
    const { job } = await createBackupJob();
    const changes = readPatch('folder').filter(({ op, path }) => op !== 'add' && path.startsWith('/spec'));
    expect(changes.map(({ path }) => path)).toEqual([`${CONTAINER}/args`, '/spec/backoffLimit']);
    for (const { path } of changes) expect([path, valueAt(job, path)]).not.toEqual([path, undefined]);
    expect(valueAt(job, `${CONTAINER}/volumeMounts/0`)).toEqual({ name: 'backups', mountPath: '/backups' });
    const command = readPatch('folder').find(({ path }) => path === `${CONTAINER}/command`);
    // The command waits until the deadline of the Job.
    const [, milliseconds] = /setTimeout\(.*, (\d+)\)/.exec(JSON.stringify(command)) ?? [];
    expect(Number(milliseconds) / 1_000).toBe(valueAt(job, '/spec/activeDeadlineSeconds'));
  });

  it('can be patched into a waiting pod for operators, with access to dead letters', async () => {
    const { objects, container, job } = await createBackupJob();
    const changes = readPatch('operator').filter(({ op, path }) => op !== 'add' && path.startsWith('/spec'));
    for (const { path } of changes) expect([path, valueAt(job, path)]).not.toEqual([path, undefined]);
    // A running backup may use the volume.
    const removed = changes.filter(({ op }) => op === 'remove').map(({ path }) => valueAt(job, path));
    expect(removed).toEqual([
      expect.arrayContaining(['backup']),
      expect.objectContaining({ name: 'backups' }),
      expect.objectContaining({ name: 'backups' }),
    ]);
    const { nats, databases } = readEnvConfig(resolveEnvironment(objects, generateSecrets(), container).env);
    expect(nats.user).toBe('operator');
    expect([...databases.keys()].sort()).toEqual([...databaseServices].sort());
  });
});
