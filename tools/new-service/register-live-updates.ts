import type { Entry } from './entry.ts';
import { fillTemplate } from './names.ts';

/** The live update of the template's event: the topics it belongs to, visible to every signed-in user. */
const ROW = `
  row(things.thingCreated, ({ thingId }) => ({
    topics: ['things'],
    audience: 'everyone',
    changes: [{ resource: 'thing', id: thingId, action: 'created', version: 0 }],
  })),`;

/** Lists that publish the service's events to browsers and its denials to the security log. */
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
    insert: ({ plural }) => `\nexport const ${plural}Audit = auditEventOf('${plural}');`,
  },
  // Last, because stream positions follow this order.
  {
    file: 'proto-events/src/nats-users.ts',
    after: /FEED_PRODUCERS = \[[^\]]*'(?=,?\s*\])/,
    insert: ({ plural }) => `, '${plural}'`,
  },
  {
    file: 'proto-events/src/realtime.ts',
    after: /type Change = \{\s*resource:[^;]*/,
    insert: ({ singular }) => `\n    | '${singular}'`,
  },
  {
    file: 'proto-events/src/topics.ts',
    after: /LIST_TOPICS = \[[^\]]*'(?=,?\s*\])/,
    insert: ({ plural }) => `, '${plural}'`,
  },
  {
    file: 'services/chat/src/feed/fanout.ts',
    after: /import \* as projects from '@atrium\/proto-events\/events\/projects';/,
    insert: ({ plural }) => `\nimport * as ${plural} from '@atrium/proto-events/events/${plural}';`,
  },
  {
    file: 'services/chat/src/feed/fanout.ts',
    after: /FANOUT: readonly FanoutRow\[\] = \[[\s\S]*?(?=\n\];)/,
    insert: (names) => fillTemplate(ROW, names),
  },
  {
    file: 'web/src/realtime/invalidation-rules.ts',
    after: /WITH_PEOPLE = \[[^\]]*'(?=,?\s*\])/,
    insert: ({ plural }) => `, '/${plural}'`,
  },
  {
    file: 'web/src/realtime/invalidation-rules.ts',
    after: /const INVALIDATION_RULES: [\s\S]*?(?=\n\};)/,
    insert: ({ plural, singular }) => `\n  ${singular}: { own: '/${plural}', rules: [] },`,
  },
  {
    file: 'web/src/realtime/topics.ts',
    after: /const ENTRIES: [\s\S]*?(?=\n\];)/,
    insert: ({ plural }) => `\n  { path: '/${plural}', list: ['${plural}', 'names'] },`,
  },
];
