import { inDatabase, insertAll } from './insert.ts';
import { ADJECTIVES, SUBJECTS, VERBS } from './names.ts';
import type { SeededPerson } from './seed-people.ts';
import { createSeededId, createSeededRandom, type SeededRandom } from './seeded-random.ts';

type SeededTask = { id: string; project_id: string; status: string; assigned_to: string | null };
type Amounts = { projects: number; tasks: number };

const HOUR = 3_600_000;
const PRIORITIES = ['medium', 'high', 'low', 'urgent'];
const PROJECT_STATUSES = ['in-progress', 'completed', 'not-started', 'on-hold', 'cancelled'];
const TASK_STATUSES = ['done', 'todo', 'in-progress', 'review'];
/** A skew above 1 favors the first items of a list, so that a few projects and people have many tasks. */
const SKEW = 3;

const hoursAgo = (hours: number): string => new Date(Date.now() - hours * HOUR).toISOString();
const capitalize = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

export const seedProjects = (
  projectsUrl: string,
  seededPeople: readonly SeededPerson[],
  amounts: Amounts,
): Promise<SeededTask[]> => {
  const people = seededPeople.filter(({ status }) => status === 'active');
  const managers = people.filter(({ role }) => role !== 'member');
  const random = createSeededRandom(amounts.projects + amounts.tasks);
  const projects = Array.from({ length: amounts.projects }, (_, index) => buildProject(index, random, managers));
  const tasks =
    projects.length === 0
      ? []
      : Array.from({ length: amounts.tasks }, (_, i) => buildTask(i, random, projects, people));
  return inDatabase(projectsUrl, async (client) => {
    await insertAll(client, { table: 'projects', columns: PROJECT_COLUMNS }, projects);
    const members = projects.flatMap((project) => buildTeam(project, random, people));
    await insertAll(
      client,
      { table: 'project_members', columns: 'project_id text, user_id text, position integer' },
      members,
    );
    await insertAll(client, { table: 'tasks', columns: TASK_COLUMNS }, tasks);
    return tasks;
  });
};

const PROJECT_COLUMNS = `id text, name text, description text, priority text, status text, manager_id text, progress smallint,
  due_date timestamptz, created_by text, created_at timestamptz, updated_at timestamptz`;

const buildProject = (index: number, random: SeededRandom, managers: SeededPerson[]) => {
  const subject = random.pick(SUBJECTS);
  const status = random.pick(PROJECT_STATUSES, 1.3);
  const manager = random.pick(managers).id;
  const age = random.integerBelow(20_000);
  return {
    id: createSeededId(),
    name: `${random.pick(ADJECTIVES)} ${subject} ${index + 1}`,
    description: `Everything for the ${subject}, from planning to the final review.`,
    priority: random.pick(PRIORITIES, 1.3),
    status,
    manager_id: manager,
    progress: status === 'completed' ? 100 : status === 'not-started' ? 0 : 5 * random.integerBelow(20),
    due_date: random.nextBoolean(0.1) ? null : hoursAgo(random.integerBelow(4_000) - 2_500),
    created_by: manager,
    created_at: hoursAgo(age),
    updated_at: hoursAgo(random.integerBelow(age + 1)),
  };
};

const buildTeam = (
  { id, manager_id }: { id: string; manager_id: string },
  random: SeededRandom,
  people: SeededPerson[],
) => {
  const userIds = Array.from({ length: 2 + random.integerBelow(7) }, () => random.pick(people, 1.5).id);
  const members = [...new Set(userIds)].filter((person) => person !== manager_id);
  return members.map((user_id, position) => ({ project_id: id, user_id, position: position + 1 }));
};

const TASK_COLUMNS = `id text, project_id text, title text, description text, status text, priority text, assigned_to text,
  due_date timestamptz, progress smallint, created_by text, created_at timestamptz, updated_at timestamptz`;

const buildTask = (
  index: number,
  random: SeededRandom,
  projects: { id: string; manager_id: string }[],
  people: SeededPerson[],
) => {
  const { id: project_id, manager_id } = random.pick(projects, SKEW);
  const status = random.pick(TASK_STATUSES, 1.3);
  const at = hoursAgo(random.integerBelow(15_000));
  const subject = random.pick(SUBJECTS);
  return {
    id: createSeededId(),
    project_id,
    title: `${random.pick(VERBS)} the ${subject} ${index + 1}`,
    description: `${capitalize(subject)}: scope, stakeholders, and acceptance criteria.`,
    status,
    priority: random.pick(PRIORITIES, 1.3),
    assigned_to: random.nextBoolean(0.1) ? null : random.pick(people, SKEW).id,
    due_date: random.nextBoolean(0.3) ? null : hoursAgo(random.integerBelow(4_000) - 2_000),
    progress: status === 'done' ? 100 : status === 'todo' ? 0 : 10 * random.integerBelow(10),
    created_by: manager_id,
    created_at: at,
    updated_at: at,
  };
};
