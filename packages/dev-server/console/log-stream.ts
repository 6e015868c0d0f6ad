import { escapeControls } from '@atrium/service-kit/observability/logger';
import { prettyFactory } from 'pino-pretty';
import type { ProcessListener } from '../process-manager/managed-process.ts';
import { isColored, painter, styleOf } from './colors.ts';

/** A stack trace has several lines, which are indented. */
const escapeTexts = (field: string, value: unknown): unknown => {
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [escapeControls(name), inner]));
  if (typeof value !== 'string') return value;
  return field === 'stack' ? value.split('\n').map(escapeControls).join('\n') : escapeControls(value);
};

/** Lines other than pino JSON stay unchanged. Control characters are escaped in both. */
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

/** Undefined for lines other than JSON log entries. */
function readEntry(line: string): object | undefined {
  try {
    const entry: unknown = JSON.parse(line, escapeTexts);
    return typeof entry === 'object' && entry !== null ? entry : undefined;
  } catch {
    return undefined;
  }
}

export const isOrdinaryRequest = (line: string): boolean =>
  line.startsWith('{"level":30,') && line.endsWith('"msg":"request"}');

const WIDTH = 13;

export interface LogStream extends ProcessListener {
  print(text: string): void;
}

const showsAll = (): boolean => Boolean(process.env.LOG_LEVEL);

/** Each line is prefixed with the name of its process. Ordinary requests are shown only with an explicit log level. */
export const createLogStream = (stream: NodeJS.WriteStream = process.stdout, all = showsAll()): LogStream => {
  const paint = painter(stream);
  const read = createLineReader(isColored(stream));
  const write = (name: string, text: string): void => {
    const prefix = paint(styleOf(name), `${name.padEnd(WIDTH)} │ `);
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
      if (all || !isOrdinaryRequest(line)) write(name, read(line));
    },
    say: (name, text) => write(name, paint('bold', text.split('\n').map(escapeControls).join('\n'))),
    print: (text) => void stream.write(`${text}\n`),
  };
};
