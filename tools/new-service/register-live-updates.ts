import { type Entry, fillTemplate } from './names.ts';

const RESPONSES = `
  '/things': computed(() => ['things', 'people']),
  '/things/:id': computed(() => ['things', 'people']),`;

export const liveUpdateEntries: readonly Entry[] = [
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
    file: 'proto-events/src/events/audit.ts',
    after: /\nexport const notificationsAudit = .*/,
    insert: ({ plural }) => `\nexport const ${plural}Audit = defineAuditEvent('${plural}');`,
  },
  // Last, because stream positions follow this order.
  {
    file: 'proto-events/src/nats-users.ts',
    after: /LIVE_PRODUCERS = \[[^\]]*'(?=,?\s*\])/,
    insert: ({ plural }) => `, '${plural}'`,
  },
  {
    file: 'proto-events/src/realtime.ts',
    after: /type Change = \{\s*resource:[^;]*/,
    insert: ({ singular }) => `\n    | '${singular}'`,
  },
  {
    file: 'proto-events/src/change-tags.ts',
    after: /LIST_TAGS = \[[^\]]*'(?=,?\s*\])/,
    insert: ({ plural }) => `, '${plural}'`,
  },
  {
    file: 'proto-events/src/live-updates/fanout.ts',
    after: /import \* as projects from '.\/projects.ts';/,
    insert: ({ plural }) => `\nimport * as ${plural} from './${plural}.ts';`,
  },
  {
    file: 'proto-events/src/live-updates/fanout.ts',
    after: /PRODUCER_MODULES = \[[^\]]*notifications/,
    insert: ({ plural }) => `, ${plural}`,
  },
  {
    file: 'proto-events/src/http/changes.ts',
    after: /const RESOURCES = \[[^\]]*'(?=,?\s*\])/,
    insert: ({ singular }) => `, '${singular}'`,
  },
  {
    file: 'proto-events/src/responses/responses.ts',
    after: /\.\.\.CHAT_RESPONSES,/,
    insert: (names) => fillTemplate(RESPONSES, names),
  },
  {
    file: 'proto-events/test/audiences.test.ts',
    after: /const expected: typeof resources = new Set\(\[[^\]]*'(?=,?\s*\])/,
    insert: ({ singular }) => `, '${singular}'`,
  },
  {
    file: 'web/src/realtime/own-writes.ts',
    after: /const PATHS: [\s\S]*?(?=\n\};)/,
    insert: ({ plural, singular }) => `\n  ${singular}: '/${plural}',`,
  },
];

const CALLS = `
  'GET /things': via('list'),
  'GET /things/:id': via('item', 'things'),
  'POST /things': OWN,`;

export const visibilityTestEntries: readonly Entry[] = [
  {
    file: 'tests/flows/authorization/visibility/channels.ts',
    after: /type IdSet =[^;]*/,
    insert: ({ plural }) => `\n  | '${plural}'`,
  },
  {
    file: 'tests/flows/authorization/visibility/channels.ts',
    after: /const CALLS: [\s\S]*?(?=\n\};)/,
    insert: (names) => fillTemplate(CALLS, names),
  },
  {
    file: 'tests/flows/authorization/visibility/kinds.ts',
    after: /const KINDS = \{[\s\S]*?(?=\n\} as const)/,
    insert: ({ singular }) => `\n  ${singular}: kind(ALL_USERS, 'item, list, /live, subscription, replay'),`,
  },
  {
    file: 'tests/flows/authorization/visibility/kinds.ts',
    after: /const RESOURCES: [\s\S]*?(?=\n\};)/,
    insert: ({ singular }) => `\n  ${singular}: ['${singular}'],`,
  },
  {
    file: 'tests/flows/authorization/visibility/visibility-fixture.ts',
    after: /import \{ getMark, type KindName \} from '.\/kinds.ts';/,
    insert: ({ plural, Singular }) => `\nimport { make${Singular} } from './${plural}.ts';`,
  },
  {
    file: 'tests/flows/authorization/visibility/visibility-fixture.ts',
    after: /await makeDocuments\(fixture\);/,
    insert: ({ Singular }) => `\n  await make${Singular}(fixture, 'a');`,
  },
  {
    file: 'tests/flows/authorization/visibility/changes.ts',
    after: /import \{ getMark \} from '.\/kinds.ts';/,
    insert: ({ plural, Singular }) => `\nimport { make${Singular} } from './${plural}.ts';`,
  },
  {
    file: 'tests/flows/authorization/visibility/changes.ts',
    after: /await postMessages\(fixture, type, 'b'\);/,
    insert: ({ Singular }) => `\n  await make${Singular}(fixture, 'b');`,
  },
];
