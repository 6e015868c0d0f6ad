import type { Client } from 'minio';
import { type Databases, isUnused, teamsOf, untold } from './databases.ts';
import type { SeedOptions } from './options.ts';
import { seedAccounts } from './seed-accounts.ts';
import { seedAttachments } from './seed-attachments.ts';
import { seedDocuments } from './seed-documents.ts';
import { seedCompletedTasks, seedPeople } from './seed-people.ts';
import { seedProjects } from './seed-projects.ts';

export const SEED_PASSWORD = 'Atrium#2026';

const LOOK_EVERY_MS = 500;

/** Fills the databases of services that have made their tables. Throws a sentence for a workspace that is in use. */
export const seedWorkspace = async (
  { databases, store }: { databases: Databases; store: { client: Client; bucket: string } | undefined },
  { people: count, projects, tasks: many, documents, attachments, force }: SeedOptions,
  say: (line: string) => void,
): Promise<void> => {
  if (!force && !(await isUnused(databases))) {
    throw new Error(
      'Somebody has worked in this workspace: it is left as it is. To seed it all the same, say --force.',
    );
  }
  say(`${count} people …`);
  const people = await seedPeople(databases.users, count);
  await seedAccounts(databases.auth, people, SEED_PASSWORD);
  say(`${projects} projects, ${many} tasks …`);
  const tasks = await seedProjects(databases.projects, people, { projects, tasks: many });
  await seedCompletedTasks(databases.users, tasks);
  if (documents > 0) {
    say(`${documents} documents …`);
    await seedDocuments(databases.documents, { people, teams: await teamsOf(databases), count: documents, store });
  }
  if (attachments > 0) {
    say(`${attachments} files in one conversation …`);
    await seedAttachments(databases.chat, { people, count: attachments, store });
  }
  say('telling the directory …');
  await untilTold(databases, say);
  say(`Everybody signs in with the password ${SEED_PASSWORD}, as administrator ${people[0]?.email}.`);
};

/** The users service puts into the directory what waits in its outbox. */
const untilTold = async (databases: Databases, say: (line: string) => void): Promise<void> => {
  let told = 0;
  for (let left = await untold(databases); left > 0; left = await untold(databases)) {
    if (Date.now() - told > 10_000) say(`  ${left} to go`);
    if (Date.now() - told > 10_000) told = Date.now();
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
  }
};
