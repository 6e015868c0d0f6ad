import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CHECKOUT } from '@atrium/local/backing/toolbox';
import { readOptions } from '@atrium/tools/backup/options';
import { readWhereabouts } from '@atrium/tools/backup/place/place';
import { describe, expect, it } from '@jest/globals';
import { containerFaults } from './checks/containers.ts';
import { environmentFaults, environmentOf } from './checks/environment.ts';
import { referenceFaults } from './checks/references.ts';
import { secretsInText } from './checks/secrets.ts';
import { securityFaults } from './checks/security.ts';
import { workloadsOf } from './manifest.ts';
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
    const stores = ['mongo:27017', 'names:53', 'names:53/UDP', 'nats:4222', 'objects:9000', 'postgres:5432'];
    expect([...new Set(own)].sort()).toEqual(stores.map((store) => `backup > ${store}`));
  });

  it('is changed into a restore by a patch whose places are there', async () => {
    const { container } = await theBackup();
    const file = join(CHECKOUT, 'deploy/components/backup/restore.json');
    const [words, secret] = JSON.parse(readFileSync(file, 'utf8')) as [Operation, Operation];
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
});
