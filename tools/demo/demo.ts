import { createClient } from './client.ts';
import { createConversations } from './conversations.ts';
import { uploadDocuments } from './documents.ts';
import { scheduleMeetings } from './meetings.ts';
import { DEMO_PASSWORD, type DemoPerson, invitePeople } from './people.ts';
import { createProjects } from './projects.ts';

type Options = {
  baseUrl: string;
  /** Required to create the first administrator if the server has a setup token. */
  setupToken?: string | undefined;
  print: (line: string) => void;
};

/** Fills the workspace through the public API. Leaves a workspace that already has people unchanged. */
export async function runDemo({ baseUrl, setupToken, print }: Options): Promise<void> {
  const { setupRequired } = await createClient(baseUrl).get<{ setupRequired: boolean }>('/auth/setup');
  if (!setupRequired) {
    print('The workspace already has people, so the demo changes nothing.');
    return;
  }
  print('Filling the demo workspace: people …');
  const people = await invitePeople(baseUrl, setupToken);
  const find = (first: string): DemoPerson => {
    const person = people.find((candidate) => candidate.first === first);
    if (!person) throw new Error(`No one in the demo is called ${first}`);
    return person;
  };
  print('projects …');
  const projects = await createProjects(people, find);
  print('meetings, documents, conversations …');
  await scheduleMeetings(find, projects);
  await uploadDocuments(find, projects);
  await createConversations(people, find);
  print(`Three accounts to try, password ${DEMO_PASSWORD}:`);
  for (const role of ['admin', 'project_manager', 'member'] as const) {
    const person = people.find((candidate) => candidate.role === role);
    if (person) print(`  ${person.email.padEnd(24)} ${person.name}, ${role.replace('_', ' ')}`);
  }
}
