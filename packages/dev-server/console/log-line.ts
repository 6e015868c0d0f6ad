import { escapeControls } from '@atrium/service-kit/observability/logger';
import { prettyFactory } from 'pino-pretty';

/** A stack trace has several lines, which are indented. */
const escapeTexts = (field: string, value: unknown): unknown => {
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [escapeControls(name), inner]));
  if (typeof value !== 'string') return value;
  return field === 'stack' ? value.split('\n').map(escapeControls).join('\n') : escapeControls(value);
};

/** Formats a line of pino JSON; other lines stay unchanged. Control characters are escaped in both. */
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

/** Parses a JSON log entry with escaped strings; undefined for other lines. */
function readEntry(line: string): object | undefined {
  try {
    const entry: unknown = JSON.parse(line, escapeTexts);
    return typeof entry === 'object' && entry !== null ? entry : undefined;
  } catch {
    return undefined;
  }
}

/** Returns whether a line logs a successful request; a single page causes dozens of them. */
export const isOrdinaryRequest = (line: string): boolean =>
  line.startsWith('{"level":30,') && line.endsWith('"msg":"request"}');
