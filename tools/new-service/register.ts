import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Entry } from './entry.ts';
import type { Names } from './names.ts';
import { deploymentEntries } from './register-deployment.ts';

const upper = ({ plural }: Names): string => plural.toUpperCase();

/** Every list that names the services one by one. The new one goes behind the last. */
const entries: readonly Entry[] = [
  {
    file: 'tsconfig.json',
    after: /\{\s*"path": "services\/notifications"\s*\}/,
    insert: ({ plural }) => `,\n    {\n      "path": "services/${plural}"\n    }`,
  },
  {
    file: 'proto-events/src/all-endpoints.ts',
    after: /import \* as projects from '.\/http\/projects.ts';/,
    insert: ({ plural }) => `\nimport * as ${plural} from './http/${plural}.ts';`,
  },
  {
    file: 'proto-events/src/all-endpoints.ts',
    after: /const MODULES = \{[\s\S]*?\n {2}notifications,/,
    insert: ({ plural }) => `\n  ${plural},`,
  },
  {
    file: 'proto-events/src/all-events.ts',
    after: /import \* as projects from '.\/events\/projects.ts';/,
    insert: ({ plural }) => `\nimport * as ${plural} from './events/${plural}.ts';`,
  },
  {
    file: 'proto-events/src/all-events.ts',
    after: /ALL_EVENTS[^[]*\[\] = \[[^\]]*notifications/,
    insert: ({ plural }) => `, ${plural}`,
  },
  {
    file: 'gateway/src/upstream/upstreams.ts',
    after: /SERVICES = \[[^\]]*'notifications'/,
    insert: ({ plural }) => `, '${plural}'`,
  },
  {
    file: 'gateway/src/upstream/upstreams.ts',
    after: /\['notifications', 'notifications'\],/,
    insert: ({ plural }) => `\n  ['${plural}', '${plural}'],`,
  },
  {
    file: 'gateway/src/upstream/upstreams.ts',
    after: /notifications: config.NOTIFICATIONS_URL,/,
    insert: (names) => `\n    ${names.plural}: config.${upper(names)}_URL,`,
  },
  {
    file: 'gateway/src/config.ts',
    after: /NOTIFICATIONS_URL: serviceUrl\('notifications'\),/,
    insert: (names) => `\n  ${upper(names)}_URL: serviceUrl('${names.plural}'),`,
  },
  {
    file: 'deploy/local/backing/servers/postgres-databases.ts',
    after: /serviceDatabases = \[[^\]]*'(?=,?\s*\])/,
    insert: ({ plural }) => `, '${plural}'`,
  },
  {
    file: 'tools/backup/place/databases.ts',
    after: /MIGRATIONS = \{[\s\S]*?(?=\n\})/,
    insert: ({ plural }) => `\n  ${plural}: new URL('../../../services/${plural}/migrations', import.meta.url),`,
  },
  {
    file: 'deploy/local/system/services.ts',
    after: /services: readonly ServiceRow\[\] = \[[\s\S]*?(?=\n\];)/,
    insert: ({ plural }) => `\n  { name: '${plural}', database: '${plural}', needs: [] },`,
  },
  {
    file: 'proto-events/src/nats-users.ts',
    after: /\n {2}meetings: \{\},/,
    insert: ({ plural }) => `\n  ${plural}: {},`,
  },
  {
    file: 'deploy/base/kustomization.yaml',
    after: /\n {2}- notifications\.yaml/,
    insert: ({ plural }) => `\n  - ${plural}.yaml`,
  },
  {
    file: 'deploy/base/kustomization.yaml',
    after: /\n {2}- \{ name: atrium\/notifications, newTag: (\S+) \}/,
    insert: ({ plural }, [, tag = '']) => `\n  - { name: atrium/${plural}, newTag: ${tag} }`,
  },
  {
    file: 'deploy/base/gateway.yaml',
    after: /\n {12}- \{ name: NOTIFICATIONS_URL, .*\}/,
    insert: (names) => `\n            - { name: ${upper(names)}_URL, value: http://${names.plural}:3000 }`,
  },
  {
    file: 'deploy/backing/postgres/databases.sh',
    after: /for service in auth [a-z ]*chat/,
    insert: ({ plural }) => ` ${plural}`,
  },
  {
    file: 'tests/deploy/network/drawing.ts',
    after: /ROWS = \[[^\]]*'chat'/,
    insert: ({ plural }) => `, '${plural}'`,
  },
];

/** Enters the service into every list; answers the files in which its place was not found. */
export const register = async (root: string, names: Names): Promise<string[]> => {
  const missed: string[] = [];
  for (const { file, after, insert } of [...entries, ...deploymentEntries]) {
    const path = join(root, file);
    const text = await readFile(path, 'utf8');
    const found = after.exec(text);
    if (!found) missed.push(file);
    else
      await writeFile(
        path,
        text.slice(0, found.index) + found[0] + insert(names, found) + text.slice(found.index + found[0].length),
      );
  }
  return missed;
};
