import { benchAttachments } from './benches/attachments.ts';
import { benchChannel } from './benches/channel.ts';
import { benchCompression } from './benches/compression.ts';
import { benchDelivery } from './benches/delivery.ts';
import { benchDirectory } from './benches/directory.ts';
import { benchDocuments } from './benches/documents.ts';
import { benchEvents } from './benches/events.ts';
import { benchEverything } from './benches/everything.ts';
import { benchFiles } from './benches/files.ts';
import { benchListing } from './benches/listing.ts';
import { benchLists } from './benches/lists.ts';
import { benchPlanning } from './benches/planning.ts';
import { benchProcesses } from './benches/processes.ts';
import { benchReading } from './benches/reading.ts';
import { benchSearch } from './benches/search.ts';
import { benchSending } from './benches/sending.ts';
import { benchSessions } from './benches/sessions.ts';
import { benchSignIn } from './benches/sign-in.ts';
import { type Figure, report } from './figures.ts';
import { startLoadEnvironment } from './load-environment.ts';
import { benchMeetings } from './meetings/bench-meetings.ts';

/**
 * `npm run bench [-- name …]` measures figures in one run and prints them with their limits. Exits with 1 if a figure
 * misses its limit.
 */
const BENCHES = {
  processes: benchProcesses,
  listing: benchListing,
  reading: benchReading,
  compression: benchCompression,
  lists: benchLists,
  documents: benchDocuments,
  planning: benchPlanning,
  meetings: benchMeetings,
  search: benchSearch,
  everything: benchEverything,
  sending: benchSending,
  delivery: benchDelivery,
  channel: benchChannel,
  attachments: benchAttachments,
  files: benchFiles,
  directory: benchDirectory,
  events: benchEvents,
  'sign-in': benchSignIn,
  sessions: benchSessions,
};

const print = (line: string) => void process.stdout.write(`${line}\n`);
const requested = process.argv.slice(2);
const unknown = requested.filter((name) => !(name in BENCHES));
if (unknown.length > 0)
  throw new Error(`Unknown bench ${unknown.join(', ')}. Available: ${Object.keys(BENCHES).join(', ')}`);

const environment = await startLoadEnvironment(print);
const figures: Figure[] = [];
try {
  for (const [name, bench] of Object.entries(BENCHES)) {
    if (requested.length > 0 && !requested.includes(name)) continue;
    print(`\n${name}`);
    figures.push(...(await bench(environment)));
  }
} finally {
  await environment.stop();
}
process.exitCode = report(figures, print) ? 0 : 1;
