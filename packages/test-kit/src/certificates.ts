import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generate } from 'selfsigned';

/** Paths of PEM files: a certificate authority, and its certificate for a server on 127.0.0.1 and for clients. */
export type Certificates = { ca: string; cert: string; key: string; remove(): Promise<void> };

const EC = { keyType: 'ec', curve: 'P-256', algorithm: 'sha256' } as const;

/** Creates a private certificate authority and a certificate. */
export async function makeCertificates(): Promise<Certificates> {
  const authority = await generate([{ name: 'commonName', value: 'A test’s own authority' }], {
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
