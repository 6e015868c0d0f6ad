import { prettyFactory } from 'pino-pretty';

/** Makes a line of pino's JSON readable; what is none stays as it is. */
export const createLineReader = (colorize: boolean): ((line: string) => string) => {
  const pretty = prettyFactory({
    colorize,
    translateTime: 'SYS:HH:MM:ss',
    ignore: 'pid,hostname,service',
    singleLine: true,
  });
  return (line) => (line.startsWith('{"level":') ? pretty(line).trimEnd() : line);
};

/** Whether a line tells of a request that went as requests do; a page alone makes some dozens of them. */
export const isOrdinaryRequest = (line: string): boolean =>
  line.startsWith('{"level":30,') && line.endsWith('"msg":"request"}');
