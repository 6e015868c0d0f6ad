import type { Entry } from './entry.ts';
import { fillTemplate } from './names.ts';

const CALLS = `
  'GET /things': by('list'),
  'GET /things/:id': by('call', 'things'),
  'POST /things': OWN,`;

/** The visibility tests, in which the template's things are visible to every signed-in user. */
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
    insert: ({ singular }) => `\n  ${singular}: kind(ALL_USERS, 'call, list, /live, watch, resumed'),`,
  },
  {
    file: 'tests/flows/authorization/visibility/kinds.ts',
    after: /const RESOURCES: [\s\S]*?(?=\n\};)/,
    insert: ({ singular }) => `\n  ${singular}: ['${singular}'],`,
  },
  {
    file: 'tests/flows/authorization/visibility/visibility-fixture.ts',
    after: /import \{ type KindName, markOf \} from '.\/kinds.ts';/,
    insert: ({ plural, Singular }) => `\nimport { make${Singular} } from './${plural}.ts';`,
  },
  {
    file: 'tests/flows/authorization/visibility/visibility-fixture.ts',
    after: /await makeDocuments\(fixture\);/,
    insert: ({ Singular }) => `\n  await make${Singular}(fixture, 'a');`,
  },
  {
    file: 'tests/flows/authorization/visibility/changes.ts',
    after: /import \{ markOf \} from '.\/kinds.ts';/,
    insert: ({ plural, Singular }) => `\nimport { make${Singular} } from './${plural}.ts';`,
  },
  {
    file: 'tests/flows/authorization/visibility/changes.ts',
    after: /await say\(fixture, type, 'b'\);/,
    insert: ({ Singular }) => `\n  await make${Singular}(fixture, 'b');`,
  },
];
