import { escapeControls } from '@atrium/service-kit/observability/escape-controls';
import type { ProcessListener } from '../process-manager/managed-process.ts';
import { isColoured, painter, styleOf } from './colors.ts';
import { createLineReader, isOrdinaryRequest } from './log-line.ts';

const WIDTH = 13;

export interface LogStream extends ProcessListener {
  /** Words of the launcher itself, without a prefix. */
  tell(text: string): void;
}

/** Whoever chooses a level wants to see all of it. */
const showsAll = (): boolean => Boolean(process.env.LOG_LEVEL);

/**
 * Everything that happens as one stream, each line behind the name of its process; requests that nobody need look at only where a level
 * was chosen.
 */
export const createLogStream = (stream: NodeJS.WriteStream = process.stdout, all = showsAll()): LogStream => {
  const paint = painter(stream);
  const read = createLineReader(isColoured(stream));
  const write = (name: string, text: string): void => {
    const prefix = paint(styleOf(name), `${name.padEnd(WIDTH)} │ `);
    stream.write(
      `${text
        .split('\n')
        .map((line) => prefix + line)
        .join('\n')}\n`,
    );
  };
  // A closed pipe (`npm start | head`) must not bring down what runs.
  stream.on('error', () => undefined);
  return {
    line: (name, line) => {
      if (all || !isOrdinaryRequest(line)) write(name, read(line));
    },
    say: (name, text) => write(name, paint('bold', text.split('\n').map(escapeControls).join('\n'))),
    tell: (text) => void stream.write(`${text}\n`),
  };
};
