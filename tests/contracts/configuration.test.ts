import { gatewayNeeds, services } from '@atrium/dev-server/system/services';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { PROCESSES, readVariables, schemaOf, type Variable } from '../configuration/read-variables.ts';
import { renderTable } from '../configuration/render-table.ts';
import { read } from './sources.ts';

const variables: Variable[] = [];
const namesOf = (process: string) => variables.filter((one) => one.process === process).map(({ name }) => name);

beforeAll(async () => {
  for (const process of PROCESSES) variables.push(...(await readVariables(process)));
});

describe('docs/self-hosting/configuration.md', () => {
  it('is what the schemas say today; `npm run docs:config` makes it anew', () => {
    expect(read('docs/self-hosting/configuration.md')).toBe(renderTable(variables));
  });

  it('does not stand twice: a variable that two processes read is one thing', () => {
    const [first] = variables;
    if (!first) throw new Error('there are no variables');
    const other = { ...first, process: 'another', meaning: 'something else' };
    expect(() => renderTable([first, other])).toThrow(`${first.name} is described differently by`);
  });
});

describe.each(PROCESSES)('what %s may be told', (process) => {
  it('holds what every process is told', () => {
    expect(namesOf(process)).toEqual(expect.arrayContaining(['PORT', 'LOG_LEVEL', 'SHUTDOWN_TIMEOUT_SECONDS']));
  });

  it('marks what sounds like a secret as one', () => {
    const sounding = /SECRET|PASSWORD|SEALING|TOKEN|^(DATABASE|REDIS|MONGO|SMTP)_URL/;
    const spoken = variables.filter((one) => one.process === process && sounding.test(one.name));
    expect(spoken.filter(({ isSecret }) => !isSecret).map(({ name }) => name)).toEqual([]);
  });

  it('refuses a secret out of an example', async () => {
    const schema = await schemaOf(process);
    // A value of before is only recognised with, and may be one that has to go.
    const secrets = variables.filter((one) => one.process === process && one.isSecret && !/_PREVIOUS$/.test(one.name));
    const example = (name: string) => {
      if (name.endsWith('_URL')) return 'scheme://user:replace-me@host:1/name';
      return name === 'LINK_SEALING_KEY' ? 'A'.repeat(43) : 'replace-me-replace-me';
    };
    const given = Object.fromEntries(secrets.map(({ name }) => [name, example(name)]));
    const { error } = schema.safeParse(given);
    const refused = error?.issues.filter(({ message }) => /is an example/.test(message)).map(({ path }) => path.join());
    expect(refused?.sort()).toEqual(Object.keys(given).sort());
  });
});

describe('the launcher', () => {
  const rows = [...services, { name: 'gateway', needs: gatewayNeeds }];

  it.each(rows.map(({ name, needs }) => [name, needs] as const))(
    'tells %s nothing that it does not read',
    (name, needs) => {
      expect(needs.filter((variable) => !namesOf(name).includes(variable))).toEqual([]);
    },
  );
});
