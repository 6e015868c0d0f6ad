import type { Client } from 'minio';
import { countUnpublished, type Databases, isUnused, teamsOf } from './databases.ts';
import type { SeedOptions } from './options.ts';
import { seedAccounts } from './seed-accounts.ts';
import { seedAttachments } from './seed-attachments.ts';
import { seedDocuments } from './seed-documents.ts';
import { seedCompletedTasks, seedPeople } from './seed-people.ts';
import { seedProjects } from './seed-projects.ts';

export const SEED_PASSWORD = 'Atrium#2026';

const POLL_INTERVAL_MS = 500;

/** Throws if the workspace is in use. */
export const seedWorkspace = async (
  { databases, store }: { databases: Databases; store: { client: Client; bucket: string } | undefined },
  { people: count, projects, tasks: many, documents, attachments, force }: SeedOptions,
  say: (line: string) => void,
): Promise<void> => {
  if (!force && !(await isUnused(databases))) {
    throw new Error('This workspace is in use, so nothing was changed. Use --force to seed it anyway.');
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
  say('publishing the directory …');
  await waitUntilPublished(databases, say);
  say(`Everyone can sign in with the password ${SEED_PASSWORD}; ${people[0]?.email} is an administrator.`);
};

/** Waits until the users service has published its outbox to the directory. */
const waitUntilPublished = async (databases: Databases, say: (line: string) => void): Promise<void> => {
  let lastReportAt = 0;
  for (
    let remaining = await countUnpublished(databases);
    remaining > 0;
    remaining = await countUnpublished(databases)
  ) {
    if (Date.now() - lastReportAt > 10_000) say(`  ${remaining} entries left`);
    if (Date.now() - lastReportAt > 10_000) lastReportAt = Date.now();
    await new Promise((resolve) => setTimeout(resolve, POLL_INTERVAL_MS));
  }
};
