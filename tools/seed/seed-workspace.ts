import type { Client } from 'minio';
import { countUnpublished, type Databases, isUnused, listTeams } from './databases.ts';
import type { SeedOptions } from './options.ts';
import { seedAccounts } from './seed-accounts.ts';
import { seedAttachments } from './seed-attachments.ts';
import { seedDocuments } from './seed-documents.ts';
import { seedCompletedTasks, seedPeople } from './seed-people.ts';
import { seedProjects } from './seed-projects.ts';

export const SEED_PASSWORD = 'Atrium#2026';

const POLL_INTERVAL_MS = 500;

/** Seeds the workspace. Throws if it is in use, unless `force` is set. */
export const seedWorkspace = async (
  { databases, store }: { databases: Databases; store: { client: Client; bucket: string } | undefined },
  { people: count, projects, tasks: taskCount, documents, attachments, force }: SeedOptions,
  print: (line: string) => void,
): Promise<void> => {
  if (!force && !(await isUnused(databases))) {
    throw new Error('This workspace is in use, so nothing was changed. Use --force to seed it anyway.');
  }
  print(`${count} people …`);
  const people = await seedPeople(databases.users, count);
  await seedAccounts(databases.auth, people, SEED_PASSWORD);
  print(`${projects} projects, ${taskCount} tasks …`);
  const tasks = await seedProjects(databases.projects, people, { projects, tasks: taskCount });
  await seedCompletedTasks(databases.users, tasks);
  if (documents > 0) {
    print(`${documents} documents …`);
    await seedDocuments(databases.documents, { people, teams: await listTeams(databases), count: documents, store });
  }
  if (attachments > 0) {
    print(`${attachments} files in one conversation …`);
    await seedAttachments(databases.chat, { people, count: attachments, store });
  }
  print('publishing the directory …');
  await waitUntilPublished(databases, print);
  print(`Everyone can sign in with the password ${SEED_PASSWORD}; ${people[0]?.email} is an administrator.`);
};

/** Waits until the users service has published its outbox to the directory. */
const waitUntilPublished = async (databases: Databases, print: (line: string) => void): Promise<void> => {
  let lastReportAt = 0;
  for (
    let remaining = await countUnpublished(databases);
    remaining > 0;
    remaining = await countUnpublished(databases)
  ) {
    if (Date.now() - lastReportAt > 10_000) print(`  ${remaining} entries left`);
    if (Date.now() - lastReportAt > 10_000) lastReportAt = Date.now();
    await new Promise((resolve) => setTimeout(resolve, POLL_INTERVAL_MS));
  }
};
