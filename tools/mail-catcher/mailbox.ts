import { listen } from '@atrium/service-kit/process/http-server';
import { createMailStore } from './mail-store.ts';
import { createReceiver } from './receive-mail.ts';
import { createWeb } from './web.ts';

export interface MailboxOptions {
  /** Network interface to listen on: loopback unless in a container. */
  host?: string;
  smtpPort: number;
  webPort: number;
  folder: string;
  /** First path segment of every page. */
  token: string;
}

/** An SMTP server that delivers nothing: it stores every email in a folder and shows it on a web page. */
export const startMailbox = async ({ host = '127.0.0.1', smtpPort, webPort, folder, token }: MailboxOptions) => {
  const store = await createMailStore(folder);
  const receiver = createReceiver(store);
  const web = createWeb({ store, token });
  const [smtp, page] = await Promise.all([listen(receiver.server, smtpPort, host), listen(web, webPort, host)]);
  return {
    smtpUrl: `smtp://127.0.0.1:${smtp}`,
    webUrl: `http://127.0.0.1:${page}/${token}`,
    stop: async (): Promise<void> => {
      web.closeAllConnections();
      await Promise.all([
        new Promise<void>((resolve) => receiver.close(() => resolve())),
        new Promise<void>((resolve) => web.close(() => resolve())),
      ]);
    },
  };
};
