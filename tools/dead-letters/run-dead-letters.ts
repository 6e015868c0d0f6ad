import { dropDeadLetter, findDeadLetter, readDeadLetters, replayDeadLetter } from './dead-letters.ts';
import type { Entry } from './entry.ts';
import type { Installation } from './installation.ts';
import type { DeadLetterOptions } from './options.ts';
import { dropRejected, readRejected, replayRejected } from './rejected-rows.ts';

const isRow = (id: string) => id.includes('/');

const lineOf = ({ id, where, what, aggregate, when, why }: Entry): string =>
  [id, where, what, aggregate, when, why].join('  ');

/** Runs a command. A failure for one id does not stop the others. */
export const runDeadLetters = async (
  installation: Installation,
  { command, ids }: DeadLetterOptions,
  print: (line: string) => void,
): Promise<void> => {
  if (command === 'list') return list(installation, print);
  if (command === 'show') return show(installation, ids[0] ?? '', print);
  const [handleLetter, handleRow] = command === 'replay' ? [replayDeadLetter, replayRejected] : [dropOne, dropRejected];
  const failures: string[] = [];
  for (const id of ids) {
    try {
      print(await (isRow(id) ? handleRow(installation, id) : handleLetter(installation, id)));
    } catch (error) {
      failures.push(`${id}: ${error instanceof Error ? error.message : error}`);
    }
  }
  if (failures.length > 0) throw new Error(failures.join('\n'));
};

const dropOne = async (installation: Installation, id: string): Promise<string> => {
  await findDeadLetter(installation, id);
  return dropDeadLetter(installation, id);
};

const list = async (installation: Installation, print: (line: string) => void): Promise<void> => {
  const entries = [...(await readDeadLetters(installation)), ...(await readRejected(installation))];
  for (const entry of entries) print(lineOf(entry));
  print(entries.length === 0 ? 'No dead letters.' : `${entries.length} in total.`);
};

const show = async (installation: Installation, id: string, print: (line: string) => void): Promise<void> => {
  const entry = isRow(id)
    ? (await readRejected(installation)).find((row) => row.id === id)
    : await findDeadLetter(installation, id);
  if (!entry) throw new Error(`Rejected row ${id} not found.`);
  const { where, what, aggregate, when, why, sequence } = entry;
  for (const [name, text] of Object.entries({ id, where, what, aggregate, sequence, when, why }))
    print(`${name.padEnd(10)} ${text}`);
  print(`\n${indented(entry.content)}`);
};

const indented = (content: string): string => {
  try {
    return JSON.stringify(JSON.parse(content), null, 2);
  } catch {
    return content;
  }
};
