import type { Paint } from './colours.ts';

const LEVELS: Record<number, [word: string, style: 'gray' | 'green' | 'yellow' | 'red']> = {
  10: ['trace', 'gray'],
  20: ['debug', 'gray'],
  30: ['info', 'green'],
  40: ['warn', 'yellow'],
  50: ['error', 'red'],
  60: ['fatal', 'red'],
};

const SHOWN_ELSEWHERE = new Set([
  'level',
  'time',
  'msg',
  'service',
  'err',
  'pid',
  'hostname',
  'req',
  'res',
  'responseTime',
]);

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

const parse = (line: string): Record<string, unknown> | undefined => {
  if (!line.startsWith('{')) return undefined;
  try {
    const value: unknown = JSON.parse(line);
    return isRecord(value) && typeof value.level === 'number' ? value : undefined;
  } catch {
    return undefined;
  }
};

const inShort = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

const clock = (time: unknown): string => {
  const date = new Date(typeof time === 'number' || typeof time === 'string' ? time : Date.now());
  return Number.isNaN(date.getTime()) ? '' : date.toTimeString().slice(0, 8);
};

const request = ({ req, res, responseTime }: Record<string, unknown>): string => {
  if (!isRecord(req)) return '';
  const status = isRecord(res) ? ` ${inShort(res.statusCode)}` : '';
  const took = typeof responseTime === 'number' ? ` ${responseTime} ms` : '';
  return `${inShort(req.method)} ${inShort(req.url)}${status}${took}`;
};

const fault = (err: unknown): string => {
  if (!isRecord(err)) return '';
  return `\n    ${inShort(err.stack ?? err.message ?? err).replaceAll('\n', '\n    ')}`;
};

/** One line of a process for people: pino's JSON becomes time, level, message and what else it holds; the rest stays as it is. */
export const prettyLine = (line: string, paint: Paint): string => {
  const entry = parse(line);
  if (!entry) return line;
  const [word, style] = LEVELS[Number(entry.level)] ?? ['log', 'gray'];
  const others = Object.entries(entry).filter(([name]) => !SHOWN_ELSEWHERE.has(name));
  const details = others.map(([name, value]) => `${name}=${inShort(value)}`).join(' ');
  const parts = [
    paint('gray', clock(entry.time)),
    paint(style, word),
    inShort(entry.msg ?? ''),
    request(entry),
    paint('gray', details),
  ];
  return parts.filter((part) => part !== '' && part !== paint('gray', '')).join(' ') + fault(entry.err);
};
