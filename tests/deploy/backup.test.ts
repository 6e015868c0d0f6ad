import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CHECKOUT } from '@atrium/dev-server/backing/launcher-context';
import { readWhereabouts } from '@atrium/tools/backup/installation/installation';
import { readOptions } from '@atrium/tools/backup/options';
import { givenPlace } from '@atrium/tools/dead-letters/installation';
import { databaseServices } from '@atrium/tools/secrets/values';
import { describe, expect, it } from '@jest/globals';
import { containerFaults } from './checks/containers.ts';
import { environmentFaults, environmentOf } from './checks/environment.ts';
import { referenceFaults } from './checks/references.ts';
import { secretsInText } from './checks/secrets.ts';
import { securityFaults } from './checks/security.ts';
import { workloadsOf } from './manifest.ts';
import { NAMES } from './network/allowed-paths.ts';
import { placesOf } from './network/places.ts';
import { openLines, readPolicies } from './network/policies.ts';
import { renderFolder } from './render-overlay.ts';
import { schemaFaults } from './schemas/validate.ts';
import { madeSecrets } from './secrets.ts';

const rendering = renderFolder('tests/deploy/with-backup');

async function theBackup() {
  const objects = await rendering;
  const workload = workloadsOf(objects).find(({ kind, name }) => kind === 'CronJob' && name === 'backup');
  const [container] = workload?.pod.spec.containers ?? [];
  if (!workload || !container) throw new Error('there is no CronJob backup');
  return { objects, pod: workload.pod, container };
}

type Operation = { op: string; path: string; value: unknown };
const patchOf = (name: string): Operation[] =>
  JSON.parse(readFileSync(join(CHECKOUT, `deploy/components/backup/${name}.json`), 'utf8'));

/** What stands at a path of a JSON patch; undefined where nothing does. */
const standsAt = (object: unknown, path: string): unknown =>
  path
    .split('/')
    .slice(1)
    .reduce<unknown>((value, key) => (value as Record<string, unknown> | undefined)?.[key], object);

const CONTAINER = '/spec/template/spec/containers/0';

/** What `kubectl create job --from` makes of it. */
async function theJob() {
  const { objects, container } = await theBackup();
  const cronJob = objects.find(({ kind, metadata }) => kind === 'CronJob' && metadata.name === 'backup');
  return { objects, container, job: standsAt(cronJob, '/spec/jobTemplate') };
}

it('is made by hand with lines that end where it fails, and may be run again', () => {
  const manual = readdirSync(join(CHECKOUT, 'docs/self-hosting')).map((name) => `docs/self-hosting/${name}`);
  const lines = ['UPGRADING.md', ...manual].flatMap((page) => readFileSync(join(CHECKOUT, page), 'utf8').split('\n'));
  const made = lines.flatMap((line, index) => (line.includes('create job backup-now') ? [lines[index - 1]] : []));
  expect(made).toEqual([expect.stringMatching(/delete job backup-now --ignore-not-found$/)]);
  // Such a wait does not see a Job that has failed.
  expect(lines.filter((line) => /condition=complete --timeout=\d+h/.test(line))).toEqual([]);
});

