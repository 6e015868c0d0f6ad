import { escapeControls } from '@atrium/service-kit/observability/logger';
import { prettyFactory } from 'pino-pretty';
import type { ProcessListener } from '../process-manager/managed-process.ts';
import { createPainter, getPrefixStyle, isColored } from './colors.ts';

/** A `JSON.parse` reviver that escapes control characters, except for the line breaks of stack traces. */
const escapeStrings = (field: string, value: unknown): unknown => {
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [escapeControls(name), inner]));
  if (typeof value !== 'string') return value;
  return field === 'stack' ? value.split('\n').map(escapeControls).join('\n') : escapeControls(value);
};

/** Formats lines of pino JSON, and leaves other lines unchanged. Escapes control characters in both. */
export const createLineReader = (colorize: boolean): ((line: string) => string) => {
  const pretty = prettyFactory({
    colorize,
    translateTime: 'SYS:HH:MM:ss',
    ignore: 'pid,hostname,service',
    singleLine: true,
  });
  return (line) => {
    const entry = line.startsWith('{"level":') ? readEntry(line) : undefined;
    return entry === undefined ? escapeControls(line) : pretty(entry).trimEnd();
  };
};

/** Returns undefined if the line is not a JSON log entry. */
function readEntry(line: string): object | undefined {
  try {
    const entry: unknown = JSON.parse(line, escapeStrings);
    return typeof entry === 'object' && entry !== null ? entry : undefined;
  } catch {
    return undefined;
  }
}

export const isOrdinaryRequest = (line: string): boolean =>
  line.startsWith('{"level":30,') && line.endsWith('"msg":"request"}');

const NAME_WIDTH = 13;

export interface LogStream extends ProcessListener {
  print(text: string): void;
}

const isLogLevelSet = (): boolean => Boolean(process.env.LOG_LEVEL);

/** Prefixes each line with the name of its process. Shows ordinary requests only if `LOG_LEVEL` is set. */
export const createLogStream = (stream: NodeJS.WriteStream = process.stdout, showsAll = isLogLevelSet()): LogStream => {
  const paint = createPainter(stream);
  const read = createLineReader(isColored(stream));
  const write = (name: string, text: string): void => {
    const prefix = paint(getPrefixStyle(name), `${name.padEnd(NAME_WIDTH)} │ `);
    stream.write(
      `${text
        .split('\n')
        .map((line) => prefix + line)
        .join('\n')}\n`,
    );
  };
  // A closed pipe (`npm start | head`) must not end the launcher.
  stream.on('error', () => undefined);
  return {
    line: (name, line) => {
      if (showsAll || !isOrdinaryRequest(line)) write(name, read(line));
    },
    log: (name, text) => write(name, paint('bold', text.split('\n').map(escapeControls).join('\n'))),
    print: (text) => void stream.write(`${text}\n`),
  };
};
