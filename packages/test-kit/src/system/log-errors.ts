import type { ProcessListener } from '@atrium/dev-server/process-manager/managed-process';
import { roleProcesses, services } from '@atrium/dev-server/system/services';

/** The error level of pino. */
const ERROR_LEVEL = 50;
/** Processes of Atrium, as opposed to backing servers. */
const ATRIUM_PROCESSES = new Set(['gateway', ...[...services, ...roleProcesses].map(({ name }) => name)]);
/** Names of pods begin with the name of their service. */
const isAtriumProcess = (name: string): boolean => ATRIUM_PROCESSES.has(name.split(' ')[0] ?? '');

const PROCESS_FAILURE = /restarting in|did not stop in time|does not respond/;

function readLevel(line: string): number {
  try {
    const { level } = JSON.parse(line) as { level?: unknown };
    return typeof level === 'number' ? level : ERROR_LEVEL;
  } catch {
    // The line is not a log record but output of the runtime, such as an uncaught error.
    return ERROR_LEVEL;
  }
}

/** Forwards all output to the listener, and collects the errors of services and the gateway. */
export function watchLog(listener: ProcessListener): { listener: ProcessListener; errors(): string[] } {
  const errors: string[] = [];
  const record = (name: string, text: string) => errors.push(`${name}: ${text}`);
  return {
    errors: () => errors,
    listener: {
      line(name, line) {
        listener.line(name, line);
        if (isAtriumProcess(name) && readLevel(line) >= ERROR_LEVEL) record(name, line);
      },
      log(name, text) {
        listener.log(name, text);
        if (PROCESS_FAILURE.test(text)) record(name, text);
      },
    },
  };
}
