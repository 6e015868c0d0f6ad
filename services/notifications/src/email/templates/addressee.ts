import { isolate } from '@atrium/proto-events/text/isolate';

/** Whom a mail greets, and whose clock it goes by. */
export type Addressee = { firstName: string; timezone: string; workspace: string };

export const greeting = ({ firstName }: Pick<Addressee, 'firstName'>): string =>
  firstName === '' ? 'Hello,' : `Hello ${isolate(firstName)},`;
