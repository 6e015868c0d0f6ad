import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer } from 'node:tls';
import { generate } from 'selfsigned';

/** Paths of PEM files: a certificate authority, and its certificate for a server on 127.0.0.1 and for clients. */
export type Certificates = { ca: string; cert: string; key: string; remove(): Promise<void> };

const EC = { keyType: 'ec', curve: 'P-256', algorithm: 'sha256' } as const;

/** Creates the certificates in a temporary folder. */
export async function makeCertificates(): Promise<Certificates> {
  const authority = await generate([{ name: 'commonName', value: 'Test certificate authority' }], {
    ...EC,
    extensions: [
      { name: 'basicConstraints', cA: true, critical: true },
      { name: 'keyUsage', keyCertSign: true, critical: true },
    ],
  });
  const leaf = await generate([{ name: 'commonName', value: 'localhost' }], {
    ...EC,
    ca: { key: authority.private, cert: authority.cert },
    extensions: [
      { name: 'extKeyUsage', serverAuth: true, clientAuth: true },
      { name: 'subjectAltName', altNames: [{ type: 7, ip: '127.0.0.1' }] },
    ],
  });
  const folder = await mkdtemp(join(tmpdir(), 'atrium-certificates-'));
  const write = async (name: string, pem: string) => {
    const file = join(folder, name);
    await writeFile(file, pem, { mode: 0o600 });
    return file;
  };
  return {
    ca: await write('ca.pem', authority.cert),
    cert: await write('cert.pem', leaf.cert),
    key: await write('key.pem', leaf.private),
    remove: () => rm(folder, { recursive: true }),
  };
}

/** Starts a TLS proxy to a server without TLS. It forwards traffic unencrypted over loopback. */
export async function startTlsProxy(target: URL, { cert, key }: Pick<Certificates, 'cert' | 'key'>) {
  const server = createServer({ cert: readFileSync(cert), key: readFileSync(key) }, (client) => {
    const upstream = connect(Number(target.port), target.hostname);
    for (const socket of [client, upstream]) socket.on('error', () => socket.destroy());
    client.pipe(upstream).pipe(client);
    client.on('close', () => upstream.destroy());
    upstream.on('close', () => client.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { port: (server.address() as AddressInfo).port, close: () => void server.close() };
}
