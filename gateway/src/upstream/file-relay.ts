import type { IncomingMessage, ServerResponse } from 'node:http';
import { type AnswerHead, bodyLength, readAnswerHead } from './answer-head.ts';
import { createStoreConnections, type StoreConnection } from './store-connections.ts';

/** Of a head that is longer nothing good is to be expected. */
const HEAD_BYTES = 32 * 1024;
/** Reads whose bytes are not yet written, of one download. */
const UNWRITTEN = 2;

/** What concerns a file that is read; no other header of a request is passed on. */
const PASSED_ON = ['range', 'if-range', 'if-match', 'if-none-match', 'if-modified-since', 'if-unmodified-since'];

type Options = {
  target: URL;
  timeoutMs: number;
  /** Sets status and headers of the answer, or refuses it; answers whether its body is to follow. */
  answer: (head: AnswerHead, res: ServerResponse) => boolean;
  /** By a whole HTTP client: for an answer that is not as plain as this takes it. */
  byClient: (req: IncomingMessage, res: ServerResponse) => void;
  /** The store gave no answer, or half of one. */
  onFailure: (req: IncomingMessage, res: ServerResponse, error: Error) => void;
};

export type FileRelay = { forward(req: IncomingMessage, res: ServerResponse): void; close(): void };

/**
 * Passes files from the object store on to whoever asks, from socket to socket, by few buffers that are used again: what a download holds
 * does not depend on its size, and nothing of it has to be collected.
 */
export function createFileRelay(options: Options): FileRelay {
  const connections = createStoreConnections(options.target);
  const begin = (req: IncomingMessage, res: ServerResponse, isFresh: boolean) => {
    const connection = connections.take(isFresh);
    exchange(options, connections, { req, res, connection, again: () => begin(req, res, true) });
  };
  return {
    forward: (req, res) => begin(req, res, false),
    close: connections.close,
  };
}

type Exchange = {
  req: IncomingMessage;
  res: ServerResponse;
  connection: StoreConnection;
  /** Asks once more on a new connection. */
  again: () => void;
};

function exchange(
  { timeoutMs, answer, byClient, onFailure }: Options,
  connections: ReturnType<typeof createStoreConnections>,
  { req, res, connection, again }: Exchange,
): void {
  const { socket, isUsed } = connection;
  let head = '';
  /** Bytes of the body that have not come; undefined until the head has. */
  let left: number | undefined;
  let isKept = false;
  let unwritten = 0;

  const leave = () => {
    connection.listener = undefined;
    res.off('close', giveUp);
    socket.off('timeout', late);
  };
  const giveUp = () => {
    leave();
    socket.destroy();
  };
  const late = () => {
    // Whoever asked may take their time.
    if (unwritten < UNWRITTEN) socket.destroy(new Error('the object store gave no answer in time'));
  };
  const finish = () => {
    leave();
    if (isKept) connections.keep(connection);
    else socket.destroy();
    res.end();
  };

  /** Answers how many of these bytes belong to the head; undefined where nothing more is to be heard. */
  const readHead = (bytes: Buffer): number | undefined => {
    const before = head.length;
    head += bytes.toString('latin1');
    const end = head.indexOf('\r\n\r\n');
    if (end === -1 && head.length < HEAD_BYTES) return bytes.length;
    const found = end === -1 ? undefined : readAnswerHead(head.slice(0, end));
    const length = found && bodyLength(found, req.method);
    if (!found || length === undefined) {
      giveUp();
      byClient(req, res);
      return undefined;
    }
    isKept = found.headers.connection?.toLowerCase() !== 'close';
    if (!answer(found, res)) {
      giveUp();
      return undefined;
    }
    left = length;
    return end + 4 - before;
  };

  connection.listener = {
    onBytes(bytes, buffer) {
      const taken = left === undefined ? readHead(bytes) : 0;
      const body = taken === undefined ? undefined : bytes.subarray(taken);
      if (body === undefined || left === undefined || body.length > left) {
        // More than was announced is not the file; what was sent of it already cannot be taken back.
        if (body !== undefined && left !== undefined) {
          giveUp();
          res.destroy();
        }
        connections.give(buffer);
        return connection.listener !== undefined;
      }
      left -= body.length;
      if (body.length === 0) connections.give(buffer);
      else {
        unwritten += 1;
        res.write(body, () => {
          connections.give(buffer);
          unwritten -= 1;
          if (unwritten < UNWRITTEN && connection.listener) socket.resume();
        });
      }
      if (left > 0) return unwritten < UNWRITTEN;
      finish();
      return true;
    },
    onEnd() {
      leave();
      // A kept connection may have been closed in the moment in which it was used; reading twice does no harm.
      if (isUsed && head === '') return again();
      onFailure(req, res, socket.errored ?? new Error('the object store ended the connection'));
    },
  };
  res.once('close', giveUp);
  socket.setTimeout(timeoutMs).on('timeout', late);
  const passedOn = ['host', ...PASSED_ON].flatMap((name) => {
    const value = req.headers[name];
    return value === undefined ? [] : [`${name}: ${value}`];
  });
  socket.write([`${req.method} ${req.url} HTTP/1.1`, ...passedOn, 'accept-encoding: identity', '', ''].join('\r\n'));
}
