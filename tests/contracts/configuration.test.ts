import { gatewaySharedVariables, services } from '@atrium/dev-server/system/services';
import {
  importSchema,
  PROCESSES,
  readVariables,
  type Variable,
} from '@atrium/tools/configuration-table/read-variables';
import { renderTable } from '@atrium/tools/configuration-table/render-table';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { read } from './sources.ts';

const variables: Variable[] = [];
const BINARY_KEYS = ['LINK_SEALING_KEY', 'VAPID_PRIVATE_KEY'];
const listVariableNames = (process: string) =>
  variables.filter((variable) => variable.process === process).map(({ name }) => name);

beforeAll(async () => {
  for (const process of PROCESSES) variables.push(...(await readVariables(process)));
});

describe('docs/self-hosting/configuration.md', () => {
  it('matches the configuration schemas (regenerate it with `npm run docs:config`)', () => {
    expect(read('docs/self-hosting/configuration.md')).toBe(renderTable(variables));
  });

  it('cannot be generated if two processes describe the same variable differently', () => {
    const [first] = variables;
    if (!first) throw new Error('No process reads a variable');
    const conflicting = { ...first, process: 'another', description: 'something else' };
    expect(() => renderTable([first, conflicting])).toThrow(`${first.name} is described differently by`);
  });
});

describe.each(PROCESSES)('the configuration of %s', (process) => {
  it('contains the variables that every process reads', () => {
    expect(listVariableNames(process)).toEqual(
      expect.arrayContaining(['PORT', 'LOG_LEVEL', 'SHUTDOWN_TIMEOUT_SECONDS']),
    );
  });

  it('marks variables whose name indicates a secret as secrets', () => {
    const secretPattern = /SECRET|PASSWORD|SEALING|PRIVATE|TOKEN|^(DATABASE|REDIS|MONGO|SMTP)_URL/;
    const likelySecrets = variables.filter(
      (variable) => variable.process === process && secretPattern.test(variable.name),
    );
    expect(likelySecrets.filter(({ isSecret }) => !isSecret).map(({ name }) => name)).toEqual([]);
  });

  it('rejects every secret that was copied from an example', async () => {
    const schema = await importSchema(process);
    // A previous value only verifies existing data, so it may be an example that is being replaced.
    const secrets = variables.filter(
      ({ process: owner, isSecret, name }) => owner === process && isSecret && !/_PREVIOUS$/.test(name),
    );
    const example = (name: string) => {
      if (name.endsWith('_URL')) return 'scheme://user:replace-me@host:1/name';
      return BINARY_KEYS.includes(name) ? 'A'.repeat(43) : 'replace-me-replace-me';
    };
    const values = Object.fromEntries(secrets.map(({ name }) => [name, example(name)]));
    const { error } = schema.safeParse(values);
    const rejectedNames = error?.issues
      .filter(({ message }) => /is an example/.test(message))
      .map(({ path }) => path.join());
    expect(rejectedNames?.sort()).toEqual(Object.keys(values).sort());
  });
});

describe('the launcher', () => {
  const rows = [...services, { name: 'gateway', sharedVariables: gatewaySharedVariables }];

  it.each(rows.map(({ name, sharedVariables }) => [name, sharedVariables] as const))(
    'passes to %s only variables that it reads',
    (name, sharedVariables) => {
      expect(sharedVariables.filter((variable) => !listVariableNames(name).includes(variable))).toEqual([]);
    },
  );
});
