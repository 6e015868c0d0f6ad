import type { Entry, Names } from './names.ts';

const toUpperName = ({ plural }: Names): string => plural.toUpperCase();

const renderComposeService = (names: Names): string => `
  ${names.plural}:
    <<: *service
    image: atrium/${names.plural}:\${ATRIUM_VERSION:-0.9.0}
    build: { <<: *build, args: { SERVICE: ${names.plural} } }
    environment:
      <<: *common-env
      DATABASE_URL: &${names.plural}-database postgres://atrium_${names.plural}:\${POSTGRES_${toUpperName(names)}_PASSWORD:?run npm run secrets -- compose}@postgres:5432/atrium_${names.plural}
      NATS_USER: ${names.plural}
      NATS_PASSWORD: \${NATS_${toUpperName(names)}_PASSWORD:?run npm run secrets -- compose}
`;

const renderDebugger = (port: number, { plural }: Names): string => `,
    {
      "name": "${plural}",
      "type": "node",
      "request": "attach",
      "port": ${port},
      "restart": true,
      "skipFiles": ["<node_internals>/**"]
    }`;

export const deploymentEntries: readonly Entry[] = [
  {
    file: 'docs/self-hosting/kubernetes.md',
    after: /\nfor name in [a-z -]*(?= gateway; do)/,
    insert: ({ plural }) => ` ${plural}`,
  },
  {
    file: 'deploy/compose.yaml',
    after: /\n {6}NOTIFICATIONS_URL: [^\n]*/,
    insert: (names) => `\n      ${toUpperName(names)}_URL: http://${names.plural}:3000`,
  },
  {
    file: 'deploy/compose.yaml',
    after: /\n(?= {2}notifications:\n)/,
    insert: (names) => `${renderComposeService(names).slice(1)}\n`,
  },
  {
    file: 'deploy/compose.yaml',
    after: /\n {6}CHAT_PASSWORD: [^\n]*/,
    insert: (names) => `\n      ${toUpperName(names)}_PASSWORD: \${POSTGRES_${toUpperName(names)}_PASSWORD}`,
  },
  {
    file: 'deploy/compose.yaml',
    after: /\n {6}NATS_NOTIFICATIONS_PASSWORD: [^\n]*/,
    insert: (names) => `\n      NATS_${toUpperName(names)}_PASSWORD: \${NATS_${toUpperName(names)}_PASSWORD}`,
  },
  {
    file: 'deploy/compose.yaml',
    after: /\n {6}CHAT_DATABASE_URL: [^\n]*/,
    insert: (names) => `\n      ${toUpperName(names)}_DATABASE_URL: *${names.plural}-database`,
  },
  ...['POSTGRES_CHAT', 'NATS_NOTIFICATIONS'].map((before) => ({
    file: 'deploy/.env.example',
    after: new RegExp(`\\n${before}_PASSWORD=replace-me`),
    insert: (names: Names) => `\n${before.split('_')[0]}_${toUpperName(names)}_PASSWORD=replace-me`,
  })),
  ...['target: dev,', 'target: service,'].map((target) => ({
    file: 'skaffold.yaml',
    after: new RegExp(`\\n {4}- \\{ image: atrium/notifications,[^\\n]*${target}[^\\n]*`),
    insert: ({ plural }: Names, [line = '']: RegExpExecArray) => line.replaceAll('notifications', plural),
  })),
  {
    file: '.vscode/launch.json',
    after: /"port": (\d+),(?:(?!"port")[\s\S])*?\n {4}\}(?=\s*\],\s*"compounds")/,
    insert: (names, [, port]) => renderDebugger(Number(port) + 1, names),
  },
  {
    file: '.vscode/launch.json',
    after: /"configurations": \[[^\]{]*"(?=\s*\])/,
    insert: ({ plural }) => `, "${plural}"`,
  },
];
