import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { CHECKOUT } from '../backing/launcher-context.ts';
import { serviceDatabases } from '../backing/servers/postgres-databases.ts';
import { services } from './services.ts';

const isMigrating = (name: string): boolean => {
  const folder = join(CHECKOUT, 'services', name, 'migrations');
  return existsSync(folder) && readdirSync(folder).some((file) => file.endsWith('.sql'));
};

describe('services', () => {
  it('lists exactly the services of this repository', () => {
    const folders = readdirSync(join(CHECKOUT, 'services')).filter((name) =>
      existsSync(join(CHECKOUT, 'services', name, 'src/main.ts')),
    );
    expect(services.map(({ name }) => name).sort()).toEqual(folders.sort());
  });

  it('assigns a database to exactly the services with migrations', () => {
    const owners = services.filter(({ database }) => database).map(({ name, database }) => [name, database]);
    const migrating = services.filter(({ name }) => isMigrating(name)).map(({ name }) => [name, name]);
    expect(owners).toEqual(migrating);
    expect(serviceDatabases).toEqual(migrating.map(([name]) => name));
  });
});
