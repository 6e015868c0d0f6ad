import { randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Mail, readMail, type StoredMail } from './read-mail.ts';

export interface MailStore {
  save(mail: { recipients: string[]; raw: Buffer }): Promise<void>;
  list(to?: string): Mail[];
  find(id: string): Mail | undefined;
  readSource(id: string): Promise<Buffer | undefined>;
  remove(id: string): Promise<boolean>;
  removeAll(to?: string): Promise<number>;
}

const compareNewestFirst = (left: Mail, right: Mail): number =>
  right.receivedAt.localeCompare(left.receivedAt) || right.id.localeCompare(left.id);

const load = async (folder: string): Promise<Mail[]> => {
  const files = (await readdir(folder)).filter((file) => file.endsWith('.json'));
  return Promise.all(
    files.map(async (file) => {
      const stored: StoredMail = JSON.parse(await readFile(join(folder, file), 'utf8'));
      return readMail(stored);
    }),
  );
};

export const createMailStore = async (folder: string): Promise<MailStore> => {
  await mkdir(folder, { recursive: true });
  const mails = new Map((await load(folder)).map((mail) => [mail.id, mail]));
  const getFile = (id: string): string => join(folder, `${id}.json`);

  const list = (to?: string): Mail[] => {
    const recipient = to?.toLowerCase();
    const all = [...mails.values()].sort(compareNewestFirst);
    return recipient ? all.filter(({ recipients }) => recipients.includes(recipient)) : all;
  };

  const remove = async (id: string): Promise<boolean> => {
    if (!mails.delete(id)) return false;
    await rm(getFile(id), { force: true });
    return true;
  };

  return {
    async save({ recipients, raw }) {
      const receivedAt = new Date().toISOString();
      const id = `${receivedAt.replace(/\D/g, '')}-${randomUUID().slice(0, 8)}`;
      const stored: StoredMail = {
        id,
        receivedAt,
        recipients: recipients.map((address) => address.toLowerCase()),
        raw: raw.toString('base64'),
      };
      const mail = await readMail(stored);
      await writeFile(`${getFile(id)}.new`, JSON.stringify(stored));
      await rename(`${getFile(id)}.new`, getFile(id));
      mails.set(id, mail);
    },
    list,
    find: (id) => mails.get(id),
    async readSource(id) {
      if (!mails.has(id)) return undefined;
      const stored: StoredMail = JSON.parse(await readFile(getFile(id), 'utf8'));
      return Buffer.from(stored.raw, 'base64');
    },
    remove,
    async removeAll(to) {
      const removed = await Promise.all(list(to).map(({ id }) => remove(id)));
      return removed.length;
    },
  };
};
