import { escapeControls } from '@atrium/service-kit/observability/logger';
import type { ProcessListener } from '../process-manager/managed-process.ts';
import { isColored, painter, styleOf } from './colors.ts';
import { createLineReader, isOrdinaryRequest } from './log-line.ts';

const WIDTH = 13;

export interface LogStream extends ProcessListener {
  /** Prints a message of the launcher, without a prefix. */
  print(text: string): void;
}

/** An explicit log level also shows ordinary requests. */
const showsAll = (): boolean => Boolean(process.env.LOG_LEVEL);

/** One stream for all output, each line prefixed with the name of its process. Ordinary requests are shown only with an explicit log level. */
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
