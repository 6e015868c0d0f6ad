import { startDevSystem } from './dev/start-dev-system.ts';
import { launch } from './start/launch.ts';
import { readProcessOptions } from './start/options.ts';

const DEV_HELP = `npm run dev [-- options]

Starts Atrium for development, with the data of \`npm start\`. When you save a file of a service, of packages, or of
proto-events, the services that use it restart. Changes to the web app appear in the browser immediately. Backing
servers keep running. Each process has a debugger port; see .vscode/launch.json. Ctrl-C stops everything; the data is
kept.

  --demo         fills an empty workspace with people, projects, meetings, documents, and conversations (tools/demo)
  --port <n>     the port of the web app and the API; by default that of the last run, or 3000 if it is free
  --reset        deletes the data of previous runs first
  --help         shows this text

The environment variables of npm start apply.
`;

const options = readProcessOptions(DEV_HELP);
if (options) await launch(options, startDevSystem);
