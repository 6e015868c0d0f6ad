import { healthStatus, priority as priorities, projectStatus } from '@atrium/proto-events/http/projects';
import { taskStatus } from '@atrium/proto-events/http/tasks';
import fc from 'fast-check';

// Arbitraries of projects, tasks, and queries of their lists. Numbers pick from what exists (modulo).

type ValueOf<A> = A extends fc.Arbitrary<infer Value> ? Value : never;

export const VIEWERS = ['admin', 'manager', 'otherManager', 'member', 'stranger'] as const;
export type ViewerName = (typeof VIEWERS)[number];

const WORDS = [
  ...['Nguyễn', 'Đà Nẵng', 'tiếng Việt', 'שָׁלוֹם', 'פרויקט', 'İstanbul', 'ILIK', 'ığdır', 'Größe', 'ΟΔΟΣ', 'проект'],
  ...['会议记录', '東京タワー', 'プロジェクト', '한국어', 'ประเทศไทย', 'office', 'oﬃce', 'Portal', 'port', 'a', 'R&D'],
  ...['C++', '100%_', "O'Brien", 'a-b', '\\', '…', '😀', '½', 'e.g.', '€5'],
];
const text = fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 4 }).map((words) => words.join(' '));

const MANAGERS = ['admin', 'manager', 'otherManager'] as const;
const DATES = [null, '2026-11-29', '2026-11-30', '2027-01-01T08:30:00.001Z'];
/** Within few milliseconds, so that many times are equal in the API but not before they are stored. */
const microseconds = fc.nat(4_000);
const anyPriority = fc.constantFrom(...priorities.options);

export const newProject = fc.record({
  name: text,
  description: text,
  priority: anyPriority,
  status: fc.constantFrom(...projectStatus.options),
  deadline: fc.constantFrom(...DATES),
  managerName: fc.constantFrom(...MANAGERS),
  teamNames: fc.subarray([...VIEWERS]),
  health: fc.constantFrom(null, ...healthStatus.options),
  microseconds,
});
export type NewProject = ValueOf<typeof newProject>;

export const newTask = fc.record({
  title: text,
  description: text,
  priority: anyPriority,
  status: fc.constantFrom(...taskStatus.options),
  dueDate: fc.constantFrom(...DATES),
  projectNumber: fc.nat(),
  assigneeNumber: fc.nat(),
  creatorNumber: fc.nat(),
  microseconds,
});
export type NewTask = ValueOf<typeof newTask>;

const SPELLINGS: readonly ((word: string) => string)[] = [
  (word) => word,
  (word) => word.toUpperCase(),
  (word) => word.toLowerCase(),
  (word) => word.normalize('NFD'),
  (word) => word.slice(0, 2),
  (word) => word.slice(1),
  (word) => `  ${word} `,
];
const searchedWord = fc
  .tuple(fc.constantFrom(...WORDS), fc.constantFrom(...SPELLINGS))
  .map(([word, spell]) => spell(word));
const search = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.array(searchedWord, { minLength: 1, maxLength: 2 }).map((words) => words.join(' ')),
  },
  { weight: 1, arbitrary: fc.constantFrom('', ' ', '\u00a0', '\u200b', '\u2060\ufeff', '?!', '_', '%', '\u0301') },
);
const subsetOf = (values: readonly string[]) => fc.subarray([...values]).map((subset) => subset.join());

const filters = {
  search,
  priority: subsetOf(priorities.options),
  idNumbers: fc.array(fc.nat(), { maxLength: 8 }),
  limit: fc.constantFrom('3', '7', '100'),
};
const healths = subsetOf([...healthStatus.options, 'none']);
export const projectQuery = fc.record(
  { ...filters, status: subsetOf(projectStatus.options), health: healths },
  { requiredKeys: [] },
);
export type ProjectQuery = ValueOf<typeof projectQuery>;

/** Around the times of `createWork` in list-rules.api.test.ts. */
const COMPLETION_TIMES = ['2026-11-29T12:00:00.000Z', '2026-11-29T12:00:00.002Z', '2026-11-29T12:00:00.004Z'];

export const taskQuery = fc.record(
  {
    ...filters,
    status: subsetOf(taskStatus.options),
    sort: fc.constantFrom('newest', 'priority'),
    /** Of the lists of the user's own tasks. */
    ownSort: fc.constantFrom('newest', 'priority', 'due'),
    assigneeName: fc.constantFrom(...VIEWERS),
    completedFrom: fc.constantFrom(...COMPLETION_TIMES),
    completedBefore: fc.constantFrom(...COMPLETION_TIMES),
    dueFrom: fc.constantFrom('2026-11-29', '2026-11-30', '2027-01-01T08:30:00.001Z'),
    dueBefore: fc.constantFrom('2026-11-30', '2027-01-01', '2027-01-02T00:00:00Z'),
    due: fc.constant('none'),
    isUnassigned: fc.boolean(),
    projectNumber: fc.nat(),
  },
  { requiredKeys: [] },
);
export type TaskQuery = ValueOf<typeof taskQuery>;

export function pick<T>(values: readonly T[], number: number): T {
  const value = values[number % values.length];
  if (value === undefined) throw new Error('There is nothing to pick from');
  return value;
}
