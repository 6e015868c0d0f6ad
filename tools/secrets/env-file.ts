import type { Values } from './values.ts';

const LINE = /^([A-Z][A-Z0-9_]*)=(.*)$/;

const unquote = (text: string): string => /^(["'])(.*)\1$/.exec(text)?.[2] ?? text;
const isMissing = (value: string): boolean => value === '' || value === 'replace-me';

/** Parses lines of `NAME=value`. Empty values and `replace-me` count as missing. */
export const readEnvText = (text: string): Values =>
  Object.fromEntries(
    text.split('\n').flatMap((line) => {
      const [, name, value] = LINE.exec(line.trim()) ?? [];
      const parsed = unquote((value ?? '').trim());
      return name === undefined || isMissing(parsed) ? [] : [[name, parsed]];
    }),
  );

interface CompletedEnv {
  text: string;
  values: Values;
  generated: string[];
}

/** Generates missing values in place of their lines, or at the end. Existing values stay unchanged. */
export const completeEnvText = (text: string, makers: Readonly<Record<string, () => string>>): CompletedEnv => {
  const existing = readEnvText(text);
  const generated = Object.keys(makers).filter((name) => existing[name] === undefined);
  const generatedValues = new Map(generated.map((name) => [name, makers[name]?.() ?? '']));
  const placed = new Set<string>();
  const lines = text
    .trimEnd()
    .split('\n')
    .map((line) => {
      const name = LINE.exec(line.trim())?.[1];
      const value = name === undefined ? undefined : generatedValues.get(name);
      if (name === undefined || value === undefined) return line;
      placed.add(name);
      return `${name}=${value}`;
    });
  const added = generated.filter((name) => !placed.has(name)).map((name) => `${name}=${generatedValues.get(name)}`);
  const complete = `${[...lines, ...added].join('\n').trimStart()}\n`;
  return { text: complete, values: readEnvText(complete), generated };
};

/** Next and previous values are placed below the current one. */
const toBaseName = (name: string): string => name.replace(/_(NEXT|PREVIOUS|CLOSED)$/, '');

/** Sets or, if undefined, removes values; all other lines stay unchanged. */
export const changeEnvText = (text: string, changes: Readonly<Record<string, string | undefined>>): string => {
  const newValues = new Map(Object.entries(changes).filter(([, value]) => value !== undefined));
  const toLine = (name: string) => `${name}=${changes[name]}`;
  const lines = text
    .trimEnd()
    .split('\n')
    .flatMap((line) => {
      const name = LINE.exec(line.trim())?.[1];
      if (name === undefined || !Object.hasOwn(changes, name)) return [line];
      newValues.delete(name);
      return changes[name] === undefined ? [] : [toLine(name)];
    });
  for (const name of newValues.keys()) {
    const baseIndex = lines.findLastIndex((line) => LINE.exec(line.trim())?.[1] === toBaseName(name));
    lines.splice(baseIndex < 0 ? lines.length : baseIndex + 1, 0, toLine(name));
  }
  return `${lines.join('\n')}\n`;
};
