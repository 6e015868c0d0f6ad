import type { Values } from './values.ts';

const LINE = /^([A-Z][A-Z0-9_]*)=(.*)$/;

const unquoted = (text: string): string => /^(["'])(.*)\1$/.exec(text)?.[2] ?? text;
const isMissing = (value: string): boolean => value === '' || value === 'replace-me';

/** Parses lines of `NAME=value`. Empty values and `replace-me` count as missing. */
export const readEnvText = (text: string): Values =>
  Object.fromEntries(
    text.split('\n').flatMap((line) => {
      const [, name, value] = LINE.exec(line.trim()) ?? [];
      const read = unquoted((value ?? '').trim());
      return name === undefined || isMissing(read) ? [] : [[name, read]];
    }),
  );

interface Completed {
  text: string;
  values: Values;
  generated: string[];
}

/** In place of their line, or at the end. Existing values stay unchanged. */
export const completeEnvText = (text: string, makers: Readonly<Record<string, () => string>>): Completed => {
  const known = readEnvText(text);
  const generated = Object.keys(makers).filter((name) => known[name] === undefined);
  const fresh = new Map(generated.map((name) => [name, makers[name]?.() ?? '']));
  const placed = new Set<string>();
  const lines = text
    .trimEnd()
    .split('\n')
    .map((line) => {
      const name = LINE.exec(line.trim())?.[1];
      const value = name === undefined ? undefined : fresh.get(name);
      if (name === undefined || value === undefined) return line;
      placed.add(name);
      return `${name}=${value}`;
    });
  const added = generated.filter((name) => !placed.has(name)).map((name) => `${name}=${fresh.get(name)}`);
  const complete = `${[...lines, ...added].join('\n').trimStart()}\n`;
  return { text: complete, values: readEnvText(complete), generated };
};

/** A next or previous value is placed below the current one. */
const baseNameOf = (name: string): string => name.replace(/_(NEXT|PREVIOUS|CLOSED)$/, '');

/** Removes undefined values, and leaves all other lines unchanged. */
export const changeEnvText = (text: string, changes: Readonly<Record<string, string | undefined>>): string => {
  const left = new Map(Object.entries(changes).filter(([, value]) => value !== undefined));
  const lineOf = (name: string) => `${name}=${changes[name]}`;
  const kept = text
    .trimEnd()
    .split('\n')
    .flatMap((line) => {
      const name = LINE.exec(line.trim())?.[1];
      if (name === undefined || !Object.hasOwn(changes, name)) return [line];
      left.delete(name);
      return changes[name] === undefined ? [] : [lineOf(name)];
    });
  for (const name of left.keys()) {
    const place = kept.findLastIndex((line) => LINE.exec(line.trim())?.[1] === baseNameOf(name));
    kept.splice(place < 0 ? kept.length : place + 1, 0, lineOf(name));
  }
  return `${kept.join('\n')}\n`;
};
