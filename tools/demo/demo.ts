import { createClient } from './client.ts';
import { fillConversations } from './conversations.ts';
import { uploadDocuments } from './documents.ts';
import { scheduleMeetings } from './meetings.ts';
import { DEMO_PASSWORD, type DemoPerson, invitePeople } from './people.ts';
import { createProjects } from './projects.ts';

type Options = {
  baseUrl: string;
  /** Required to create the first administrator if the server is configured with one. */
  setupToken?: string | undefined;
  say: (line: string) => void;
};

/** Through the public API. A workspace that already has people stays unchanged. */
export async function runDemo({ baseUrl, setupToken, say }: Options): Promise<void> {
  const { setupRequired } = await createClient(baseUrl).get<{ setupRequired: boolean }>('/auth/setup');
  if (!setupRequired) {
    say('The workspace already has people, so the demo changes nothing.');
    return;
  }
  say('Filling the demo workspace: people …');
  const people = await invitePeople(baseUrl, setupToken);
  const find = (first: string): DemoPerson => {
    const person = people.find((candidate) => candidate.first === first);
    if (!person) throw new Error(`No one in the demo is called ${first}`);
    return person;
  };
  say('projects …');
  const projects = await createProjects(people, find);
  say('meetings, documents, conversations …');
  await scheduleMeetings(find, projects);
  await uploadDocuments(find, projects);
  await fillConversations(people, find);
  say(`Three accounts to try, password ${DEMO_PASSWORD}:`);
  for (const role of ['admin', 'project_manager', 'member'] as const) {
    const person = people.find((candidate) => candidate.role === role);
    if (person) say(`  ${person.email.padEnd(24)} ${person.name}, ${role.replace('_', ' ')}`);
  }
}
