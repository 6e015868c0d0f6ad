import { benchAttachments } from './bench-attachments.ts';
import { benchCompression } from './bench-compression.ts';
import { benchDelivery } from './bench-delivery.ts';
import { benchDirectory } from './bench-directory.ts';
import { benchDocuments } from './bench-documents.ts';
import { benchEvents } from './bench-events.ts';
import { benchFiles } from './bench-files.ts';
import { benchListing } from './bench-listing.ts';
import { benchLists } from './bench-lists.ts';
import { benchPlanning } from './bench-planning.ts';
import { benchProcesses } from './bench-processes.ts';
import { benchReading } from './bench-reading.ts';
import { benchSending } from './bench-sending.ts';
import { benchSessions } from './bench-sessions.ts';
import { benchSignIn } from './bench-sign-in.ts';
import { type Figure, report } from './figures.ts';
import { benchMeetings } from './meetings/bench-meetings.ts';
import { startWorld } from './world.ts';

/** `npm run bench [-- name …]`: figures measured in one run, beside their limits where they have one. Exit code 1 when one misses. */
const BENCHES = {
  processes: benchProcesses,
  listing: benchListing,
  reading: benchReading,
  compression: benchCompression,
  lists: benchLists,
  documents: benchDocuments,
  planning: benchPlanning,
  meetings: benchMeetings,
  sending: benchSending,
  delivery: benchDelivery,
  attachments: benchAttachments,
  files: benchFiles,
  directory: benchDirectory,
  events: benchEvents,
  'sign-in': benchSignIn,
  sessions: benchSessions,
};

const print = (line: string) => void process.stdout.write(`${line}\n`);
const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !(name in BENCHES));
if (unknown.length > 0)
  throw new Error(`no bench is called ${unknown.join(', ')}; there are ${Object.keys(BENCHES).join(', ')}`);

const world = await startWorld(print);
const figures: Figure[] = [];
try {
  for (const [name, bench] of Object.entries(BENCHES)) {
    if (wanted.length > 0 && !wanted.includes(name)) continue;
    print(`\n${name}`);
    figures.push(...(await bench(world)));
  }
} finally {
  await world.stop();
}
process.exitCode = report(figures, print) ? 0 : 1;
