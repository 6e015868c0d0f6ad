import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Entry, Names } from './names.ts';
import { deploymentEntries } from './register-deployment.ts';
import { liveUpdateEntries, visibilityTestEntries } from './register-live-updates.ts';

const toUpperName = ({ plural }: Names): string => plural.toUpperCase();

const codeEntries: readonly Entry[] = [
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
    after: /const MODULES\b.* = \{[\s\S]*?\n {2}notifications: .*/,
    insert: ({ plural }) => `\n  ${plural},`,
  },
  {
    file: 'proto-events/src/all-endpoints.ts',
    after: /type ServiceName =[\s\S]*?\n {2}\| 'notifications'/,
    insert: ({ plural }) => `\n  | '${plural}'`,
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
    insert: (names) => `\n    ${names.plural}: config.${toUpperName(names)}_URL,`,
  },
  {
    file: 'gateway/src/config.ts',
    after: /NOTIFICATIONS_URL: serviceUrl\('notifications'\),/,
    insert: (names) => `\n  ${toUpperName(names)}_URL: serviceUrl('${names.plural}'),`,
  },
  {
    file: 'packages/dev-server/backing/servers/postgres-databases.ts',
    after: /serviceDatabases = \[[^\]]*'(?=,?\s*\])/,
    insert: ({ plural }) => `, '${plural}'`,
  },
  {
    file: 'tools/backup/installation/databases.ts',
    after: /MIGRATIONS = \{[\s\S]*?(?=\n\})/,
    insert: ({ plural }) => `\n  ${plural}: new URL('../../../services/${plural}/migrations', import.meta.url),`,
  },
  {
    file: 'packages/dev-server/system/services.ts',
    after: /services: readonly ServiceRow\[\] = \[[\s\S]*?(?=\n\];)/,
    insert: ({ plural }) => `\n  { name: '${plural}', database: '${plural}', sharedVariables: [] },`,
  },
  {
    file: 'proto-events/src/nats-users.ts',
    after: /Readonly<Record<string, Subscriptions>> = \{[\s\S]*?(?=\n\};)/,
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
    insert: (names) => `\n            - { name: ${toUpperName(names)}_URL, value: http://${names.plural}:3000 }`,
  },
  {
    file: 'deploy/backing/postgres/databases.sh',
    after: /\nfor service in [a-z ]*[a-z](?=; do)/,
    insert: ({ plural }) => ` ${plural}`,
  },
  {
    file: 'tests/flows/authorization/roles/table.ts',
    after: /import \{ PROJECT_ROWS \} from '.\/project-rows.ts';/,
    insert: ({ singular }) => `\nimport { ${singular}Rows } from './${singular}-rows.ts';`,
  },
  {
    file: 'tests/flows/authorization/roles/table.ts',
    after: /TABLE: readonly Row\[\] = \[[^\]]*\w(?=,?\s*\])/,
    insert: ({ singular }) => `, ...${singular}Rows`,
  },
  {
    file: 'docs/architecture.md',
    after: /\n\| notifications \|.*/,
    insert: ({ plural, singular }) => `\n| ${plural} | ${plural} | \`${plural}.${singular}.*\` | – |`,
  },
  {
    file: 'tests/deploy/network/allowed-paths.ts',
    after: /POSTGRES_SERVICES = \[[^\]]*'chat'/,
    insert: ({ plural }) => `, '${plural}'`,
  },
];

/** All places that list services, in the order in which they are changed. */
export const ENTRIES: readonly Entry[] = [
  ...codeEntries,
  ...liveUpdateEntries,
  ...visibilityTestEntries,
  ...deploymentEntries,
];

export interface Registered {
  changed: string[];
  missed: string[];
}

export const register = async (root: string, names: Names): Promise<Registered> => {
  const changed = new Set<string>();
  const missed: string[] = [];
  for (const { file, after, insert } of ENTRIES) {
    const path = join(root, file);
    const text = await readFile(path, 'utf8');
    const match = after.exec(text);
    if (!match) {
      missed.push(file);
      continue;
    }
    const end = match.index + match[0].length;
    await writeFile(path, text.slice(0, end) + insert(names, match) + text.slice(end));
    changed.add(file);
  }
  return { changed: [...changed], missed };
};
