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
