import { gatewayNeeds, services } from '@atrium/local/system/services';
import { baseEnv, postgresEnv } from '@atrium/service-kit/env';
import { describe, expect, it } from '@jest/globals';
import { read, SERVICE_FOLDERS } from './sources.ts';

const SHARED: Record<string, string[]> = {
  baseEnv: Object.keys(baseEnv.shape),
  postgresEnv: Object.keys(postgresEnv.shape),
};
const PROCESSES = ['gateway', ...SERVICE_FOLDERS];
const configOf = (name: string) =>
  read(name === 'gateway' ? 'gateway/src/config.ts' : `services/${name}/src/config.ts`);

/** The variables that a config.ts reads: its own, and those of the kit's schema that it picks or extends. */
function variablesOf(name: string): string[] {
  const source = configOf(name);
  const own = [...source.matchAll(/^ {2,4}([A-Z][A-Z0-9_]+):/gm)].map(([, variable]) => variable ?? '');
  const picked = /\bbaseEnv\s*\.pick\(\{([^}]*)\}/.exec(source)?.[1];
  if (picked !== undefined) return [...own, ...[...picked.matchAll(/[A-Z][A-Z0-9_]+/g)].map(([variable]) => variable)];
  return [...own, ...(SHARED[/= (baseEnv|postgresEnv)\b/.exec(source)?.[1] ?? ''] ?? [])];
}

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
    const variables = variablesOf(name);
    expect(variables).toEqual(expect.arrayContaining(['PORT', 'LOG_LEVEL', 'SHUTDOWN_SECONDS']));
    const told = table.filter(({ who }) => readersOf(who).includes(name)).map(({ variable }) => variable);
    // The kit lets auth read where its own keys are; it has no use for that.
    const expected = variables.filter((variable) => !(name === 'auth' && variable === 'AUTH_JWKS_URL'));
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
