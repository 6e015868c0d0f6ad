import { gatewayNeeds, services } from '@atrium/local/system/services';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { read, SERVICE_FOLDERS } from './sources.ts';

const PROCESSES = ['gateway', ...SERVICE_FOLDERS];
const variables = new Map<string, string[]>();
const variablesOf = (name: string): string[] => variables.get(name) ?? [];

beforeAll(async () => {
  for (const name of PROCESSES) {
    const folder = name === 'gateway' ? 'gateway' : `services/${name}`;
    const { schema } = (await import(`../../${folder}/src/config.ts`)) as { schema: z.ZodType };
    const { properties = {} } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
    variables.set(name, Object.keys(properties));
  }
});

const table = [...read('README.md').matchAll(/^\| (`[A-Z`, 0-9_]+`) \| ([^|]+) \|/gm)].flatMap(([, names, who]) =>
  [...(names ?? '').matchAll(/[A-Z][A-Z0-9_]+/g)].map(([variable]) => ({ variable, who: (who ?? '').trim() })),
);

/** Whom a row of the table speaks of. */
function readersOf(who: string): string[] {
  if (who === 'all') return PROCESSES;
  if (who === 'all services') return SERVICE_FOLDERS;
  if (who === 'all but auth') return PROCESSES.filter((name) => name !== 'auth');
  return who.split(', ');
}

describe('the configuration table of the README', () => {
  it.each(PROCESSES)('has every variable that is read by %s', (name) => {
    const read = variablesOf(name);
    expect(read).toEqual(expect.arrayContaining(['PORT', 'LOG_LEVEL', 'SHUTDOWN_SECONDS']));
    const told = table.filter(({ who }) => readersOf(who).includes(name)).map(({ variable }) => variable);
    // The kit lets auth read where its own keys are; it has no use for that.
    const expected = read.filter((variable) => !(name === 'auth' && variable === 'AUTH_JWKS_URL'));
    expect([...new Set(told)].sort()).toEqual([...new Set(expected)].sort());
  });
});

describe('the launcher', () => {
  const rows = [...services, { name: 'gateway', needs: gatewayNeeds }];

  it.each(rows.map(({ name, needs }) => [name, needs] as const))(
    'tells %s nothing that it does not read',
    (name, needs) => {
      expect(needs.filter((variable) => !variablesOf(name).includes(variable))).toEqual([]);
    },
  );
});
