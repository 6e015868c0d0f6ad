export const DEV_HELP = `npm run dev [-- options]

Atrium on this machine for whoever changes it, with the data of \`npm start\`. A saved file of a service, of the packages or of
proto-events starts the services again that use it; a saved file of the web app is in the browser at once. Backing servers stay up.
Each process has a debugger's port, which .vscode/launch.json knows. Ctrl-C ends everything; the data stays.

  --demo         fill an empty workspace with people, projects, meetings, documents and conversations (tools/demo)
  --port <n>     the port of the web app and the API; else the one of the last start, at first 3000 if it is free
  --reset        forget the data of earlier starts first
  --help         this text

The environment counts as it does for npm start.
`;
