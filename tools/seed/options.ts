import { parseArgs } from 'node:util';

export interface SeedOptions {
  help: boolean;
  force: boolean;
  people: number;
  projects: number;
  tasks: number;
  documents: number;
  attachments: number;
}

export const HELP = `npm run seed [-- options]

Fills the workspace of this machine with many people, projects, tasks, documents and one conversation with many files, to see how it
does at that size. It writes straight into the databases of the services and lets the directory be told of everybody; no conversations
are made of the projects, and nobody is sent a mail. The workspace may be running; else it is started for as long as that takes.

  --people <n>     how many people, in departments of very different size; 500 unless told
  --projects <n>   how many projects with teams; a tenth of the people unless told
  --tasks <n>      how many tasks, most of them in few projects and with few people; twice the people unless told
  --documents <n>  how many documents with their texts; 200 for each person unless told, 100,000 at most. The newest hundred can be
                   downloaded, the bytes of all others are nowhere
  --attachments <n>  how many files the conversation of the first twelve people has; 20 for each person unless told, 10,000 at most.
                   They can all be opened
  --force          also into a workspace that has more in it than its first administrator. Everybody who is made can sign in with
                   one known password, some of them as administrators: never do this where that matters
  --help           this text

  ATRIUM_HOME      the workspace, as for npm start; .atrium in this folder unless set
`;

const MOST = 1_000_000;

const countOf = (name: string, text: string): number => {
  const count = Number(text);
  if (/^\d+$/.test(text) && count <= MOST) return count;
  throw new Error(`--${name} must be a number from 0 to ${MOST}, not "${text}"`);
};

/** What somebody typed after `npm run seed --`; throws a sentence on anything unknown. */
export const readSeedOptions = (args: string[]): SeedOptions => {
  const { values } = parseArgs({
    args,
    options: {
      help: { type: 'boolean', short: 'h', default: false },
      force: { type: 'boolean', default: false },
      people: { type: 'string', default: '500' },
      projects: { type: 'string' },
      tasks: { type: 'string' },
      documents: { type: 'string' },
      attachments: { type: 'string' },
    },
  });
  const people = Math.max(1, countOf('people', values.people));
  const projects = values.projects === undefined ? Math.ceil(people / 10) : countOf('projects', values.projects);
  const tasks = values.tasks === undefined ? people * 2 : countOf('tasks', values.tasks);
  const documents =
    values.documents === undefined ? Math.min(people * 200, 100_000) : countOf('documents', values.documents);
  const attachments =
    values.attachments === undefined ? Math.min(people * 20, 10_000) : countOf('attachments', values.attachments);
  return { help: values.help, force: values.force, people, projects, tasks, documents, attachments };
};
