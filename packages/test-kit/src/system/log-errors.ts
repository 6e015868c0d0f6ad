import type { ProcessListener } from '@atrium/dev-server/process-manager/managed-process';
import { services, sideProcesses } from '@atrium/dev-server/system/services';

/** The level of an error in pino's lines. */
const ERROR = 50;
const OURS = new Set(['gateway', ...[...services, ...sideProcesses].map(({ name }) => name)]);
/** One pod of several is called by its service first. */
const isOurs = (name: string): boolean => OURS.has(name.split(' ')[0] ?? '');

/** What was said of a process that ended, or had to be ended, without being told to. */
const ENDED = /starting it again|did not stop in time|does not answer/;

function levelOf(line: string): number {
  try {
    const { level } = JSON.parse(line) as { level?: unknown };
    return typeof level === 'number' ? level : ERROR;
  } catch {
    // Not a line of the log: the runtime itself has something to say, such as an error that nobody caught.
    return ERROR;
  }
}

/** Passes everything on, and remembers what no healthy service or gateway writes. */
export function watchLog(listener: ProcessListener): { listener: ProcessListener; errors(): string[] } {
  const errors: string[] = [];
  const record = (name: string, text: string) => errors.push(`${name}: ${text}`);
  return {
    errors: () => errors,
    listener: {
      line(name, line) {
        listener.line(name, line);
        if (isOurs(name) && levelOf(line) >= ERROR) record(name, line);
      },
      say(name, text) {
        listener.say(name, text);
        if (ENDED.test(text)) record(name, text);
      },
    },
  };
}
