import { gatewaySharedVariables, services } from '@atrium/dev-server/system/services';
import { PROCESSES, readVariables, schemaOf, type Variable } from '@atrium/tools/configuration-table/read-variables';
import { renderTable } from '@atrium/tools/configuration-table/render-table';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { read } from './sources.ts';

const variables: Variable[] = [];
const namesOf = (process: string) => variables.filter((one) => one.process === process).map(({ name }) => name);

beforeAll(async () => {
  for (const process of PROCESSES) variables.push(...(await readVariables(process)));
});

describe('docs/self-hosting/configuration.md', () => {
  it('matches the schemas; `npm run docs:config` regenerates it', () => {
    expect(read('docs/self-hosting/configuration.md')).toBe(renderTable(variables));
  });

  it('rejects two processes that describe the same variable differently', () => {
    const [first] = variables;
    if (!first) throw new Error('no variables');
    const other = { ...first, process: 'another', meaning: 'something else' };
    expect(() => renderTable([first, other])).toThrow(`${first.name} is described differently by`);
  });
});

describe.each(PROCESSES)('the configuration of %s', (process) => {
  it('contains the variables that every process reads', () => {
    expect(namesOf(process)).toEqual(expect.arrayContaining(['PORT', 'LOG_LEVEL', 'SHUTDOWN_TIMEOUT_SECONDS']));
  });

  it('marks variables that sound like secrets as secrets', () => {
    const secretPattern = /SECRET|PASSWORD|SEALING|TOKEN|^(DATABASE|REDIS|MONGO|SMTP)_URL/;
    const soundingLikeSecrets = variables.filter((one) => one.process === process && secretPattern.test(one.name));
    expect(soundingLikeSecrets.filter(({ isSecret }) => !isSecret).map(({ name }) => name)).toEqual([]);
  });

  it('rejects a secret copied from an example', async () => {
    const schema = await schemaOf(process);
    // A previous value is only used for verification and may have to be replaced.
    const secrets = variables.filter((one) => one.process === process && one.isSecret && !/_PREVIOUS$/.test(one.name));
    const example = (name: string) => {
      if (name.endsWith('_URL')) return 'scheme://user:replace-me@host:1/name';
      return name === 'LINK_SEALING_KEY' ? 'A'.repeat(43) : 'replace-me-replace-me';
    };
    const values = Object.fromEntries(secrets.map(({ name }) => [name, example(name)]));
    const { error } = schema.safeParse(values);
    const rejected = error?.issues
      .filter(({ message }) => /is an example/.test(message))
      .map(({ path }) => path.join());
    expect(rejected?.sort()).toEqual(Object.keys(values).sort());
  });
});

describe('the launcher', () => {
  const rows = [...services, { name: 'gateway', sharedVariables: gatewaySharedVariables }];

  it.each(rows.map(({ name, sharedVariables }) => [name, sharedVariables] as const))(
    'passes %s only variables that it reads',
    (name, sharedVariables) => {
      expect(sharedVariables.filter((variable) => !namesOf(name).includes(variable))).toEqual([]);
    },
  );
});