describe('the component of backups', () => {
  it('passes every policy that pods must', async () => {
    const objects = await rendering;
    expect(objects.flatMap(schemaFaults)).toEqual([]);
    expect([...securityFaults(objects), ...containerFaults(objects)]).toEqual([]);
    expect([...secretsInText(objects), ...referenceFaults(objects)]).toEqual([]);
    expect(environmentFaults(objects, madeSecrets(), new Map())).toEqual([]);
  });

  it('tells the program all that it asks for, and what it can read', async () => {
    const { objects, container } = await theBackup();
    const { env } = environmentOf(objects, madeSecrets(), container);
    expect(readWhereabouts(env).nats.user).toBe('operator');
    const [command, ...args] = container.args;
    expect(command).toBe('backup');
    expect(readOptions('backup', args)).toMatchObject({ command: 'backup', to: '/backups' });
  });

  it('lets it talk to the stores that it copies, and to nobody else', async () => {
    const { objects } = await theBackup();
    const lines = openLines(readPolicies(objects), placesOf(objects));
    const own = lines.filter((line) => line.split(/ > |:/).slice(0, 2).includes('backup'));
    const names = NAMES.flatMap((name) => [`${name}:53`, `${name}:53/UDP`]);
    const stores = ['mongo:27017', ...names, 'nats:4222', 'objects:9000', 'postgres:5432'].sort();
    expect([...new Set(own)].sort()).toEqual(stores.map((store) => `backup > ${store}`));
  });

  it('is changed into a restore by a patch whose places are there', async () => {
    const { container } = await theBackup();
    const [words, secret] = patchOf('restore') as [Operation, Operation];
    expect(words).toMatchObject({ op: 'replace', path: '/spec/template/spec/containers/0/args' });
    const [command, ...args] = words.value as string[];
    expect(command).toBe('restore');
    expect(readOptions('restore', args)).toEqual({
      command: 'restore',
      from: '/backups',
      endSessions: false,
      withoutDamaged: false,
    });
    expect(secret).toMatchObject({ op: 'add', path: '/spec/template/spec/containers/0/env/-' });
    const { name, key } = (secret.value as { valueFrom: { secretKeyRef: { name: string; key: string } } }).valueFrom
      .secretKeyRef;
    expect(madeSecrets()[name]?.[key]).toMatch(/./);
    expect(container.env.length).toBeGreaterThan(0);
  });

  it.each(['restore', 'operator', 'folder'])('is nobody who has made a backup when it is a %s', (name) => {
    // What a CronJob owns and ends well counts as its last success, by which an alert knows that a night is missing.
    expect(patchOf(name)).toContainEqual({ op: 'remove', path: '/metadata/ownerReferences' });
  });

  it('is let finish when it is a restore, however long that takes', async () => {
    const { job } = await theJob();
    expect(standsAt(job, '/spec/activeDeadlineSeconds')).toBeGreaterThan(0);
    expect(patchOf('restore')).toContainEqual({ op: 'remove', path: '/spec/activeDeadlineSeconds' });
  });

  it('is changed into a pod that holds the volume and waits, through which backups are carried', async () => {
    const { job } = await theJob();
    const taken = patchOf('folder').filter(({ op, path }) => op !== 'add' && path.startsWith('/spec'));
    expect(taken.map(({ path }) => path)).toEqual([`${CONTAINER}/args`, '/spec/backoffLimit']);
    for (const { path } of taken) expect([path, standsAt(job, path)]).not.toEqual([path, undefined]);
    expect(standsAt(job, `${CONTAINER}/volumeMounts/0`)).toEqual({ name: 'backups', mountPath: '/backups' });
    const command = patchOf('folder').find(({ path }) => path === `${CONTAINER}/command`);
    // It waits for as long as it may run, and no longer.
    const [, milliseconds] = /setTimeout\(.*, (\d+)\)/.exec(JSON.stringify(command)) ?? [];
    expect(Number(milliseconds) / 1_000).toBe(standsAt(job, '/spec/activeDeadlineSeconds'));
  });

  it('is changed into a pod for an operator by a patch whose places are there, which waits and knows where dead letters are', async () => {
    const { objects, container, job } = await theJob();
    const taken = patchOf('operator').filter(({ op, path }) => op !== 'add' && path.startsWith('/spec'));
    for (const { path } of taken) expect([path, standsAt(job, path)]).not.toEqual([path, undefined]);
    // The volume may be with a backup that runs.
    const removed = taken.filter(({ op }) => op === 'remove').map(({ path }) => standsAt(job, path));
    expect(removed).toEqual([
      expect.arrayContaining(['backup']),
      expect.objectContaining({ name: 'backups' }),
      expect.objectContaining({ name: 'backups' }),
    ]);
    const { nats, databases } = givenPlace(environmentOf(objects, madeSecrets(), container).env);
    expect(nats.user).toBe('operator');
    expect([...databases.keys()].sort()).toEqual([...databaseServices].sort());
  });
});
