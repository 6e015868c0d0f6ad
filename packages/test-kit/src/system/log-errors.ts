import type { ProcessListener } from '@atrium/dev-server/process-manager/managed-process';
import { services, sideProcesses } from '@atrium/dev-server/system/services';

/** The error level of pino. */
const ERROR = 50;
const OURS = new Set(['gateway', ...[...services, ...sideProcesses].map(({ name }) => name)]);
/** With several pods, names begin with the service. */
const isOurs = (name: string): boolean => OURS.has(name.split(' ')[0] ?? '');

const ENDED = /restarting in|did not stop in time|does not respond/;

function levelOf(line: string): number {
  try {
    const { level } = JSON.parse(line) as { level?: unknown };
    return typeof level === 'number' ? level : ERROR;
  } catch {
    // Not a log line: output of the runtime, such as an uncaught error.
    return ERROR;
  }
}

/** Forwards everything and collects errors of services and the gateway. */
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
      log(name, text) {
        listener.log(name, text);
        if (ENDED.test(text)) record(name, text);
      },
    },
  };
}
