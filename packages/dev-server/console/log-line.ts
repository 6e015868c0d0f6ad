import { escapeControls } from '@atrium/service-kit/observability/escape-controls';
import { prettyFactory } from 'pino-pretty';

/** A stack has lines of its own, which are indented. */
const escapeTexts = (field: string, value: unknown): unknown => {
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [escapeControls(name), inner]));
  if (typeof value !== 'string') return value;
  return field === 'stack' ? value.split('\n').map(escapeControls).join('\n') : escapeControls(value);
};

/** Makes a line of pino's JSON readable; what is none stays as it is. What a terminal would obey is escaped in both. */
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

/** What a line of JSON says, with escaped texts; undefined where it is none. */
function readEntry(line: string): object | undefined {
  try {
    const entry: unknown = JSON.parse(line, escapeTexts);
    return typeof entry === 'object' && entry !== null ? entry : undefined;
  } catch {
    return undefined;
  }
}

/** Whether a line tells of a request that went as requests do; a page alone makes some dozens of them. */
export const isOrdinaryRequest = (line: string): boolean =>
  line.startsWith('{"level":30,') && line.endsWith('"msg":"request"}');
