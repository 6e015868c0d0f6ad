import type { Entry } from './entry.ts';
import type { Installation } from './installation.ts';
import { dropLetter, findLetter, readLetters, replayLetter } from './letters.ts';
import type { DeadOptions } from './options.ts';
import { dropRefused, readRefused, replayRefused } from './rejected-rows.ts';

const isRow = (id: string) => id.includes('/');

const lineOf = ({ id, where, what, aggregate, when, why }: Entry): string =>
  [id, where, what, aggregate, when, why].join('  ');

/** Does what was asked for; what fails for one id does not keep the others from it. */
export const runDead = async (
  place: Installation,
  { command, ids }: DeadOptions,
  print: (line: string) => void,
): Promise<void> => {
  if (command === 'list') return list(place, print);
  if (command === 'show') return show(place, ids[0] ?? '', print);
  const [ofLetter, ofRow] = command === 'replay' ? [replayLetter, replayRefused] : [dropOne, dropRefused];
  const failures: string[] = [];
  for (const id of ids) {
    try {
      print(await (isRow(id) ? ofRow(place, id) : ofLetter(place, id)));
    } catch (error) {
      failures.push(`${id}: ${error instanceof Error ? error.message : error}`);
    }
  }
  if (failures.length > 0) throw new Error(failures.join('\n'));
};

const dropOne = async (place: Installation, id: string): Promise<string> => {
  await findLetter(place, id);
  return dropLetter(place, id);
};

const list = async (place: Installation, print: (line: string) => void): Promise<void> => {
  const entries = [...(await readLetters(place)), ...(await readRefused(place))];
  for (const entry of entries) print(lineOf(entry));
  print(entries.length === 0 ? 'There are none.' : `${entries.length} in all.`);
};

const show = async (place: Installation, id: string, print: (line: string) => void): Promise<void> => {
  const entry = isRow(id) ? (await readRefused(place)).find((row) => row.id === id) : await findLetter(place, id);
  if (!entry) throw new Error(`There is no refused row ${id}.`);
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
