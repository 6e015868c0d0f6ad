import { randomBytes } from 'node:crypto';
import http from 'node:http';
import { constants, setPriority } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';

// Real senders run on other machines, so this one must not compete for CPU.
setPriority(constants.priority.PRIORITY_LOW);

/**
 * Uploads one file per token, all concurrently. Runs in a separate process, so that it does not disturb the
 * measurement.
 */
const { url, conversation, bytes, tokens } = JSON.parse(process.argv[2] ?? '') as {
  url: string;
  conversation: string;
  bytes: number;
  tokens: string[];
};
const chunk = randomBytes(256 * 1024);

async function send(token: string): Promise<void> {
  const field = `--b\r\ncontent-disposition: form-data; name="conversation"\r\n\r\n${conversation}\r\n`;
  const head = `${field}--b\r\ncontent-disposition: form-data; name="attachments"; filename="big.bin"\r\n\r\n`;
  const request = http.request(`${url}/api/chat/messages`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'multipart/form-data; boundary=b' },
  });
  const { promise, resolve, reject } = Promise.withResolvers<http.IncomingMessage>();
  request.on('response', resolve).on('error', reject);
  // Stops an upload that has been rejected.
  const hasResponse = promise.then(
    () => true,
    () => true,
  );
  request.write(head);
  for (let sent = 0; sent < bytes; sent += chunk.length) {
    if (request.write(chunk)) continue;
    if (await Promise.race([hasResponse, new Promise((drained) => request.once('drain', () => drained(false)))])) break;
  }
  request.end('\r\n--b--\r\n');
  const response = await promise;
  const text = (await response.toArray()).join('');
  request.destroy();
  if (response.statusCode === 503) {
    // Retries like browsers.
    await delay(1_000 * Number(response.headers['retry-after'] ?? 1));
    return send(token);
  }
  if (response.statusCode !== 201) throw new Error(`HTTP ${response.statusCode}: ${text}`);
}

await Promise.all(tokens.map(send));
