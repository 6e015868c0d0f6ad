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

Fills the local workspace with many people, projects, tasks, documents, and one conversation with many files, to test Atrium
at that size. It writes directly to the databases of the services and publishes the directory. It creates no project
conversations and sends no email. The workspace can be running; otherwise it is started for the duration of the command.

  --people <n>       number of people, in departments of very different sizes; default 500
  --projects <n>     number of projects with teams; default a tenth of the people
  --tasks <n>        number of tasks, most of them in a few projects and assigned to a few people; default twice the
                     people
  --documents <n>    number of documents with text; default 200 per person, at most 100,000. Only the newest hundred can
                     be downloaded
  --attachments <n>  number of files in a conversation of the first twelve people; default 20 per person, at most
                     10,000. All of them can be opened
  --force            also seeds a workspace that is in use. All created people can sign in with one known password, some
                     of them as administrators, so never use this in production
  --help             shows this text

  ATRIUM_HOME        the workspace, as for npm start; by default .atrium in this folder
`;

const MAX_COUNT = 1_000_000;

const parseCount = (name: string, text: string): number => {
  const count = Number(text);
  if (/^\d+$/.test(text) && count <= MAX_COUNT) return count;
  throw new Error(`--${name} must be a number from 0 to ${MAX_COUNT}, not "${text}"`);
};

/** Throws an error if an argument is invalid. */
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
  const people = Math.max(1, parseCount('people', values.people));
  const projects = values.projects === undefined ? Math.ceil(people / 10) : parseCount('projects', values.projects);
  const tasks = values.tasks === undefined ? people * 2 : parseCount('tasks', values.tasks);
  const documents =
    values.documents === undefined ? Math.min(people * 200, 100_000) : parseCount('documents', values.documents);
  const attachments =
    values.attachments === undefined ? Math.min(people * 20, 10_000) : parseCount('attachments', values.attachments);
  return { help: values.help, force: values.force, people, projects, tasks, documents, attachments };
};
